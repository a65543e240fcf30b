#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Responses that libcurl's transport takes and refuses", .timeLimit(.minutes(30)))
struct CurlResponseTests {
  private func response(_ raw: String, maxResponseBytes: Int = 1_000) async throws -> HTTPResponse {
    let server = try await LocalServer.start(raw: raw)
    defer { server.stop() }
    return try await CurlTransport().send(.to(server), maxResponseBytes: maxResponseBytes)
  }

  private func failure(_ raw: String) async throws -> TransportError? {
    await #expect(throws: TransportError.self, "\(raw.prefix(100))") { _ = try await response(raw) }
  }

  @Test(
    "A response that ends in its head is a lost connection, and the process goes on",
    arguments: [
      "", "HTT", "HTTP/1", "HTTP/1.1 2", "HTTP/1.1 200 OK|", "HTTP/1.1 200 OK|Content-Length: 5|",
      "HTTP/1.1 200 OK|Content-Le", "HTTP/1.1 100 Continue||", "HTTP/1.1 103 Early Hints|Link: a|",
    ])
  func cutHead(_ raw: String) async throws {
    #expect(try await failure(raw) == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }

  @Test("Trailers after chunks are taken, and belong to nothing")
  func trailers() async throws {
    let response = try await response(
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X-Check: 1|Content-Length: 9||")
    #expect(response.text == "hello")
    #expect(response.status == 200)
    #expect(response.headers == ["Transfer-Encoding": "chunked"])
  }

  @Test(
    "A length beyond all bounds is over the limit, and the process goes on",
    arguments: ["9223372036854775807", "9223372036854775808", "99999999999999999999999"])
  func hugeLength(_ length: String) async throws {
    let response = try await response("HTTP/1.1 200 OK|Content-Length: \(length)||hello")
    #expect(response.isTruncated)
    #expect(response.body == [])
    #expect(response.headers["Content-Length"] == length)
  }

  @Test(
    "What is odd but legal, or harmless, is a response",
    arguments: [
      ("HTTP/1.1 200|Content-Length: 5||hello", 200), ("HTTP/1.1 200 |Content-Length: 5||hello", 200),
      ("HTTP/1.1 200 OK|Content-Length:5||hello", 200),
      ("HTTP/1.1 200 OK|Content-Length:\t 5 \t||hello", 200),
      ("HTTP/1.1 200 OK|Transfer-Encoding:chunked||5|hello|0||", 200),
      ("HTTP/1.1 200 OK|Transfer-Encoding:\tCHUNKED\t ||5|hello|0||", 200),
      ("HTTP/1.1 200 a:b c|X-Empty:|X:y|!#$%&'*+-.^_`~09: z|Content-Length:5||hello", 200),
      ("HTTP/1.1 200 OK|Content-Length: 5, 5||hello", 200),
      ("HTTP/1.1 200 OK|Content-Length: 5|content-length: 5||hello", 200),
      ("HTTP/1.1 200 OK|Content-Length: 5||hello and more", 200),
      ("HTTP/1.1 200 OK|Content-Length: 50000|Transfer-Encoding: Chunked||5;a=b|hello|0||", 200),
      ("HTTP/1.0 200 OK||hello", 200), ("HTTP/1.1 600 x|Content-Length: 5||hello", 600),
      ("HTTP/1.1 407 x|Proxy-Authenticate: Basic|Content-Length: 5||hello", 407),
      ("HTTP/1.1 302 x|Location: http://[bad|Content-Length: 5||hello", 302),
      ("HTTP/1.1 302 x|Location: http://a:99999999/|Content-Length: 5||hello", 302),
      ("HTTP/1.1 302 x|Location: |Content-Length: 5||hello", 302),
      ("HTTP/1.1 302 x|Location: ftp://a b\u{1}/|Content-Length: 5||hello", 302),
      ("HTTP/1.1 302 x|Location: ?|Location: #|Content-Length: 5||hello", 302),
      ("HTTP/1.1 999 x|Content-Length: 5||hello", 999), ("HTTP/1.1 200 \t|Content-Length: 5||hello", 200),
      ("HTTP/2 200|Content-Length: 5||hello", 200), ("HTTP/1.0 200  OK|Content-Length: 5||hello", 200),
      ("HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", 200),
      ("HTTP/1.1 102 p||HTTP/1.1 103 e|Content-Length: 99999||HTTP/1.1 201 OK|Content-Length: 5||hello", 201),
    ])
  func odd(_ raw: String, _ status: Int) async throws {
    let response = try await response(raw)
    #expect(response.status == status)
    #expect(response.text == "hello")
    #expect(!response.isTruncated)
  }

  @Test(
    "A response that makes no sense is a bad one",
    arguments: [
      "hello||", "ICY 200 OK||hello", "|HTTP/1.1 200 OK|Content-Length: 5||hello",
      "HTTP/1.1 099 No|Content-Length: 5||hello", "HTTP/1.1 1000 No|Content-Length: 5||hello",
      "HTTP/1.1 abc No|Content-Length: 5||hello", "HTTP/1.2 200 OK|Content-Length: 5||hello",
      "HTTP/3 200 OK||hello", "HTTP/1.1 101 Switching|Upgrade: x||hello",
      "HTTP/1.1 200 OK|Content-Length: -1||hello", "HTTP/1.1 200 OK|Content-Length: abc||hello",
      "HTTP/1.1 200 OK|Content-Length: +5||hello", "HTTP/1.1 200 OK|Content-Length: ||hello",
      "HTTP/1.1 200 OK|Content-Length: 5, 20||hello",
      "HTTP/1.1 200 OK|Content-Length: 5|Content-Length: 20||hello",
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||zz|hello|0||",
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked||ffffffffffffffffff|hello|0||",
      "HTTP/1.1 200 OK|Transfer-Encoding: made-up||hello",
      "HTTP/1.1 200 OK|Transfer-Encoding: gzip, chunked||5|hello|0||",
      "HTTP/1.1 200 OK|X A: 1|Content-Length: 5||hello", "HTTP/1.1 200 OK|: 1|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|no colon|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|X: a\u{0}b|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|X: a\rX-B: b|Content-Length: 5||hello",
      "HTTP/1.1 200 OK| X: folded onto nothing|Content-Length: 5||hello",
      "HTTP/1.1 103 e|X: a|| b|HTTP/1.1 200 OK|Content-Length: 5||hello",
      // libcurl frames a body, and this transport unpacks it, by what stands on the field's own line.
      "HTTP/1.1 200 OK|Transfer-Encoding:| chunked||5|hello|0||",
      "HTTP/1.1 200 OK|Content-Encoding:|\tgzip|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|Content-Length: 5| 0||hello", "HTTP/1.1 200 OK|Content-Length: 5|  ||hello",
      // What stands before a colon is the name, blanks and all; libcurl does not see the field that others see.
      "HTTP/1.1 200 OK|Content-Length : 10||hello", "HTTP/1.1 200 OK|Content-Length\t: 5||hello",
      "HTTP/1.1 200 OK|Transfer-Encoding : chunked||5|hello|0||",
      "HTTP/1.1 200 OK|X : a|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|Content-Encoding : gzip||hello", "HTTP/1.1 200 OK|Content-Length\u{B}: 10||hello",
      "HTTP/1.1 200 OK|\rContent-Length: 10||hello", "HTTP/1.1 200 OK|Content-Length\u{A0}: 10||hello",
      "HTTP/1.1 103 e|X : a||HTTP/1.1 200 OK|Content-Length: 5||hello",
      // Nor is a value what Unicode makes of it.
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked\u{85}||5|hello|0||",
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked\u{2028}||5|hello|0||",
      "HTTP/1.1 200 OK|Transfer-Encoding: chun\u{212A}ed||5|hello|0||",
      "HTTP/1.1 200 OK|Transfer-Encoding: chunked\u{B}||5|hello|0||",
      "HTTP/1.1 200 OK|Content-Length: 5\u{85}||hello", "HTTP/1.1 200 OK|Content-Length: \u{665}||hello",
      // Once it has begun, a section has no other status line.
      "HTTP/1.1 200 OK|Content-Length: 5|HTTP/1.1 404: x||hello",
      "HTTP/1.1 200 OK|HTTP/1.1 204: x|Content-Length: 5||hello",
      "HTTP/1.1 200 OK|HTTP/1.1 103: x|Content-Length: 5||hello",
      "HTTP/1.1 103 e|HTTP/1.1 200: x||hello",
    ])
  func senseless(_ raw: String) async throws {
    #expect(try await failure(raw) == TransportError(code: .badServerResponse, mayHaveActed: true))
  }

  @Test(
    "A status line that is none is a bad response, whatever the limit",
    arguments: [
      "HTTP/x 201 OK", "HTTP/ÿ 204 X", "http/1.1 200 OK", "Http/1.1 200 OK", "HTTP/ 200 OK",
      "HTTP/1 1 200 OK",
      "HTTP/1. 200 OK", "HTTP/1.x 200 OK", "HTTP/11 200 OK", "HTTP/1.1.1 200 OK", "HTTP/1.10 200 OK",
      "HTTP/-1.1 200 OK", "HTTP/1.1  200 OK", "HTTP/1.1\t200 OK", "HTTP/1.1 200\tOK", "HTTP/1.1 200OK",
      "HTTP/1.1 20 OK", "HTTP/1.1 2000 OK", "HTTP/1.1 099 OK", "HTTP/1.1 000 OK", "HTTP/1.1 +20 OK",
      "HTTP/1.1 2O0 OK", "HTTP/1.1 200\rOK", "HTTP/1.1 OK", "HTTP/1.1 ", "HTTP/1.1", "HTTP/2 99",
      "HTTP/x 103 E",
      "HTTP/x 7 E", "HTTP/x 205 E", "HTTP/x 304 E", "HTTP/1.1 103 E||HTTP/x 200 OK",
    ], [0, 1, 1_000])
  func statusLine(_ line: String, _ limit: Int) async throws {
    for raw in ["\(line)|Content-Length: 5||hello", "\(line)||hello"] {
      await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true), "\(raw)") {
        _ = try await response(raw, maxResponseBytes: limit)
      }
    }
  }

  @Test(
    "A line folded onto nothing is a bad response to whatever was asked before, and the process goes on",
    arguments: [HTTPMethod.get, .post])
  func foldedAfterAnother(_ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { request in
      .raw(lines: "HTTP/1.1 200 OK|\(request.path == "/folded" ? "\t" : "")X: y|Content-Length: 2||ok")
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    for _ in 0..<20 {
      #expect(try await transport.send(.to(server, "/", method)).text == "ok")
      await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
        _ = try await transport.send(.to(server, "/folded", method))
      }
    }
  }

  @Test(
    "A connection on which a head made no sense is not used again",
    arguments: [HTTPMethod.get, .head, .post],
    ["X A: 1", "X: a\rb"])
  func senselessAndKept(_ method: HTTPMethod, _ line: String) async throws {
    let server = try await LocalServer.start { request in
      .raw(lines: "HTTP/1.1 204 No|\(request.path == "/bad" ? line : "X: y")||", keepAlive: true)
    }
    defer { server.stop() }
    let transport = try CurlTransport()
    for path in ["/", "/bad", "/", "/"] {
      let response = try? await transport.send(.to(server, path, method))
      #expect(response?.status == (path == "/bad" ? nil : 204))
    }
    #expect(server.requests.map(\.connection) == [1, 1, 2, 2])
  }

  @Test(
    "A body that ends early is a lost connection",
    arguments: [
      "Content-Length: 100||hello", "Content-Length: 1||", "Transfer-Encoding: chunked||5|hello|",
      "Transfer-Encoding: chunked||50|hello", "Transfer-Encoding: chunked||",
      "Transfer-Encoding: chunked||5|hello|0|", "Transfer-Encoding: chunked||5|hello|0|X-Check: 1|",
    ])
  func cutBody(_ rest: String) async throws {
    #expect(
      try await failure("HTTP/1.1 200 OK|" + rest)
        == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }

  @Test(
    "A header section is bounded, interim responses and trailers included",
    arguments: [
      ("HTTP/1.1 200 OK|X: %|Content-Length: 5||hello", 70_000),
      ("HTTP/1.1 200 OK|X: %|Content-Length: 5||hello", 200_000),
      ("HTTP/1.1 103 e|X: %||HTTP/1.1 103 e|X: %||HTTP/1.1 200 OK|Content-Length: 5||hello", 33_000),
      ("HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|X: %|X: %||", 33_000),
    ])
  func headLimit(_ raw: String, _ count: Int) async throws {
    let long = raw.replacing("%", with: String(repeating: "a", count: count))
    #expect(try await failure(long) == TransportError(code: .badServerResponse, mayHaveActed: true))
  }

  @Test(
    "A head that is larger than libcurl takes is a bad response, although more is allowed",
    arguments: [1, 40])
  func headBeyondLibcurl(_ lines: Int) async throws {
    let fields = Array(repeating: "X: " + String(repeating: "a", count: 400_000 / lines) + "|", count: lines)
    let server = try await LocalServer.start(
      raw: "HTTP/1.1 200 OK|\(fields.joined())Content-Length: 5||hello")
    defer { server.stop() }
    var configuration = CurlTransport.Configuration()
    configuration.maxHeaderBytes = 1 << 20
    let transport = try CurlTransport(configuration)
    await #expect(throws: TransportError(code: .badServerResponse, mayHaveActed: true)) {
      _ = try await transport.send(.to(server))
    }
  }

  @Test("A field of as many bytes as are allowed is delivered")
  func headWithinLimit() async throws {
    let value = String(repeating: "a", count: 60_000)
    let response = try await response("HTTP/1.1 200 OK|X: \(value)|Content-Length: 5||hello")
    #expect(response.headers["X"] == value)
  }

  @Test("Fields come as they were sent: in order, apart, in their own case, folded ones unfolded")
  func fields() async throws {
    let response = try await response(
      "HTTP/1.1 200 OK|X-a:1|Set-Cookie: a=1, b|x-A:  two |Set-Cookie: c|X-Empty:|X-Folded: a|  b|X-Often: |\ta| | b \t|Content-Length: 0||"
    )
    #expect(
      response.headers.map { "\($0.name)=\($0.value)" } == [
        "X-a=1", "Set-Cookie=a=1, b", "x-A=two", "Set-Cookie=c", "X-Empty=", "X-Folded=a b",
        "X-Often=a  b", "Content-Length=0",
      ])
  }

  @Test("A value that is not UTF-8 is read as ISO-8859-1")
  func latin() async throws {
    let head = Array("HTTP/1.1 200 OK\r\nX-A: Gr".utf8)
    let server = try await LocalServer.start { _ in
      .raw(head + [0xFC, 0xDF] + Array("e\r\nX-B: Grüße\r\nContent-Length: 0\r\n\r\n".utf8))
    }
    defer { server.stop() }
    let response = try await CurlTransport().send(.to(server))
    #expect(response.headers["X-A"] == "Grüße")
    #expect(response.headers["X-B"] == "Grüße")
  }

  @Test(
    "Responses without a body end with their head, however long a body they speak of",
    arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 304), (.get, 205), (.head, 404)])
  func bodiless(_ method: HTTPMethod, _ status: Int) async throws {
    let server = try await LocalServer.start { _ in
      .raw("HTTP/1.1 \(status) x\r\nContent-Length: 50000000\r\n\r\n", keepAlive: true)
    }
    defer { server.stop() }
    let response = try await CurlTransport().send(.to(server, "/", method), maxResponseBytes: 0)
    #expect(response.status == status)
    #expect(response.body == [] && !response.isTruncated)
  }
}
#endif
