import Stoic
import StoicTesting
import Testing

extension PoliciesUnderSimulation {
  @Test(
    "Rate limiter: never more calls than its tokens, and nobody waits for one that is there",
    arguments: [false, true])
  func rateLimiter(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let limiter = RateLimiter(
        RateLimiter.Configuration(
          calls: 20, per: .seconds(1), burst: 2, queueLimit: 5, maxWait: .milliseconds(300)))
      let begun = Served()
      try await sweep {
        try await limiter.run {
          begun.add(Int(milliseconds))
          try await Self.work()
        }
      } afterwards: {
        for (index, time) in begun.all.sorted().enumerated() { #expect(index < 2 + time / 50) }
        #expect(limiter.waiting == 0)
        try await Ambient.sleep(for: .milliseconds(100))
        #expect(limiter.available == 2)
        let start = milliseconds
        for _ in 0..<4 { try await limiter.run {} }
        #expect(earlyTimers || milliseconds - start == 100)
      }
    }
  }

  @Test(
    "Throttle: what it holds back and what is cancelled leaves nothing behind, and it ends with the window",
    arguments: [false, true])
  func throttle(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let throttle = Throttle(Throttle.Configuration(window: .milliseconds(300), minimumRate: 0))
      try await sweep {
        for _ in 0..<3 {
          try await throttle.run { try await Self.work() }
          #expect((0...0.9).contains(throttle.rejectionProbability))
        }
      } afterwards: {
        try await Ambient.sleep(for: .milliseconds(300))
        #expect(throttle.rejectionProbability == 0)
        try await throttle.run {}
      }
    }
  }

  @Test("Seven policies together leave nothing behind and come back to life", arguments: [false, true])
  func seven(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let bulkhead = Bulkhead(maxConcurrent: 2)
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 20, per: .seconds(1), burst: 4))
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(
          minimumCalls: 3, openFor: .milliseconds(50), maxOpenFor: .milliseconds(200)))
      let policy = Policy(
        DeadlineStage(.seconds(2)), RetryStage(RetrySchedule(base: .milliseconds(20)), budget: RetryBudget()),
        Throttle(Throttle.Configuration(window: .milliseconds(200), minimumRate: 0)), breaker, bulkhead,
        limiter, TimeoutStage(.milliseconds(150)))
      try await sweep {
        try await policy.run { try await Self.work() }
      } afterwards: {
        for _ in 0..<2 {
          try await Ambient.sleep(for: .milliseconds(200))
          try await policy.run {}
        }
        #expect(bulkhead.inUse == 0 && breaker.state == .closed && limiter.waiting == 0)
      }
    }
  }
}
