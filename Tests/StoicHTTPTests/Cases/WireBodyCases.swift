import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Cases of bodies over real sockets", .timeLimit(.minutes(30)))
struct WireBodyCases {
  /// Answers whose body ends before it should; a bar for each line end.
  static let short = [
    "HTTP/1.1 200 OK|Content-Length: 100||hello", "HTTP/1.1 200 OK|Content-Length: 6||hello",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5|hello|0|",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||64|hello", "HTTP/1.1 200 OK|Content-Length: 5||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Content-Length: 5||a|hello",
  ]

  @Test(
    "BF-01: A body shorter than announced costs an attempt where that does no harm, and is never a success",
    arguments: WireTransport.all, short)
  func tooShort(_ wire: WireTransport, answer: String) async throws {
    let server = try await LocalServer.start { request in
      let isFirst = request.header("X-Attempt") != nil
      return isFirst ? .raw(lines: answer) : .text("whole")
    }
    defer { server.stop() }
    let always = HTTPRequest.post("/unkeyed").header("X-Attempt", "first")
    let error = await WireClient(server, on: wire).start(always).httpError
    #expect(error?.code == .networkConnectionLost && error?.attempts == 1 && error?.call.mayHaveActed == true)
    #expect(server.requests.count == 1)

    for (method, key) in [(HTTPMethod.get, nil), (.put, nil), (.post, "k")] {
      let left = Lock([LocalServer.Response.raw(lines: answer), .text("whole")])
      let server = try await LocalServer.start { _ in left.withLock { $0.removeFirst() } }
      defer { server.stop() }
      let client = WireClient(server, on: wire)
      let call = client.start(HTTPRequest(method: method, path: "/x"), key: key)
      await client.pass(retry: 1, .milliseconds(200))
      #expect(try await call.value.text == "whole")
      #expect(server.requests.count == 2)
    }
  }

  @Test(
    "RL-03: The limit counts what a packed body unpacks to; the call is not repeated, an error's status stands",
    arguments: WireTransport.all)
  func packed(_ wire: WireTransport) async throws {
    // 13 KB on the wire, 12.9 MB unpacked.
    let server = try await LocalServer.start { request in
      LocalServer.Response(
        status: request.path == "/error" ? 404 : 200, headers: ["Content-Encoding": "gzip"],
        body: [.packed(repeating: 0, count: 258 * 50_000, as: .gzip)])
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let error = await client.start(.get("/bomb")).httpError
    guard case .responseTooLarge(limit: 10_000_000, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(await client.start(.get("/error")).httpError?.status == 404)
    #expect(server.requests.count == 2)
  }

  @Test(
    "TO-02: A body that drips for ever is timed out in each attempt, at its own time",
    arguments: WireTransport.each([(HTTPMethod.get, 2), (.post, 1)]))
  func drip(_ wire: WireTransport, method: HTTPMethod, attempts: Int) async throws {
    let gates = Lock<[[LocalServer.Gate]]>([])
    let server = try await LocalServer.start { _ in
      let drops = (0..<4).map { _ in LocalServer.Gate() }
      gates.withLock { $0.append(drops) }
      return LocalServer.Response(
        status: 200, body: drops.flatMap { [.text("a"), .gate($0)] }, chunked: true)
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.retry.maxAttempts = 2 }
    let call = client.start(HTTPRequest(method: method, path: "/"))
    for attempt in 0..<attempts {
      if attempt > 0 { await client.pass(retry: attempt, .milliseconds(200)) }
      for drop in 0..<3 {
        await server.waitForBytesSent(attempt * 4 + drop + 1)
        client.clock.advance(by: .seconds(3))
        gates.withLock { $0[attempt][drop] }.open()
      }
      await server.waitForBytesSent(attempt * 4 + 4)
      client.clock.advance(by: .seconds(1))
      #expect(await server.waitForDisconnects(attempt + 1))
    }
    let error = await call.httpError
    #expect(
      error?.timedOutAttempt == attempts
        && error?.call.elapsed == .seconds(10) * attempts + .milliseconds(200) * (attempts - 1))
    #expect(server.requests.count == attempts)
  }

  /// Heads and framings that no well-meaning server sends; the body is `hello` where it can be found.
  static let hostile = [
    "HTTP/1.1 101 Switching Protocols|Upgrade: h2c|Connection: Upgrade||hello",
    "HTTP/1.1 200 OK|no colon|Content-Length: 5||hello",
    "HTTP/1.1 200 OK| folded: x|Content-Length: 5||hello",
    "HTTP/1.1 200 OK|X-A: a| b|Content-Length: 5||hello",
    "HTTP/1.1 200 OK|Content-Length : 5||hello",
    "HTTP/1.1 200 OK|Content-Length: 5|Transfer-Encoding: chunked||5|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||ffffffffffffffff|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||-5|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||0x5|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||5;a=b|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked||10000000000000005|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: xchunked||5|hello|0||",
    "HTTP/1.1 200 OK|Transfer-Encoding: chunked|Transfer-Encoding: chunked||5|hello|0||",
    "HTTP/1.1|Content-Length: 5||hello",
    "HTTP/1.1 200|Content-Length: 5||hello", "HTTP/1.1 2OO OK|Content-Length: 5||hello",
    "HTTP/2 200|Content-Length: 5||hello",
    "HTTP/3.7 200 OK|Content-Length: 5||hello", "ICY 200 OK||hello",
    "HTTP/1.1 -200 OK|Content-Length: 5||hello",
    "|HTTP/1.1 200 OK|Content-Length: 5||hello", "HTTP/1.1 200 OK|X-A: \u{0}b|Content-Length: 5||hello",
    "||||", "\u{0}", "H",
    "HTTP/1.1 100 Continue||", "HTTP/1.1 100 Continue||HTTP/1.1 200 OK|Content-Length: 5||hello",
  ]

  @Test(
    "A hostile head or framing is a failure or the very body, never a wrong one, and never for ever",
    arguments: WireTransport.all, hostile)
  func hostileHead(_ wire: WireTransport, answer: String) async throws {
    let server = try await LocalServer.start { _ in .raw(lines: answer) }
    defer { server.stop() }
    let call = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }.start(.get("/"))
    let error = await call.httpError
    if error == nil { #expect(try await call.value.text == "hello") }
    #expect(server.requests.count == 1)
  }

  @Test("A head without end is a failure, not a full memory", arguments: WireTransport.all, [1, 1_000])
  func endlessHead(_ wire: WireTransport, lines: Int) async throws {
    let server = try await LocalServer.start { _ in
      .raw(
        [.text("HTTP/1.1 200 OK\r\n")]
          + (0..<lines).flatMap { index in
            [.text("X-\(index): "), .repeated(0x61, count: 4_000_000 / lines), .text("\r\n")]
          } + [.text("Content-Length: 5\r\n\r\nhello"), .close])
    }
    defer { server.stop() }
    let call = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }.start(.get("/"))
    let error = await call.httpError
    #expect(error?.code == .badServerResponse && error?.attempts == 1)
  }

  @Test("Interim responses without end are a failure, not an endless wait", arguments: WireTransport.all)
  func endlessInterim(_ wire: WireTransport) async throws {
    let interim = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 1_000)
    let server = try await LocalServer.start { _ in
      .raw(Array(repeating: .text(interim), count: 100) + [.hang])
    }
    defer { server.stop() }
    let call = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }.start(.get("/"))
    let error = await call.httpError
    #expect(error?.code == .badServerResponse && error?.attempts == 1)
    #expect(await server.waitForDisconnects(1))
  }
}
