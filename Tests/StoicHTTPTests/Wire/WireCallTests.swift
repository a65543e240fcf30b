import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Policies over real sockets", .timeLimit(.minutes(30)))
struct WireCallTests {
  @Test("Of thirty calls eight are at the server at once, and all succeed", arguments: WireTransport.all)
  func bulkhead(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let atOnce = Lock((now: 0, most: 0))
    let server = try await LocalServer.start { _ in
      atOnce.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
      await gate.wait()
      atOnce.withLock { $0.now -= 1 }
      return .text("well")
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let calls = (0..<30).map { client.start(.get("/\($0)")) }
    #expect(await server.waitForRequests(8))
    gate.open()
    for call in calls { #expect(try await call.value.text == "well") }
    #expect(atOnce.withLock { $0.most } == 8)
    #expect(server.requests.count == 30)
  }

  @Test(
    "After twenty failures a call is refused, and the server hears nothing of it",
    arguments: WireTransport.all)
  func breaker(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .status(503) }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.retry.maxAttempts = 1 }
    for number in 0..<20 { #expect(await client.start(.get("/\(number)")).httpError?.attempts == 1) }
    let error = await client.start(.get("/")).httpError
    guard case .rejected(let rejection, let call)? = error else { throw Unexpected(error) }
    #expect(rejection.reason == .breakerOpen)
    #expect(call.attempts == 0)
    #expect(server.requests.count == 20)
  }

  @Test(
    "Ten identical GETs are one request, and with other credentials another", arguments: WireTransport.all)
  func shared(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await gate.wait()
      return .text("well")
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let calls = (0..<10).map { _ in client.start(.get("/a")) }
    let other = client.start(.get("/a").header("Authorization", "Bearer b"))
    await client.events.wait(for: "http.coalesced", count: 9)
    #expect(await server.waitForRequests(2))
    gate.open()
    for call in calls + [other] { #expect(try await call.value.text == "well") }
    #expect(server.requests.map { $0.header("Authorization") ?? "" }.sorted() == ["", "Bearer b"])
  }

  @Test(
    "A deadline that passes in flight is a rejection, and closes the connection", arguments: WireTransport.all
  )
  func deadline(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = WireClient(server, on: wire) { $0.timeout = .seconds(5) }
    let call = client.start(.get("/"))
    await server.waitForRequests(1)
    client.clock.advance(by: .seconds(5))
    let error = await call.httpError
    guard case .rejected(let rejection, let record)? = error else { throw Unexpected(error) }
    #expect(rejection.reason == .deadlineExceeded)
    #expect(record.elapsed == .seconds(5))
    #expect(await server.waitForDisconnects(1))
    #expect(client.clock.sleepers == [])
  }
}
