import Stoic
import StoicTesting
import Testing

@Suite("Handlers of a cancelled body")
struct CancellationHandlerTests {
  /// What a handler found in force.
  private struct Found: Equatable {
    var elapsed: Duration
    var remaining: Duration?
    var number: UInt64
    var hasSink: Bool
  }

  private final class Finding: Sendable {
    private let state = Lock<Found?>(nil)

    var found: Found? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  /// Waits with a handler, and notes what that finds.
  private static func wait(_ finding: Finding, since start: AmbientClock.Instant) async throws {
    try await withTaskCancellationHandler {
      try await Ambient.sleep(for: .seconds(60))
    } onCancel: {
      let now = Ambient.clock.now
      let remaining = Ambient.deadline.map { now.duration(to: $0) }
      finding.found = Found(
        elapsed: start.duration(to: now), remaining: remaining, number: Ambient.random.next(),
        hasSink: Ambient.events is EventRecorder)
    }
  }

  @Test(
    "They find what is in force in the body, whether time or the caller cancels it", arguments: [false, true])
  func inForce(byCaller: Bool) async throws {
    let clock = TestClock()
    let finding = Finding()
    let call = Task {
      try await withClock(clock) {
        try await withEvents(EventRecorder()) {
          try await withRandom(.seeded(7)) {
            let start = Ambient.clock.now
            try await withTimeout(.seconds(5)) { try await Self.wait(finding, since: start) }
          }
        }
      }
    }
    await clock.waitForSleepers(2)
    if byCaller { call.cancel() } else { clock.advance(by: .seconds(5)) }
    await #expect(throws: (any Error).self) { try await call.value }
    let elapsed: Duration = byCaller ? .zero : .seconds(5)
    let number = RandomSource.seeded(7).next()
    #expect(
      finding.found
        == Found(elapsed: elapsed, remaining: .seconds(5) - elapsed, number: number, hasSink: true))
  }
}
