import Stoic
import StoicTesting
import Testing

/// Each policy under the whole portfolio, with callers that are cancelled and deadlines that pass at any point.
///
/// A simulation fails by itself when a permit, a flight, a timer, a wait or a task is left, and when nothing can go on.
@Suite("Policies under simulation")
struct PoliciesUnderSimulation {
  /// Runs nine callers, most of whom are cancelled or run out of time somewhere; then everything must work again.
  func sweep(
    _ call: @escaping @Sendable () async throws -> Void,
    afterwards: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await crowd(call)
    try await afterwards()
  }

  /// Some work that takes up to 200 ms and fails every third time.
  static func work() async throws {
    try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 200)))
    if Ambient.random.next() % 3 == 0 { throw Fault() }
  }

  @Test(
    "Bulkhead: never more inside than permits, and all of them are back at the end", arguments: [false, true])
  func bulkhead(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: ["bulkhead.queued", "bulkhead.rejected", "bulkhead.permit_passed_on"]
    ) {
      let bulkhead = Bulkhead(maxConcurrent: 2, queueLimit: 4, queueTimeout: .milliseconds(300))
      let inside = Occupancy()
      try await sweep {
        try await bulkhead.run {
          inside.enter()
          defer { inside.leave() }
          try await Self.work()
        }
      } afterwards: {
        #expect(inside.most <= 2 && inside.now == 0)
        #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
        async let first: Void = bulkhead.run {}
        async let second: Void = bulkhead.run {}
        _ = try await (first, second)
      }
    }
  }

  @Test(
    "Breaker: never more probes than configured, and it closes once calls succeed", arguments: [false, true])
  func breaker(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: [
        "breaker.opened", "breaker.half_open", "breaker.closed", "breaker.rejected", "breaker.result_dropped",
        "breaker.probe_given_back",
      ]
    ) {
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(
          minimumCalls: 2, openFor: .milliseconds(50), maxOpenFor: .milliseconds(200)))
      try await sweep {
        // Several calls each, or nobody comes while the breaker is open or probes.
        for _ in 0..<3 {
          _ = await word { try await breaker.run { try await Self.work() } }
          try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 60)))
        }
      } afterwards: {
        // The first success may be the call that fills the window; the second one is then a probe.
        for _ in 0..<2 {
          try await Ambient.sleep(for: .milliseconds(200))
          try await breaker.run {}
        }
        #expect(breaker.state == .closed)
      }
    }
  }

  @Test("Budget: what is paid for retries that are not made comes back", arguments: [false, true])
  func budget(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: ["retry.scheduled", "retry.budget_exhausted", "retry.refunded"]
    ) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 5, window: .seconds(3_600))
      let retries = Calls()
      try await sweep {
        try await retry(RetrySchedule(maxAttempts: 4, base: .milliseconds(50)), budget: budget) { attempt in
          if attempt.number > 1 { retries.add() }
          try await Self.work()
        }
      } afterwards: {
        #expect(retries.count <= 5)
        #expect(budget.available == 5 - retries.count)
      }
    }
  }

  @Test(
    "Single flight: one flight of a key at a time, and every caller started or shared one",
    arguments: [false, true])
  func singleFlight(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: ["single_flight.joined", "single_flight.taken_over"]
    ) {
      let flights = SingleFlight<Int, Void>()
      let inside = Occupancy()
      try await sweep {
        try await flights.run(1) {
          let place = Place(in: inside)
          defer { place.leave() }
          // An abandoned flight may still be leaving while the next one begins.
          try await withTaskCancellationHandler {
            try await Self.work()
          } onCancel: {
            place.leave()
          }
        }
      } afterwards: {
        try await Ambient.sleep(for: .milliseconds(200))
        #expect(inside.now == 0 && flights.inFlight == 0)
        #expect(inside.most == 1)
        _ = await word { try await flights.run(1) {} }
      }
    }
  }

  @Test("Timeouts in retries: every attempt ends within its time", arguments: [false, true])
  func timeouts(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: ["retry.scheduled", "retry.exhausted"]
    ) {
      try await sweep {
        try await retry(RetrySchedule(maxAttempts: 3, base: .milliseconds(20))) { _ in
          try await withTimeout(.milliseconds(100)) { try await Self.work() }
        }
      } afterwards: {
      }
    }
  }

  @Test("Five policies together leave nothing behind and come back to life", arguments: [false, true])
  func five(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<1_000, earlyTimers: earlyTimers,
      marks: ["bulkhead.queued", "breaker.opened", "breaker.rejected", "retry.scheduled", "retry.refunded"]
    ) {
      let bulkhead = Bulkhead(maxConcurrent: 2)
      let budget = RetryBudget(ratio: 0.2, minimumRetries: 4)
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(
          minimumCalls: 3, openFor: .milliseconds(50), maxOpenFor: .milliseconds(200)))
      let policy = Policy(
        DeadlineStage(.seconds(2)), RetryStage(RetrySchedule(base: .milliseconds(20)), budget: budget),
        breaker,
        bulkhead, TimeoutStage(.milliseconds(150)))
      try await sweep {
        try await policy.run { try await Self.work() }
      } afterwards: {
        for _ in 0..<2 {
          try await Ambient.sleep(for: .milliseconds(200))
          try await policy.run {}
        }
        #expect(bulkhead.inUse == 0 && breaker.state == .closed)
      }
    }
  }
}

/// A place that is left once.
private final class Place: Sendable {
  private let inside: Occupancy
  private let isTaken = Lock(true)

  init(in inside: Occupancy) {
    self.inside = inside
    inside.enter()
  }

  func leave() {
    let wasTaken = isTaken.withLock { isTaken in
      defer { isTaken = false }
      return isTaken
    }
    if wasTaken { inside.leave() }
  }
}

/// Nine callers who come to their ends, most of them cancelled or out of time somewhere.
func crowd(_ call: @escaping @Sendable () async throws -> Void) async throws {
  let expected: Set<String> = [
    "value", "fault", "cancelled", "timeout", "deadline_exceeded", "bulkhead_full", "breaker_open",
    "rate_limited", "throttled",
  ]
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<9 {
      group.addTask(name: "caller \(index)") {
        let task = Ambient.task {
          if index % 3 == 0 { return try await call() }
          try await withDeadline(.milliseconds(Int64(Ambient.random.next() % 400))) { try await call() }
        }
        if index % 3 != 1 {
          _ = await word { try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 400))) }
          task.cancel()
        }
        let end = await word { try await task.value }
        #expect(expected.contains(end), "unexpected: \(end)")
      }
    }
  }
}
