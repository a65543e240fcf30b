import Stoic
import StoicTesting

/// Work of no, one, two or three tenths of a second.
private func work() async throws {
  await Task.yield()
  try await Ambient.sleep(for: .milliseconds(pick(below: 4) * 100))
}

@Sendable func bulkheadScenario() async throws {
  let bulkhead = Bulkhead(maxConcurrent: 2, queueLimit: 3)
  let inside = Shared((now: 0, most: 0))
  let queue = Shared(0)
  _ = try await crowd(7) { number in
    // So that others wait than those who come last.
    if number % 2 == 0, number < 6 { try await Ambient.sleep(for: .milliseconds(pick(below: 3) * 100)) }
    let deadline: AmbientClock.Instant? =
      number % 3 == 1 ? Ambient.clock.now.advanced(by: .milliseconds(150)) : nil
    do { try await bulkhead.acquire(until: deadline, in: Ambient.values) } catch {
      if let deadline {
        try check(Ambient.clock.now <= deadline, "a caller is refused after its deadline has passed")
      }
      throw error
    }
    bulkhead.release()
    do {
      try await bulkhead.run {
        inside.change { state in
          state.now += 1
          state.most = max(state.most, state.now)
        }
        defer { inside.change { $0.now -= 1 } }
        try await work()
      }
    } catch let rejection as Rejection {
      // Whoever is refused sees the queue as it was then: nothing has run in between.
      if rejection.reason == .bulkheadFull { queue.change { $0 = max($0, bulkhead.waiting) } }
      throw rejection
    }
  }
  try check(inside.value.most <= 2, "\(inside.value.most) are inside, of 2 allowed")
  try check(queue.value <= 3, "\(queue.value) wait, of 3 allowed")
  try check(bulkhead.inUse == 0 && bulkhead.waiting == 0, "\(bulkhead.inUse) permits are kept at the end")
}

/// More callers at once than there is room for.
@Sendable func queueScenario() async throws {
  let bulkhead = Bulkhead(maxConcurrent: 1, queueLimit: 3)
  let refused = Shared(0)
  _ = try await crowd(6) { _ in
    do {
      try await bulkhead.run { try await Ambient.sleep(for: .milliseconds(100 + pick(below: 3) * 100)) }
    } catch let rejection as Rejection {
      refused.change { $0 += 1 }
      throw rejection
    }
  }
  try check(refused.value <= 2, "\(refused.value) of 6 are refused, where there is room for 4")
  // One of the 6 may have been cancelled before it asked.
  try check(refused.value >= 1, "\(refused.value) of 6 are refused, where there is room for 4")
}

@Sendable func breakerScenario() async throws {
  let events = EventRecorder()
  let breaker = CircuitBreaker(
    CircuitBreaker.Configuration(minimumCalls: 3, openFor: .milliseconds(100), maxOpenFor: .milliseconds(100))
  )
  let probes = Shared(0)
  try await withEvents(events) {
    _ = try await crowd(8) { number in
      try await Ambient.sleep(for: .milliseconds(pick(below: 3) * 100))
      try await breaker.run {
        let isProbe = breaker.state == .halfOpen
        if isProbe {
          let now = probes.change { count in
            count += 1
            return count
          }
          guard now <= 1 else { throw Wrong(description: "\(now) probes run at once, of 1 allowed") }
        }
        defer { if isProbe { probes.change { $0 -= 1 } } }
        try await work()
        if pick(below: 3) > 0 { throw Fault() }
      }
    }
    for event in events.events(named: "breaker.opened") where event["cause"] == "failure_ratio" {
      let calls = event["calls"].flatMap { Int($0) } ?? 0
      try check(calls >= 3, "the breaker opens after \(calls) calls, of 3 needed")
    }
    // The first success may be the call that fills the window, and opens it; the second one is then a probe.
    for _ in 0..<2 {
      try await Ambient.sleep(for: .milliseconds(500))
      do { try await breaker.run {} } catch {
        throw Wrong(description: "the breaker does not recover: \(error)")
      }
    }
    try check(breaker.state == .closed, "the breaker does not close")
  }
}

/// The breaker is open, and one of those who come afterwards is cancelled: it may be the probe.
@Sendable func cancelledProbeScenario() async throws {
  let breaker = CircuitBreaker(
    CircuitBreaker.Configuration(minimumCalls: 1, openFor: .milliseconds(100), maxOpenFor: .milliseconds(100))
  )
  _ = await ending { try await breaker.run { throw Fault() } }
  _ = try await crowd(4) { number in
    try await Ambient.sleep(for: .milliseconds(pick(below: 4) * 100))
    try await breaker.run { try await work() }
  }
  try await Ambient.sleep(for: .milliseconds(500))
  let end = await ending { try await breaker.run {} }
  try check(end == "value", "whoever comes after all have left: \(end)")
}

/// A call that began before the breaker opened ends while a probe is under way.
@Sendable func lateResultScenario() async throws {
  let breaker = CircuitBreaker(
    CircuitBreaker.Configuration(minimumCalls: 1, openFor: .milliseconds(100), maxOpenFor: .milliseconds(100))
  )
  let isProbed = Shared(false)
  let early = Ambient.task(name: "early") {
    try await breaker.run {
      try await Ambient.sleep(for: .milliseconds(200 + pick(below: 3) * 100))
      if pick(below: 2) == 1 { throw Fault() }
    }
  }
  await Task.yield()
  try await Ambient.sleep(for: .milliseconds(50))
  _ = await ending { try await breaker.run { throw Fault() } }
  try await Ambient.sleep(for: .milliseconds(150))
  let probe = Ambient.task(name: "probe") {
    try await breaker.run {
      isProbed.change { $0 = true }
      try await Ambient.sleep(for: .milliseconds(pick(below: 3) * 100))
      try check(breaker.state == .halfOpen, "the breaker is \(breaker.state) before its probe has ended")
    }
  }
  let end = await ending { try await probe.value }
  _ = await early.result
  try check(end == "value", "the probe: \(end)")
}

@Sendable func budgetScenario() async throws {
  let budget = RetryBudget(ratio: 1, minimumRetries: 3, window: .seconds(3_600))
  let (retries, successes, most) = (Shared(0), Shared(0), Shared(0))
  _ = try await crowd(6) { number in
    try await retry(RetrySchedule(maxAttempts: 3, base: .milliseconds(100), jitter: .none), budget: budget) {
      attempt in
      most.change { $0 = max($0, attempt.number) }
      if attempt.number > 1 { retries.change { $0 += 1 } }
      try await work()
      if number < 5, pick(below: 3) > 0 { throw Fault() }
      if number == 5, attempt.number < 3 { throw Fault() }
    }
    successes.change { $0 += 1 }
  }
  try check(most.value <= 3, "\(most.value) attempts are made, of 3 allowed")
  let expected = 3 + successes.value - retries.value
  try check(expected >= 0, "\(retries.value) retries are made with a budget of \(3 + successes.value)")
  try check(budget.available == expected, "the budget holds \(budget.available); \(expected) is what is left")
}

@Sendable func flightScenario() async throws {
  let flights = SingleFlight<Int, Int>()
  let ends = try await crowd(5) { number in
    // The one who is cancelled mostly comes first.
    if number < 4 { try await Ambient.sleep(for: .milliseconds(pick(below: 3) * 50)) }
    _ = try await flights.run(1) {
      try await work()
      if pick(below: 6) == 5 { throw Fault() }
      return number
    }
  }
  try check(flights.inFlight == 0, "\(flights.inFlight) flights are under way at the end")
  try check(!ends.dropLast().contains("cancelled"), "a caller who was not cancelled is told so")
}
