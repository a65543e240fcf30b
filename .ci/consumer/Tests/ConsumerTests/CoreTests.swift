import Promised
import Stoic
import StoicTesting
import Testing

@Suite("A user's policies")
struct CoreTests {
  private struct Flaky: Error, Retryable {
    var retryAdvice: RetryAdvice { .retry }
  }

  @Test("A body may change what its caller owns")
  func notEscaping() async throws {
    var count = 0
    let schedule = RetrySchedule(maxAttempts: 3, base: .zero, cap: .zero, jitter: .none)
    let value = try await retry(schedule) { attempt in
      count += 1
      guard attempt.number == 3 else { throw Flaky() }
      return count
    }
    #expect(value == 3)
  }

  @Test("A deadline passes in virtual time, and is called by its name")
  func deadline() async throws {
    let clock = TestClock()
    let call = Task {
      try await withClock(clock) {
        try await withDeadline(.seconds(5)) { try await Ambient.sleep(for: .seconds(60)) }
      }
    }
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(5))
    let rejection = await #expect(throws: Rejection.self) { try await call.value }
    #expect(rejection.map(names) == "deadline_exceeded")
  }

  @Test("The promised scopes nest")
  func scopes() async throws {
    #expect(try await bounds(clock: TestClock(), sink: EventRecorder()) == 42)
  }
}
