import StoicLocalServer
import Testing

@Suite("Interrupted responses")
struct WireWriterTests {
  typealias Response = LocalServer.Response

  /// What a writer does: the bytes it makes, with what stands between them.
  private func steps(_ response: Response, method: String = "GET") -> [String] {
    var writer = WireWriter(response, method: method, keepsAlive: true)
    var outbox = Outbox()
    var steps: [String] = []
    while steps.count < 1000 {
      let step = writer.next(into: &outbox)
      let bytes = outbox.withUnsentBytes { Array($0) }
      _ = outbox.markSent(bytes.count)
      switch step {
      case .send:
        #expect(!bytes.isEmpty, "nothing was made")
        // A character a byte, so that no byte is lost where a text would be cut.
        steps.append(String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) })))
        continue
      case .pause(let duration): steps.append("<pause \(duration)>")
      case .gate: steps.append("<gate>")
      case .hang: steps.append("<hang>")
      case .finish(let ending): steps.append("<\(ending)>")
      }
      #expect(bytes.isEmpty, "bytes were left behind a step")
      if case .finish = step { break }
      if case .hang = step { break }
    }
    return steps
  }

  private func wire(_ response: Response, method: String = "GET") -> String {
    steps(response, method: method).joined()
  }

  static let responses: [(response: Response, method: String)] = [
    (.text("hello"), "GET"), (.status(204), "GET"), (.text("hello"), "HEAD"), (.raw("raw bytes"), "GET"),
    (Response(status: 200, body: [.text("ab"), .close, .text("c")]), "GET"),
    (
      Response(status: 200, body: [.text("ab"), .pause(.seconds(1)), .text("c")], closeDelimited: true), "GET"
    ),
    (.packed("hi", as: .bareDeflate), "GET"),
    (
      Response(
        status: 200, headers: ["Trailer": "X"], body: [.text("hello"), .repeated(0x78, count: 3)],
        chunked: true, preface: [.interim(103, headers: ["Link": "</a>"])], trailers: ["X": "1"]), "GET"
    ),
  ]

  @Test("A response ends after any of its bytes, and none of them is lost or added", arguments: responses)
  func everyPlace(_ response: Response, _ method: String) {
    let whole = wire(response, method: method)
    // The steps between the bytes are not bytes.
    let bytes = Array(steps(response, method: method).filter { !$0.hasPrefix("<") }.joined().unicodeScalars)
    for offset in 0...bytes.count {
      for (piece, ending) in [(LocalServer.Piece.close, "<close>"), (.reset, "<reset>"), (.hang, "<hang>")] {
        let cut = steps(response.interrupted(after: offset, by: piece), method: method)
        #expect(cut.last == ending, "at \(offset)")
        let sent = cut.filter { !$0.hasPrefix("<") }.joined()
        #expect(Array(sent.unicodeScalars) == Array(bytes[..<offset]), "at \(offset)")
      }
      let gated = wire(response.interrupted(after: offset, by: .gate(LocalServer.Gate())), method: method)
      #expect(gated.replacing("<gate>", with: "") == whole, "at \(offset)")
      #expect(gated.firstRange(of: "<gate>") != nil, "at \(offset)")
    }
  }

  @Test("Bytes between bytes are in no chunk and in no length")
  func inserted() {
    let text = Response(status: 200, body: [.text("abc")])
    let head = "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\n"
    #expect(wire(text.interrupted(after: head.utf8.count + 1, by: .text("XX"))) == head + "aXXbc<keep>")
    #expect(
      wire(text.interrupted(after: 4, by: .repeated(0x78, count: 3))) == "HTTPxxx" + head.dropFirst(4)
        + "abc<keep>")
    let chunked = Response(status: 200, body: [.text("abc")], chunked: true)
    let chunks = "HTTP/1.1 200 \r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(
      wire(chunked.interrupted(after: chunks.utf8.count + 1, by: .text(";x=1"))) == chunks
        + "3;x=1\r\nabc\r\n0\r\n\r\n<keep>")
  }

  @Test("What comes at one place comes in the order it was given in, places in their own order")
  func order() {
    let gate = LocalServer.Gate()
    let response = Response.raw("abc", keepAlive: true)
      .interrupted(after: 2, by: .text("3")).interrupted(after: 1, by: .text("1"))
      .interrupted(after: 1, by: .gate(gate)).interrupted(after: 1, by: .text("2"))
    #expect(wire(response) == "a1<gate>2b3c<keep>")
  }

  @Test(
    "A place before the first byte is the first, and one past the last is after the last",
    arguments: [-1, 0, 6, Int.max, Int.min])
  func outside(offset: Int) {
    let response = Response(status: 0, delay: .seconds(1))
    var raw = Response.raw("abcde", keepAlive: true).interrupted(after: offset, by: .text("X"))
    #expect(wire(raw) == (offset > 0 ? "abcdeX<keep>" : "Xabcde<keep>"))
    raw = raw.interrupted(after: offset, by: .reset)
    #expect(wire(raw) == (offset > 0 ? "abcdeX<reset>" : "X<reset>"))
    #expect(steps(response.interrupted(after: 0, by: .reset)) == ["<pause 1.0 seconds>", "<reset>"])
  }

  @Test(
    "A huge body is made in bounded stretches on both sides of an interruption",
    arguments: [0, 100, 1_000_000, 1 << 40])
  func huge(offset: Int) {
    let response = Response(status: 200, body: [.repeated(0x78, count: Int.max)], chunked: true)
      .interrupted(after: offset, by: .text("!"))
    var writer = WireWriter(response, method: "GET", keepsAlive: true)
    var outbox = Outbox()
    var (made, bangs) = (0, 0)
    while made < 2_000_000 {
      guard case .send = writer.next(into: &outbox) else {
        Issue.record("the body ended")
        return
      }
      let bytes = outbox.withUnsentBytes { Array($0) }
      #expect(bytes.count > 0 && bytes.count < Outbox.capacity + 32)
      bangs += bytes.count { $0 == UInt8(ascii: "!") }
      made += bytes.count
      _ = outbox.markSent(bytes.count)
    }
    #expect(bangs == (offset < 2_000_000 ? 1 : 0))
  }

  @Test("Body bytes are counted as body on both sides of an interruption", arguments: 0...60)
  func counts(offset: Int) {
    let response = Response(status: 200, body: [.text("hello")], chunked: true)
      .interrupted(after: offset, by: .gate(LocalServer.Gate()))
    var writer = WireWriter(response, method: "GET", keepsAlive: true)
    var outbox = Outbox()
    var body = 0
    while true {
      let step = writer.next(into: &outbox)
      body += outbox.markSent(outbox.withUnsentBytes { $0.count })
      if case .finish = step { break }
    }
    #expect(body == 5)
  }
}
