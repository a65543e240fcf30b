import StoicLocalServer
import Testing

@Suite("Response writer")
struct ResponseWriterTests {
  typealias Response = LocalServer.Response

  /// What a writer does, step by step, with no more than `limit` steps.
  private func steps(
    _ response: Response, method: String = "GET", keepsAlive: Bool = true, limit: Int = 100
  ) -> [String] {
    var writer = ResponseWriter(response, method: method, keepsAlive: keepsAlive)
    var outbox = Outbox()
    var steps: [String] = []
    while steps.count < limit {
      let step = writer.next(into: &outbox)
      let bytes = outbox.withUnsentBytes { Array($0) }
      _ = outbox.markSent(bytes.count)
      switch step {
      case .send:
        steps.append(String(decoding: bytes, as: UTF8.self))
        continue
      case .pause(let duration):
        steps.append("pause \(duration)")
      case .gate:
        steps.append("gate")
      case .hang:
        steps.append("hang")
        return steps
      case .finish(let ending):
        steps.append("\(ending)")
        return steps
      }
      #expect(bytes.isEmpty, "bytes were left behind a step")
    }
    return steps
  }

  @Test("A text says its type and length, and gives no reason")
  func text() {
    #expect(
      steps(.text("h\u{e9}", status: 201, headers: [("X-A", "1"), ("x-a", "2")])) == [
        "HTTP/1.1 201 \r\nContent-Type: text/plain; charset=utf-8\r\nX-A: 1\r\nx-a: 2\r\n"
          + "Content-Length: 3\r\n\r\nh\u{e9}", "keep",
      ])
  }

  @Test("A JSON text says its type, and a dictionary literal gives its fields in order")
  func json() {
    #expect(
      steps(.json("{}", status: 503, headers: ["Retry-After": "1", "A": "2"])) == [
        "HTTP/1.1 503 \r\nContent-Type: application/json\r\nRetry-After: 1\r\nA: 2\r\nContent-Length: 2\r\n\r\n{}",
        "keep",
      ])
  }

  @Test("A reason is written when it is given")
  func reason() {
    var response = Response.status(404)
    response.reason = "Not Found"
    #expect(steps(response) == ["HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "keep"])
  }

  @Test("A header field is written as given, and what it says is not said again")
  func givenFields() {
    let length = Response(status: 200, headers: [("content-length", "9")], body: [.text("abc")])
    #expect(steps(length) == ["HTTP/1.1 200 \r\ncontent-length: 9\r\n\r\nabc", "keep"])
    let coding = Response(
      status: 200, headers: [("transfer-encoding", "x")], body: [.text("abc")], chunked: true)
    #expect(
      steps(coding) == ["HTTP/1.1 200 \r\ntransfer-encoding: x\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "keep"])
  }

  @Test("A connection that ends after the response says so, once")
  func saysClose() {
    #expect(
      steps(.status(200), keepsAlive: false) == [
        "HTTP/1.1 200 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n", "close",
      ])
    #expect(
      steps(.status(200, headers: ["connection": "Close"])) == [
        "HTTP/1.1 200 \r\nconnection: Close\r\nContent-Length: 0\r\n\r\n", "close",
      ])
    #expect(steps(.status(200, headers: ["Connection": "x,\t CLOSE"])).last == "close")
    #expect(steps(.status(200, headers: ["Connection": "closed", "X": "close"])).last == "keep")
  }

  @Test("A close-delimited body has no length and ends with the connection")
  func closeDelimited() {
    var response = Response(status: 200, body: [.text("abc")])
    response.closeDelimited = true
    #expect(steps(response) == ["HTTP/1.1 200 \r\nConnection: close\r\n\r\nabc", "close"])
    response.chunked = true
    #expect(
      steps(response) == ["HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "keep"])
  }

  @Test("A piece is a chunk, and an empty one is none")
  func chunks() {
    let pieces: [LocalServer.Piece] = [.text("abc"), .bytes([UInt8]()), .repeated(0x78, count: 17)]
    #expect(
      steps(Response(status: 200, body: pieces, chunked: true)) == [
        "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n11\r\nxxxxxxxxxxxxxxxxx\r\n0\r\n\r\n",
        "keep",
      ])
  }

  @Test("Trailers follow the last chunk, and are left out where there is none")
  func trailers() {
    let fields: KeyValuePairs = ["X-Sum": "1", "x-sum": "2", "Bad\r\n": ""]
    let chunked = Response(status: 200, body: [.text("abc")], chunked: true, trailers: fields)
    let head = "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(
      steps(chunked) == [head + "3\r\nabc\r\n0\r\nX-Sum: 1\r\nx-sum: 2\r\nBad\r\n: \r\n\r\n", "keep"])
    #expect(steps(chunked, method: "HEAD") == [head, "keep"])
    let fixed = Response(status: 200, headers: [], body: [.text("abc")], trailers: fields)
    #expect(steps(fixed) == ["HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nabc", "keep"])
  }

  @Test("Interim responses and waits come before the status line, in no chunk and in no length")
  func preface() {
    let preface: [LocalServer.Piece] = [
      .interim(103, headers: ["Link": "</a>", "Link": "</b>"]), .gate(LocalServer.Gate()), .interim(100),
      .repeated(0x20, count: 2),
    ]
    #expect(
      steps(Response(status: 200, body: [.text("abc")], chunked: true, delay: .seconds(1), preface: preface))
        == [
          "pause 1.0 seconds", "HTTP/1.1 103 \r\nLink: </a>\r\nLink: </b>\r\n\r\n", "gate",
          "HTTP/1.1 100 \r\n\r\n  HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
          "keep",
        ])
    #expect(
      steps(Response(status: 204, preface: [.interim(103)]), method: "HEAD") == [
        "HTTP/1.1 103 \r\n\r\nHTTP/1.1 204 \r\n\r\n", "keep",
      ])
    #expect(steps(Response(status: 200, preface: [.text("x"), .reset])) == ["x", "reset"])
  }

  @Test("A packed text says its coding, and its length is the packed one")
  func packed() {
    let packed = LocalServer.Coding.bareDeflate.pack("abc")
    #expect(packed == [1, 3, 0, 0xFC, 0xFF] + Array("abc".utf8))
    #expect(
      steps(.packed("abc", as: .bareDeflate, status: 201, headers: ["A": "b"])) == [
        "HTTP/1.1 201 \r\nContent-Encoding: deflate\r\nA: b\r\nContent-Length: 8\r\n\r\n"
          + String(decoding: packed, as: UTF8.self), "keep",
      ])
  }

  @Test("A HEAD request is answered with the length and no body")
  func head() {
    let response = Response(status: 200, body: [.text("abc"), .pause(.seconds(1)), .reset])
    #expect(steps(response, method: "HEAD") == ["HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\n", "keep"])
    let chunked = Response(status: 200, body: [.text("abc")], chunked: true)
    #expect(
      steps(chunked, method: "HEAD") == ["HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n", "keep"])
  }

  @Test("A status without a body has neither a length nor a body", arguments: [100, 103, 204, 304])
  func bodiless(status: Int) {
    #expect(steps(Response(status: status, body: [.text("abc")])) == ["HTTP/1.1 \(status) \r\n\r\n", "keep"])
  }

  @Test("A delay comes before the first byte, and a pause where it stands")
  func pauses() {
    let gate = LocalServer.Gate()
    let pieces: [LocalServer.Piece] = [.text("a"), .pause(.seconds(2)), .gate(gate), .text("b")]
    #expect(
      steps(Response(status: 200, body: pieces, delay: .seconds(1))) == [
        "pause 1.0 seconds", "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\na", "pause 2.0 seconds", "gate", "b",
        "keep",
      ])
  }

  @Test(
    "An early end leaves the rest of the promised length out",
    arguments: [(LocalServer.Piece.close, "close"), (.reset, "reset"), (.hang, "hang")])
  func earlyEnd(_ piece: LocalServer.Piece, _ ending: String) {
    #expect(
      steps(Response(status: 200, body: [.text("a"), piece, .text("bc")])) == [
        "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\na", ending,
      ])
  }

  @Test("A raw response is nothing but its bytes, and closes unless told otherwise")
  func raw() {
    #expect(steps(.raw("HTTP/1.1 x")) == ["HTTP/1.1 x", "close"])
    #expect(steps(.raw([0x61], keepAlive: true), method: "HEAD") == ["a", "keep"])
    #expect(
      steps(.raw([.text("a"), .pause(.seconds(1)), .text("b")])) == ["a", "pause 1.0 seconds", "b", "keep"])
    #expect(steps(.raw(lines: "HTTP/1.1 200|A: b||c|")) == ["HTTP/1.1 200\r\nA: b\r\n\r\nc\r\n", "close"])
    #expect(steps(.raw(lines: "|", keepAlive: true)) == ["\r\n", "keep"])
    #expect(steps(.drop) == ["close"])
    #expect(steps(.reset) == ["reset"])
    #expect(steps(.hang) == ["hang"])
  }

  @Test("Bytes that are made on the way come in chunks of at most 64 KiB")
  func madeChunks() {
    for piece in [
      LocalServer.Piece.repeated(0, count: 70_000), .packed(repeating: 0, count: 70_000 * 1032, as: .gzip),
    ] {
      let bytes = steps(
        Response(status: 200, headers: [:], body: [piece], chunked: true, closeDelimited: true)
      ).joined()
      let body = bytes.split(separator: "\r\n\r\n", maxSplits: 1)[1]
      #expect(body.hasPrefix("10000\r\n"))
    }
    let toTheEnd = Response(status: 200, headers: ["A": "b"], body: [.text("x")], closeDelimited: true)
    #expect(steps(toTheEnd) == ["HTTP/1.1 200 \r\nA: b\r\nConnection: close\r\n\r\nx", "close"])
  }

  @Test("A huge body is made in bounded stretches", arguments: [false, true])
  func huge(chunked: Bool) {
    var response = Response(status: 200, body: [.repeated(0, count: Int.max)], chunked: chunked)
    response.body.append(.bytes([UInt8](repeating: 1, count: 1_000_000)))
    var writer = ResponseWriter(response, method: "GET", keepsAlive: true)
    var outbox = Outbox()
    for _ in 0..<100 {
      guard case .send = writer.next(into: &outbox) else {
        Issue.record("the body ended")
        return
      }
      let count = outbox.withUnsentBytes { $0.count }
      #expect(count >= Outbox.capacity)
      #expect(count < Outbox.capacity + 32)
      _ = outbox.markSent(count)
    }
  }

  @Test("Bytes longer than the outbox stay one chunk and arrive whole")
  func longChunk() {
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var response = Response.raw([])
    response = Response(status: 200, body: [.bytes(bytes)], chunked: true)
    var writer = ResponseWriter(response, method: "GET", keepsAlive: true)
    var outbox = Outbox()
    var written: [UInt8] = []
    var bodyBytes = 0
    while case .send = writer.next(into: &outbox) {
      written += outbox.withUnsentBytes { Array($0) }
      bodyBytes += outbox.markSent(outbox.withUnsentBytes { $0.count })
    }
    let head = "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n30d40\r\n"
    #expect(written == Array(head.utf8) + bytes + Array("\r\n0\r\n\r\n".utf8))
    #expect(bodyBytes == 200_000)
  }

  @Test("A length past the integers is the largest one")
  func overflow() {
    let pieces: [LocalServer.Piece] = [.repeated(0, count: Int.max), .repeated(0, count: 1)]
    let first = steps(Response(status: 200, body: pieces), limit: 1)[0]
    #expect(first.hasPrefix("HTTP/1.1 200 \r\nContent-Length: 9223372036854775807\r\n\r\n"))
    #expect(
      steps(Response(status: 200, body: [.repeated(0, count: -1)])).first?.hasSuffix(": 0\r\n\r\n") == true)
  }
}
