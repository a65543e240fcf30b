import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Steps computed from the request", .timeLimit(.minutes(30)))
struct ScriptedComputedTests {
  @Test("A computed step sees the request, and its delays add to those of what it gives")
  func echo() throws {
    try simulate(seeds: 0..<50) {
      let transport = ScriptedTransport([
        .computed { request in
          try await Ambient.sleep(for: .seconds(1))
          return .bytes(request.body, status: 201).after(.seconds(2))
        }.after(.seconds(4))
      ])
      let start = Ambient.clock.now
      let answer = try await transport.send(.scripted("/x", .post, body: [7]))
      #expect(answer.body == [7] && answer.status == 201)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(7))
      #expect(transport.counts(1, aborted: 0))
    }
  }

  @Test("It is asked once per request, and may ask the transport itself")
  func reentrant() async throws {
    let transport = ScriptedTransport()
    transport.on(
      .get("/count"),
      respond: [
        .computed { _ in
          transport.on(.get("/added"), respond: [.status(299)])
          return .json("\(transport.requests.count)")
        }
      ])
    #expect(try await transport.send(.scripted("/count")).text == "1")
    #expect(try await transport.send(.scripted("/added")).status == 299)
    #expect(try await transport.send(.scripted("/count")).text == "3")
  }

  @Test("What it throws is thrown by the transport")
  func throwing() async throws {
    struct Own: Error {}
    let transport = ScriptedTransport([.computed { _ in throw Own() }])
    await #expect(throws: Own.self) { try await transport.send(.scripted()) }
    await #expect(throws: Own.self) {
      try await withClock(TestClock()) { try await transport.send(.scripted(timeout: .seconds(1))) }
    }
    #expect(transport.counts(2, aborted: 0))
    let rejecting = ScriptedTransport([.computed { _ in throw Rejection(.deadlineExceeded) }])
    await #expect(throws: Rejection(.deadlineExceeded)) {
      try await withClock(TestClock()) { try await rejecting.send(.scripted(timeout: .seconds(60))) }
    }
  }

  @Test("The timeout and a cancellation end it, and its task with it")
  func bounded() throws {
    try simulate(seeds: 0..<200) {
      let transport = ScriptedTransport([
        .computed { _ in
          try await Ambient.sleep(for: .seconds(99)) as Void; return .hang
        }
      ])
      let start = Ambient.clock.now
      await #expect(throws: TransportError(code: .timedOut, mayHaveActed: true)) {
        try await transport.send(.scripted(timeout: .seconds(10)))
      }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(10))
      let call = Ambient.task { try await transport.send(.scripted(timeout: .seconds(10))) }
      try await Ambient.sleep(for: .seconds(5))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(15))
      #expect(transport.counts(2, aborted: 2))
    }
  }

  @Test("Steps may be computed sixteen deep, and one that gives itself fails")
  func depth() async throws {
    @Sendable func nested(_ depth: Int) -> ScriptedTransport.Step {
      depth == 0 ? .status(200) : .computed { _ in nested(depth - 1) }
    }
    #expect(try await ScriptedTransport([nested(16)]).send(.scripted()).status == 200)
    await #expect(throws: TransportError(.unknown)) {
      try await ScriptedTransport([nested(17)]).send(.scripted())
    }
  }
}
