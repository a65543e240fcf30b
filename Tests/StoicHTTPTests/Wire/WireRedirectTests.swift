import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Redirects over real sockets", .timeLimit(.minutes(30)))
struct WireRedirectTests {
  private static let defaults: HTTPHeaders = [
    "Authorization": "Bearer secret", "X-API-Key": "secret", "X-Tenant": "secret",
  ]

  /// Two origins on one host: a server, and one on another port that redirects to it.
  private func servers(_ status: Int) async throws -> (first: LocalServer, second: LocalServer) {
    let second = try await LocalServer.start { _ in .text("there") }
    let place = second.baseURL.appending(path: "/there").absoluteString
    let first = try await LocalServer.start { _ in .status(status, headers: ["Location": place]) }
    return (first, second)
  }

  @Test(
    "To another port only harmless fields travel", arguments: WireTransport.all, [301, 302, 303, 307, 308])
  func fields(_ wire: WireTransport, _ status: Int) async throws {
    let (first, second) = try await servers(status)
    defer {
      first.stop()
      second.stop()
    }
    let request = HTTPRequest.get("/here").header("Accept", "text/plain").header("Cookie", "a=secret")
    let response = try await WireClient(first, headers: Self.defaults, on: wire).send(request)

    #expect(response.text == "there")
    #expect(response.url.port == second.port)
    #expect(first.requests.map { $0.header("Authorization") } == ["Bearer secret"])
    let arrival = try #require(second.requests.first)
    #expect(arrival.header("Accept") == "text/plain")
    #expect(!arrival.head.contains("secret"))
    #expect(["Authorization", "X-API-Key", "X-Tenant", "Cookie"].allSatisfy { arrival.header($0) == nil })
  }

  @Test("Within the origin the fields stay", arguments: WireTransport.all)
  func sameOrigin(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/here" ? .status(302, headers: ["Location": "there"]) : .text("there")
    }
    defer { server.stop() }
    _ = try await WireClient(server, headers: Self.defaults, on: wire).send(.get("/here"))
    #expect(server.requests.map(\.path) == ["/here", "/there"])
    #expect(server.requests.map { $0.header("X-API-Key") } == ["secret", "secret"])
  }

  @Test(
    "A POST that is redirected by 301 or 302 is not turned into a GET", arguments: WireTransport.all,
    [301, 302])
  func postRefused(_ wire: WireTransport, _ status: Int) async throws {
    let (first, second) = try await servers(status)
    defer {
      first.stop()
      second.stop()
    }
    let order = HTTPRequest.post("/orders", body: Array("one order".utf8), contentType: "text/plain")
    let error = await WireClient(first, on: wire).start(order).httpError
    guard case .status(status, _, _, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(first.requests.count == 1)
    #expect(second.connectionsAccepted == 0)
  }

  @Test(
    "A POST that is redirected by 307 or 308 arrives there with its body, and once",
    arguments: WireTransport.all, [307, 308])
  func postKept(_ wire: WireTransport, _ status: Int) async throws {
    let (first, second) = try await servers(status)
    defer {
      first.stop()
      second.stop()
    }
    let order = HTTPRequest.post("/orders", body: Array("one order".utf8), contentType: "text/plain")
    let response = try await WireClient(first, headers: Self.defaults, on: wire).send(order, key: "k-1")
    #expect(response.text == "there")
    let arrival = try #require(second.requests.first)
    #expect(second.requests.count == 1)
    #expect(arrival.method == "POST")
    #expect(arrival.text == "one order")
    #expect(arrival.header("Content-Type") == "text/plain")
    #expect(arrival.header("Idempotency-Key") == "k-1")
    #expect(!arrival.head.contains("secret"))
  }

  @Test("The attempt's timeout covers the exchanges of its redirects together", arguments: WireTransport.all)
  func timeout(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { request in
      guard request.path == "/here" else { return .hang }
      await gate.wait()
      return .status(302, headers: ["Location": "/there"])
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }
    let call = client.start(.get("/here"))
    await server.waitForRequests(1)
    client.clock.advance(by: .seconds(9))
    gate.open()
    await server.waitForRequests(2)
    client.clock.advance(by: .seconds(1))
    let error = await call.httpError
    guard case .timedOut(attempt: 1, let record)? = error else { throw Unexpected(error) }
    #expect(record.elapsed == .seconds(10))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }
}
