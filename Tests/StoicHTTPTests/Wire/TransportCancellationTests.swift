import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Cancelling an exchange", .timeLimit(.minutes(30)))
struct TransportCancellationTests {
  @Test("A cancelled task sends nothing", arguments: WireTransport.all)
  func before(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let gate = LocalServer.Gate()
    let call = WireCall {
      await gate.wait()
      return try await wire().send(.to(server))
    }
    call.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(server.connectionsAccepted == 0)
  }

  @Test(
    "Cancelling ends the exchange and the connection, at once and also when done twice",
    arguments: WireTransport.each([HTTPMethod.get, .post], [1, 2]))
  func during(_ wire: WireTransport, _ method: HTTPMethod, times: Int) async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let clock = TestClock()
    let call = WireCall {
      try await withClock(clock) {
        try await wire().send(.to(server, "/", method, timeout: .seconds(10)))
      }
    }
    await server.waitForRequests(1)
    for _ in 0..<times { call.cancel() }
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
    #expect(clock.sleepers == [])
  }

  @Test(
    "Cancelling in the middle of a body ends the exchange and the connection", arguments: WireTransport.all)
  func inBody(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.repeated(0x61, count: 100_000), .hang], chunked: true)
    }
    defer { server.stop() }
    let call = WireCall { try await wire().send(.to(server)) }
    await server.waitForBytesSent(100_000)
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
  }

  @Test("A cancelled call of the client ends with CancellationError", arguments: WireTransport.all)
  func client(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let call = WireClient(server, on: wire).start(.get("/"))
    await server.waitForRequests(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
    #expect(server.requests.count == 1)
  }

  @Test("One caller's cancellation leaves the others alone", arguments: WireTransport.all)
  func neighbours(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await gate.wait()
      return .text("well")
    }
    defer { server.stop() }
    let transport = wire()
    let calls = (0..<8).map { _ in WireCall { try await transport.send(.to(server)) } }
    await server.waitForRequests(8)
    for call in calls.prefix(4) { call.cancel() }
    for call in calls.prefix(4) {
      await #expect(throws: CancellationError.self) { _ = try await call.value }
    }
    gate.open()
    for call in calls.dropFirst(4) { #expect(try await call.value.text == "well") }
  }
}
