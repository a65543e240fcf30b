import Stoic
import StoicTesting
import Testing

@Suite("Retry")
struct RetryTests {
  struct Fault: Error, Equatable {
    var number = 0
  }

  struct Advised: Retryable {
    let retryAdvice: RetryAdvice
  }

  let clock = TestClock()
  let events = EventRecorder()
  let pinned = RetrySchedule(maxAttempts: 4, jitter: .none)

  /// Runs a call that has at most one timer at a time, moving the clock to it whenever there is one.
  private func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws
    -> Value
  {
    let call = Task { [clock, events] in
      try await withClock(clock) { try await withEvents(events) { try await body() } }
    }
    let driver = Task { [clock] in
      while !Task.isCancelled {
        await clock.waitForSleepers(1)
        if let next = clock.sleepers.first { clock.advance(to: next) }
      }
    }
    defer { driver.cancel() }
    return try await call.value
  }

  @Test("A body that succeeds at last gives its value after the schedule's waits")
  func success() async throws {
    let number = try await run {
      try await retry(pinned) { attempt in
        if attempt.number < 3 { throw Fault() }
        return attempt.number
      }
    }
    #expect(number == 3)
    #expect(clock.now.offset == .milliseconds(600))
    #expect(events.events.map(\.name) == ["retry.scheduled", "retry.scheduled"])
    #expect(events.events.map { $0["delay"] } == ["0.2s", "0.4s"])
  }

  @Test("When all attempts are made the last error is rethrown, and nothing sleeps after it")
  func exhaustion() async throws {
    await #expect(throws: Fault(number: 4)) {
      try await run { try await retry(pinned) { throw Fault(number: $0.number) } }
    }
    #expect(clock.now.offset == .milliseconds(1_400))
    #expect(events.events.last?.name == "retry.exhausted")
  }

  @Test(
    "An error's advice is followed: final stops, a wait is waited for, never less than the schedule's",
    arguments: [
      (RetryAdvice.final, 1, Duration.zero), (.retry, 2, .milliseconds(200)),
      (.retryAfter(.seconds(30)), 2, .seconds(30)), (.retryAfter(.zero), 2, .milliseconds(200)),
      (.retryAfter(.seconds(-9)), 2, .milliseconds(200)),
    ])
  func advice(advice: RetryAdvice, attempts: Int, elapsed: Duration) async throws {
    let counter = Calls()
    await #expect(throws: Advised.self) {
      try await run {
        try await retry(RetrySchedule(maxAttempts: 2, jitter: .none)) { _ in
          counter.add()
          throw Advised(retryAdvice: advice)
        }
      }
    }
    #expect(counter.count == attempts)
    #expect(clock.now.offset == elapsed)
  }

  @Test("With jitter the schedule's draw comes on top of a wait that was asked for")
  func jitterOnTop() async throws {
    await #expect(throws: Advised.self) {
      try await run {
        try await withRandom(.init { 1 << 63 }) {
          try await retry(RetrySchedule(maxAttempts: 2)) { _ in
            throw Advised(retryAdvice: .retryAfter(.seconds(30)))
          }
        }
      }
    }
    #expect(clock.now.offset == .milliseconds(30_100))
  }

  @Test("Cancellation is never retried")
  func bodyCancelled() async throws {
    let counter = Calls()
    await #expect(throws: CancellationError.self) {
      try await retry(pinned) { _ in
        counter.add()
        throw CancellationError()
      }
    }
    #expect(counter.count == 1)
  }

  @Test("A cancelled task is not retried, and its body's own error stays", arguments: [false, true])
  func cancelledMeanwhile(hasBudget: Bool) async {
    let (counter, budget) = (Calls(), hasBudget ? RetryBudget(minimumRetries: 1) : nil)
    let call = Task { [self] in
      try await run {
        try await retry(RetrySchedule(maxAttempts: 3), budget: budget) { _ in
          counter.add()
          withUnsafeCurrentTask { $0?.cancel() }
          throw Fault()
        }
      }
    }
    await #expect(throws: Fault()) { try await call.value }
    #expect(counter.count == 1 && (budget?.available ?? 1) == 1)
  }

  @Test("A cancel during a wait ends the call at once and leaves no timer")
  func cancelledWhileWaiting() async throws {
    let counter = Calls()
    let call = Task { [clock, pinned] in
      try await withClock(clock) {
        try await retry(pinned) { _ in
          counter.add()
          throw Fault()
        }
      }
    }
    await clock.waitForSleepers(1)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(counter.count == 1)
    #expect(clock.sleepers.isEmpty)
    #expect(clock.now.offset == .zero)
  }

  @Test(
    "A wait that would end at the deadline or after it is not started",
    arguments: [
      (Duration.milliseconds(100), 1), (.milliseconds(200), 1), (.milliseconds(201), 2),
      (.milliseconds(600), 2),
      (.milliseconds(601), 3),
    ])
  func deadline(deadline: Duration, attempts: Int) async throws {
    let counter = Calls()
    await #expect(throws: Fault.self) {
      try await withClock(clock) {
        try await withEvents(events) {
          try await withDeadline(deadline) {
            try await retry(RetrySchedule(maxAttempts: 9, jitter: .none)) { attempt in
              counter.add()
              // The clock moves by hand here, so that the deadline's own timer stays the only other one.
              if attempt.number < attempts { clock.advanceSoon(by: .milliseconds(100 << attempt.number)) }
              throw Fault()
            }
          }
        }
      }
    }
    #expect(counter.count == attempts)
    #expect(events.events.last?.name == "retry.deadline_skip")
    #expect(clock.sleepers.isEmpty)
  }

  @Test(
    "A retry inside another's attempt makes one attempt, unless it is independent",
    arguments: [
      (RetrySchedule.Nesting.singleAttempt, 4), (.independent, 16),
    ])
  func nesting(nesting: RetrySchedule.Nesting, attempts: Int) async throws {
    let counter = Calls()
    let inner = RetrySchedule(maxAttempts: 4, base: .zero, nesting: nesting)
    await #expect(throws: Fault.self) {
      try await retry(RetrySchedule(maxAttempts: 4, base: .zero)) { _ in
        try await inner.run { _ in
          counter.add()
          throw Fault()
        }
      }
    }
    #expect(counter.count == attempts)
  }

  @Test("Work without a deadline is no part of the attempt that it was started in")
  func background() async throws {
    let counter = Calls()
    await #expect(throws: Fault.self) {
      try await retry(RetrySchedule(maxAttempts: 1)) { _ in
        try await withoutDeadline {
          try await retry(RetrySchedule(maxAttempts: 3, base: .zero)) { _ in
            counter.add()
            throw Fault()
          }
        }
      }
    }
    #expect(counter.count == 3)
  }

  @Test("A schedule of as many attempts as fit an integer counts without overflow")
  func unlimited() async throws {
    let number = try await retry(RetrySchedule(maxAttempts: .max, base: .zero)) { attempt in
      if attempt.number < 2_000 { throw Fault() }
      return attempt.number
    }
    #expect(number == 2_000)
  }
}

/// Counts from any task.
final class Calls: Sendable {
  private let state = Lock(0)

  var count: Int { state.withLock { $0 } }

  func add() { state.withLock { $0 += 1 } }
}

extension TestClock {
  /// Advances once the retry's wait stands beside the deadline's timer.
  func advanceSoon(by duration: Duration) {
    Task {
      await waitForSleepers(2)
      advance(by: duration)
    }
  }
}
