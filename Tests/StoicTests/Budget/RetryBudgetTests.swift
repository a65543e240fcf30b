import Stoic
import StoicTesting
import Testing

@Suite("Retry budget")
struct RetryBudgetTests {
  private let twice = RetrySchedule(maxAttempts: 2, jitter: .none)

  @Test("BG-01: An empty budget stops retries at once and never a first attempt")
  func empty() async throws {
    let clock = TestClock()
    let events = EventRecorder()
    let calls = Calls()
    let budget = RetryBudget(ratio: 0, minimumRetries: 0)
    try await withClock(clock) {
      try await withEvents(events) {
        await #expect(throws: Fault(number: 1)) {
          try await retry(twice, budget: budget) { attempt in
            calls.add()
            throw Fault(number: attempt.number)
          }
        }
        try await retry(twice, budget: budget) { _ in calls.add() }
      }
    }
    #expect(calls.count == 2)
    #expect(clock.now.offset == .zero)
    #expect(events.events.map(\.name) == ["retry.budget_exhausted"])
  }

  @Test(
    "BG-02: A drained budget refills through successes, at the ratio, rounded down",
    arguments: [
      (0.2, 4, 0), (0.2, 5, 1), (0.5, 3, 1), (1, 3, 3), (0.1, 9, 0), (0.1, 10, 1), (1_000, 1, 1_000),
    ])
  func refill(ratio: Double, successes: Int, retries: Int) async throws {
    let budget = RetryBudget(ratio: ratio, minimumRetries: 0)
    try await withClock(TestClock()) {
      for _ in 0..<successes { try await retry(twice, budget: budget) { _ in } }
      #expect(budget.available == retries)
    }
  }

  @Test("The floor holds whatever happens, and comes back as the window passes")
  func floor() throws {
    try simulate(seeds: 0..<20) {
      let budget = RetryBudget(ratio: 0.2, minimumRetries: 10, window: .seconds(10))
      let calls = Calls()
      // Five calls a second for twenty seconds, all failing: only the floor retries, ten in each window.
      for _ in 0..<100 {
        _ = await word {
          try await retry(RetrySchedule(maxAttempts: 2, base: .zero), budget: budget) { _ in
            calls.add()
            throw Fault()
          }
        }
        try await Ambient.sleep(for: .milliseconds(200))
      }
      #expect(calls.count == 100 + 20)
    }
  }

  @Test("BG-04: A crowd that waits has paid before: no more retries than the budget has")
  func crowd() throws {
    try simulate(seeds: 0..<100) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 10)
      let calls = Calls()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<100 {
          group.addTask {
            _ = await word {
              try await retry(RetrySchedule(maxAttempts: 2), budget: budget) { _ in
                calls.add()
                throw Fault()
              }
            }
          }
        }
      }
      #expect(calls.count == 110)
    }
  }

  @Test("BG-05: A retry that is not made costs nothing, whoever stopped it")
  func refund() throws {
    try simulate(seeds: 0..<50) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 1)
      #expect(budget.available == 1)
      // The deadline skips the wait.
      let skipped = await word {
        try await withDeadline(.milliseconds(100)) {
          try await retry(twice, budget: budget) { _ in throw Fault() }
        }
      }
      #expect(skipped == "fault")
      #expect(budget.available == 1)
      // A cancel ends the wait.
      let call = Ambient.task { try await retry(twice, budget: budget) { _ in throw Fault() } }
      try await Ambient.sleep(for: .milliseconds(100))
      #expect(budget.available == 0)
      call.cancel()
      _ = await call.result
      #expect(budget.available == 1)
      // A policy further in refuses the retry.
      let full = Bulkhead(maxConcurrent: 1, queueLimit: 0)
      let holder = Ambient.task {
        try await Ambient.sleep(for: .milliseconds(50))
        try await full.run { try await Ambient.sleep(for: .seconds(1)) }
      }
      let refused = await word {
        try await retry(twice, budget: budget) { _ in try await full.run { throw Fault() } }
      }
      #expect(refused == "bulkhead_full")
      #expect(budget.available == 1)
      _ = await holder.result
      // A retry that is made costs one.
      _ = await word { try await retry(twice, budget: budget) { _ in throw Fault() } }
      #expect(budget.available == 0)
    }
  }

  @Test("A call pays in once, however many attempts it took, and one that fails pays nothing")
  func deposits() async throws {
    let budget = RetryBudget(ratio: 1, minimumRetries: 5)
    let clock = TestClock()
    try await withClock(clock) {
      try await retry(RetrySchedule(maxAttempts: 3, base: .zero), budget: budget) { attempt in
        if attempt.number < 3 { throw Fault() }
      }
      #expect(budget.available == 5 + 1 - 2)
      _ = await word { try await retry(RetrySchedule(maxAttempts: 1), budget: budget) { _ in throw Fault() } }
      #expect(budget.available == 4)
    }
  }

  @Test("A call inside another's attempt pays nothing in, since the one around it does")
  func nested() async throws {
    let budget = RetryBudget(ratio: 1, minimumRetries: 0)
    try await withClock(TestClock()) {
      try await retry(twice, budget: budget) { _ in try await retry(twice, budget: budget) { _ in } }
      #expect(budget.available == 1)
    }
  }

  @Test("Looking at a budget or a breaker does not bind it to a clock")
  func looking() async throws {
    let budget = RetryBudget(ratio: 0, minimumRetries: 1)
    let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1))
    #expect(budget.available == 1 && breaker.state == .closed)
    let clock = TestClock()
    try await withClock(clock) {
      _ = await word {
        try await retry(RetrySchedule(maxAttempts: 2, base: .zero), budget: budget) { _ in throw Fault() }
      }
      _ = await word { try await breaker.run { throw Fault() } }
      #expect(budget.available == 0 && breaker.state == .open)
      clock.advance(by: .seconds(10))
      #expect(budget.available == 1 && breaker.state == .halfOpen)
    }
  }

  @Test("A budget keeps the clock of its first use")
  func firstClock() async throws {
    let first = TestClock()
    let second = TestClock()
    let budget = RetryBudget(ratio: 0, minimumRetries: 1, window: .seconds(10))
    try await withClock(first) {
      _ = await word {
        try await retry(RetrySchedule(maxAttempts: 2, base: .zero), budget: budget) { _ in throw Fault() }
      }
    }
    second.advance(by: .seconds(100))
    try await withClock(second) { #expect(budget.available == 0) }
    first.advance(by: .seconds(10))
    try await withClock(second) { #expect(budget.available == 1) }
  }

  @Test(
    "Any ratio, floor and window give a budget that works",
    arguments: [Double.nan, -1, 0, 0.2, .infinity, -.infinity, 1e300], [Int.min, -1, 0, 1, .max])
  func hostile(ratio: Double, minimum: Int) async throws {
    for window in hostileDurations {
      let budget = RetryBudget(ratio: ratio, minimumRetries: minimum, window: window)
      try await withClock(TestClock()) {
        for _ in 0..<3 { try await retry(twice, budget: budget) { _ in } }
        #expect(budget.available >= 0)
        #expect(budget.ratio >= 0 && budget.ratio <= 1_000)
      }
    }
  }
}

/// Times that callers write by mistake, and the ends of the range.
let hostileDurations: [Duration] = [
  .zero, .nanoseconds(1), .seconds(-1), .seconds(1), .seconds(Int64.max), .seconds(Int64.min),
  Duration(attoseconds: .max), Duration(attoseconds: .min), .zero - .nanoseconds(1),
]
