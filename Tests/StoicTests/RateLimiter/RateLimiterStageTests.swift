import Stoic
import StoicTesting
import Testing

/// A rate limiter among other policies.
@Suite("Rate limiter as a stage")
struct RateLimiterStageTests {
  private static let refusing = RateLimiter.Configuration(
    calls: 1, per: .seconds(1), queueLimit: 0)

  @Test("A limiter is a stage of a policy and prints its numbers")
  func printed() async throws {
    var numbers = RateLimiter.Configuration(calls: 10, per: .seconds(1), burst: 5)
    let policy = Policy(RetryStage(RetrySchedule(maxAttempts: 1)), RateLimiter(numbers))
    #expect(
      "\(policy)"
        == "retry (1 attempts, 0.2s to 10s) > rate limiter (10 calls in 1s, 5 at once, 64 waiting)")
    (numbers.queueLimit, numbers.maxWait) = (8, .milliseconds(500))
    #expect(
      "\(RateLimiter(numbers))" == "rate limiter (10 calls in 1s, 5 at once, 8 waiting for at most 0.5s)")
    #expect(try await policy.run { 7 } == 7)
  }

  @Test(
    "What the limiter refuses is final for a retry, costs its budget nothing, and is none of a breaker's failures"
  )
  func among() throws {
    try simulate(seeds: 0..<10) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 5)
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 2))
      let calls = Calls()
      let policy = Policy(
        RetryStage(RetrySchedule(maxAttempts: 3, base: .milliseconds(10)), budget: budget), breaker,
        RateLimiter(Self.refusing))
      for _ in 0..<3 {
        let end = await word {
          try await policy.run {
            calls.add()
            throw Fault()
          }
        }
        #expect(end == "rate_limited")
      }
      // One failure was counted, and none of the refusals after it.
      #expect(calls.count == 1 && breaker.state == .closed && budget.available == 5)
    }
  }

  @Test("What a throttle, a breaker or a limiter inside refuses costs no token")
  func refusedInside() throws {
    try simulate(seeds: 0..<10) {
      let outer = RateLimiter(.init(calls: 1, per: .seconds(1_000), burst: 3))
      let breaker = CircuitBreaker()
      breaker.force(.open)
      let inner = RateLimiter(Self.refusing)
      try await inner.run {}
      for stage in [breaker, inner] as [any PolicyStage] {
        let end = await word { try await Policy(outer, stage).run {} }
        #expect(["breaker_open", "rate_limited"].contains(end) && outer.available == 3)
      }
      let throttle = Throttle(.init(maxRejection: 1, minimumRate: 0))
      for _ in 0..<50 { _ = await word { try await throttle.run { throw Fault() } } }
      while await word({ try await throttle.run { throw Fault() } }) != "throttled" {}
      var ends: [String] = []
      for _ in 0..<5 { ends.append(await word { try await Policy(outer, throttle).run { throw Fault() } }) }
      #expect(outer.available == 3 - ends.filter { $0 == "fault" }.count && ends.contains("throttled"))
    }
  }

  @Test("A full bulkhead inside refuses one caller for each token, not all who wait for one")
  func fullInside() throws {
    try simulate(seeds: 0..<20) {
      let policy = Policy(RateLimiter(.init(calls: 10)), Bulkhead(maxConcurrent: 1, queueLimit: 0))
      let calls = (0..<30).map { _ in
        Ambient.task {
          await word { try await policy.run { try await Ambient.sleep(for: .milliseconds(150)) } }
        }
      }
      var ends: [String] = []
      for call in calls { ends.append(try await call.value) }
      #expect(ends.filter { $0 == "value" }.count == 15 && ends.filter { $0 == "bulkhead_full" }.count == 15)
      #expect(milliseconds == 2_950)
    }
  }

  @Test("A wait that a deadline is too short for is none of a breaker's failures")
  func deadlineInsideBreaker() throws {
    try simulate(seeds: 0..<10) {
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1))
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(5)))
      try await limiter.run {}
      let end = await word {
        try await withDeadline(.seconds(1)) { try await breaker.run { try await limiter.run {} } }
      }
      #expect(end == "rate_limited" && breaker.state == .closed && milliseconds == 0)
    }
  }

  @Test("Who joined a flight with more time has its own turn where the starter had too little")
  func flight() throws {
    try simulate(seeds: 0..<200) {
      let flights = SingleFlight<Int, Int64>()
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(5)))
      let gate = WakeUp()
      let call: @Sendable () async throws -> Int64 = {
        try await flights.run(1) {
          // Open it lets everybody pass.
          await gate.wait()
          return try await limiter.run { milliseconds }
        }
      }
      try await limiter.run {}
      let starter = Ambient.task { try await withDeadline(.seconds(2)) { try await call() } }
      try await settle()
      let joiner = Ambient.task { try await withDeadline(.seconds(60)) { try await call() } }
      try await settle()
      gate.ring()
      await #expect(throws: Rejection(.rateLimited, retryAfter: .seconds(5) - .nanoseconds(2))) {
        try await starter.value
      }
      #expect(try await joiner.value == 5_000)
    }
  }
}
