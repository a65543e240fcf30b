import Foundation
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Who shares a connection", .timeLimit(.minutes(30)))
struct ConnectionTests {
  @Test(
    "Requests that may be repeated share a connection", arguments: WireTransport.all,
    [HTTPMethod.get, .head, .options])
  func shared(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<3 { _ = try await transport.send(.to(server, "/", method)) }
    #expect(server.requests.map(\.connection) == [1, 1, 1])
  }

  @Test(
    "A request that must not be repeated has a connection of its own, which ends with it",
    arguments: WireTransport.all,
    [
      HTTPMethod.get, .post, .put, .patch, .delete, .query,
    ])
  func alone(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<3 {
      let body: [UInt8] = method == .get ? [] : [1]
      _ = try await transport.send(.to(server, "/", method, body: body, mayRepeat: false))
    }
    guard wire.has(.needsOwnConnections) else {
      #expect(server.requests.map(\.connection) == [1, 1, 1])
      return
    }
    #expect(server.requests.map(\.connection) == [1, 2, 3])
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test(
    "A body keeps a request off shared connections, although it may be repeated",
    arguments: WireTransport.all,
    [
      HTTPMethod.options, .post, .put,
    ])
  func body(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<2 { _ = try await transport.send(.to(server, "/", method, body: [1], mayRepeat: true)) }
    #expect(server.requests.map(\.connection) == (wire.has(.needsOwnConnections) ? [1, 2] : [1, 1]))
  }

  @Test("Connections to one host stay within their number, and the others wait", arguments: WireTransport.all)
  func bounded(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let transport = wire(maxConnectionsPerHost: 1)
    try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
      for _ in 0..<8 { group.addTask { try await transport.send(.to(server)) } }
      for try await response in group { #expect(response.status == 200) }
    }
    #expect(server.requests.count == 8)
    #expect(server.connectionsAccepted == 1)
  }

  @Test("A transport that is let go closes its connections", arguments: WireTransport.all)
  func letGo(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    _ = try await wire().send(.to(server))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("A client needs no transport named")
  func defaultTransport() async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let api = HTTPClient(base: server.baseURL, policy: .standard, headers: ["X-A": "b"], label: "api")
    let texts = try await withClock(TestClock()) {
      [
        try await api.send(.get("/a")).text,
        try await HTTPClient(base: server.baseURL).send(.get("/b")).text,
      ]
    }
    #expect(texts == ["well", "well"])
    #expect(server.requests.map(\.path) == ["/a", "/b"])
    #expect(server.requests.map { $0.header("X-A") } == ["b", nil])
  }
}
