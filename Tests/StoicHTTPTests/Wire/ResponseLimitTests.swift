import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("Response bodies are bounded", .timeLimit(.minutes(30)))
struct ResponseLimitTests {
  /// How a server frames a body.
  enum Framing: CaseIterable {
    case declared, chunked, toTheEnd

    func response(_ status: Int = 200, count: Int) -> LocalServer.Response {
      var response = LocalServer.Response(status: status, body: [.repeated(0x61, count: count)])
      response.chunked = self == .chunked
      response.closeDelimited = self == .toTheEnd
      return response
    }

    /// A body of 16 MB of which the server sends two and then no more, for as long as the client stays.
    ///
    /// Not an endless one: the platform's one work queue, on which a task is cancelled as well, reads a peer that sends
    /// at full speed for seconds on end.
    func unfinished(_ status: Int = 200) -> LocalServer.Response {
      var response = response(status, count: 2 << 20)
      response.body.append(.hang)
      if self == .declared { response.headers.append(("Content-Length", "\(16 << 20)")) }
      return response
    }
  }

  @Test(
    "A body as long as the limit is whole, one byte more is cut there", arguments: WireTransport.all,
    Framing.allCases)
  func edge(_ wire: WireTransport, _ framing: Framing) async throws {
    let server = try await LocalServer.start { _ in framing.response(count: 70_000) }
    defer { server.stop() }
    let transport = wire()
    let whole = try await transport.send(.to(server), maxResponseBytes: 70_000)
    #expect(whole.body.count == 70_000)
    #expect(!whole.isTruncated)
    let cut = try await transport.send(.to(server), maxResponseBytes: 69_999)
    #expect(cut.isTruncated)
    #expect(cut.body.count == (framing == .declared ? 0 : 69_999))
    #expect(cut.status == 200)
  }

  @Test("With a limit of nothing only an empty body is whole", arguments: WireTransport.all)
  func nothing(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { request in .text(request.path == "/empty" ? "" : "a") }
    defer { server.stop() }
    let transport = wire()
    #expect(try await !transport.send(.to(server, "/empty"), maxResponseBytes: 0).isTruncated)
    #expect(try await transport.send(.to(server, "/full"), maxResponseBytes: 0).isTruncated)
  }

  @Test(
    "A body over the limit ends the call and the connection, and is asked for once",
    arguments: WireTransport.all, Framing.allCases)
  func overLimit(_ wire: WireTransport, _ framing: Framing) async throws {
    let server = try await LocalServer.start { _ in framing.unfinished() }
    defer { server.stop() }
    let error = await WireClient(server, on: wire) { $0.maxResponseBytes = 1_000_000 }.start(.get("/"))
      .httpError
    guard case .responseTooLarge(limit: 1_000_000, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(await server.waitForDisconnects(1))
    #expect(server.requests.count == 1)
  }

  @Test(
    "A failure's body over the limit leaves the failure what it is, and it is retried",
    arguments: WireTransport.all)
  func failureOverLimit(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [
      Framing.chunked.unfinished(503), .text("well"),
    ])
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.maxResponseBytes = 1_000_000 }
    let call = client.start(.get("/"))
    await client.pass(retry: 1, .milliseconds(200))
    #expect(try await call.value.text == "well")
  }

  @Test("The limit counts unpacked bytes", arguments: WireTransport.all)
  func bomb(_ wire: WireTransport) async throws {
    // Some 3 KB on the wire, 2.6 MB unpacked.
    let server = try await LocalServer.start { _ in
      LocalServer.Response(
        status: 200, headers: ["Content-Encoding": "gzip"],
        body: [.packed(repeating: 0, count: 258 * 10_000, as: .gzip)])
    }
    defer { server.stop() }
    let response = try await wire().send(.to(server), maxResponseBytes: 1_000_000)
    #expect(response.isTruncated)
    #expect(response.body == Array(repeating: 0, count: 1_000_000))
  }

  @Test(
    "An announced length counts only where it is the body's own", arguments: WireTransport.all,
    [
      ["Content-Encoding": "gzip"], ["Transfer-Encoding": "chunked"],
    ] as [HTTPHeaders])
  func packedLength(_ wire: WireTransport, _ headers: HTTPHeaders) async throws {
    let body = LocalServer.Coding.gzip.pack("hello")
    let isChunked = headers.contains("Transfer-Encoding")
    let server = try await LocalServer.start { _ in
      var response = LocalServer.Response(status: 200, body: [isChunked ? .text("hello") : .bytes(body)])
      response.headers = headers.map { ($0.name, $0.value) }
      response.chunked = isChunked
      if isChunked { response.headers.append(("Content-Length", "50000000")) }
      return response
    }
    defer { server.stop() }
    let response = try await wire().send(.to(server), maxResponseBytes: 10)
    #expect(response.text == "hello")
  }
}
