import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("The transport's timeout", .timeLimit(.minutes(30)))
struct TransportTimeoutTests {
  private static let timedOut = TransportError(code: .timedOut, mayHaveActed: true)

  /// Starts an exchange with a timeout of ten virtual seconds.
  private func start(
    _ wire: WireTransport, _ server: LocalServer, on clock: TestClock, _ method: HTTPMethod = .get
  ) -> WireCall {
    WireCall {
      try await withClock(clock) {
        try await wire().send(.to(server, "/", method, timeout: .seconds(10)))
      }
    }
  }

  @Test(
    "Silence ends at the timeout, in virtual time, and closes the connection", arguments: WireTransport.all,
    [HTTPMethod.get, .post])
  func silence(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let clock = TestClock()
    let call = start(wire, server, on: clock, method)
    await server.waitForRequests(1)
    clock.advance(by: .milliseconds(9_999))
    #expect(clock.sleepers.count == 1)
    clock.advance(by: .milliseconds(1))
    await #expect(throws: Self.timedOut) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
    #expect(clock.sleepers == [])
  }

  @Test(
    "A body that drips ends at the timeout all the same: it is for the whole exchange",
    arguments: WireTransport.all)
  func drip(_ wire: WireTransport) async throws {
    let gates = (0..<4).map { _ in LocalServer.Gate() }
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: gates.flatMap { [.text("a"), .gate($0)] }, chunked: true)
    }
    defer { server.stop() }
    let clock = TestClock()
    let call = start(wire, server, on: clock)
    for (number, gate) in gates.dropLast().enumerated() {
      await server.waitForBytesSent(number + 1)
      clock.advance(by: .seconds(3))
      gate.open()
    }
    await server.waitForBytesSent(4)
    #expect(clock.sleepers.count == 1)
    clock.advance(by: .seconds(1))
    await #expect(throws: Self.timedOut) { _ = try await call.value }
    #expect(await server.waitForDisconnects(1))
  }

  @Test("An answer in time takes the timer back", arguments: WireTransport.all)
  func inTime(_ wire: WireTransport) async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await gate.wait()
      return .text("well")
    }
    defer { server.stop() }
    let clock = TestClock()
    let call = start(wire, server, on: clock)
    await server.waitForRequests(1)
    clock.advance(by: .milliseconds(9_999))
    gate.open()
    #expect(try await call.value.text == "well")
    #expect(clock.sleepers == [])
  }

  @Test("Without a timeout there is no timer", arguments: WireTransport.all)
  func none(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .text("well") }
    defer { server.stop() }
    let clock = TestClock()
    let response = try await withClock(clock) { try await wire().send(.to(server)) }
    #expect(response.text == "well")
    #expect(clock.sleepers == [])
  }

  @Test(
    "On the system's clock a timeout passes in real time, and not one longer than can be counted",
    arguments: WireTransport.all)
  func realTime(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { request in request.path == "/" ? .hang : .text("well") }
    defer { server.stop() }
    let transport = wire()
    // Whether the request was out by then is as it comes.
    let error = await #expect(throws: TransportError.self) {
      _ = try await transport.send(.to(server, timeout: .milliseconds(1)))
    }
    #expect(error?.code == .timedOut)
    #expect(try await transport.send(.to(server, "/a", timeout: .seconds(Int64.max))).text == "well")
  }

  @Test("It says that it keeps the timeout itself", arguments: WireTransport.all)
  func enforces(_ wire: WireTransport) {
    #expect(wire().enforcesTimeout)
  }
}
