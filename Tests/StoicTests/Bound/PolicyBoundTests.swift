import Stoic
import StoicTesting
import Testing

@Suite("The bound and the warnings of stages")
struct PolicyBoundTests {
  struct Down: Error {}

  private static let schedule = RetrySchedule(
    maxAttempts: 3, base: .seconds(1), cap: .seconds(10), jitter: .none)

  @Test("Stages bound what is inside them")
  func stages() {
    let inner: [any PolicyStage] = [Bulkhead(maxConcurrent: 2, queueLimit: 3), TimeoutStage(.seconds(10))]
    #expect(Policy().bound.elapsed == nil && Policy().bound.attempts == 1)
    #expect(Policy(inner).bound.elapsed == .seconds(30))
    let retried = Policy([RetryStage(Self.schedule, budget: RetryBudget())] + inner)
    #expect(retried.bound.attempts == 3 && retried.bound.elapsed == .seconds(93))
    #expect(retried.bound.floor?.retries == 10)
    #expect(Policy(DeadlineStage(.seconds(40)), retried).bound.elapsed == .seconds(40))
    #expect(Policy(DeadlineStage(.zero), retried).bound.attempts == 0)
    #expect(Policy(DeadlineStage(.seconds(3)), RetryStage(Self.schedule)).bound.attempts == 2)
  }

  @Test("A retry within a retry makes one attempt, unless it is independent")
  func nested() {
    var independent = Self.schedule
    independent.nesting = .independent
    let outer = RetryStage(Self.schedule)
    #expect(Policy(outer, RetryStage(Self.schedule)).bound.attempts == 3)
    #expect(Policy(outer, RetryStage(independent, budget: RetryBudget())).bound.attempts == 9)
    #expect(Policy(outer, RetryStage(independent, budget: RetryBudget())).bound.load == 9)
    #expect(Policy(outer, Policy(RetryStage(Self.schedule))).warnings == [.retryWithinRetry(attempts: 3)])
    #expect(Policy(outer, RetryStage(independent)).warnings == [])
  }

  @Test("Stages that cannot work together are told, the outermost first")
  func warnings() {
    let good = Policy(
      DeadlineStage(.seconds(30)), RetryStage(budget: RetryBudget()), CircuitBreaker(),
      Bulkhead(maxConcurrent: 8, queueTimeout: .seconds(5)), TimeoutStage(.seconds(10)))
    #expect(good.warnings == [])
    let bad = Policy(
      DeadlineStage(.seconds(5)), RetryStage(RetrySchedule(maxAttempts: 1)),
      CircuitBreaker(.init(window: .seconds(15))), Bulkhead(maxConcurrent: 8, queueTimeout: .seconds(6)),
      TimeoutStage(.seconds(10)))
    #expect(
      bad.warnings == [
        .retryOfOneAttempt,
        .breakerNeverOpens(minimumCalls: 20, timeout: .seconds(10), window: .seconds(15), concurrency: 8),
        .breakerWindowTooShort(window: .seconds(15), timeout: .seconds(10)),
        .queueTimeoutPastDeadline(queue: .seconds(6), deadline: .seconds(5)),
        .attemptTimeoutPastDeadline(attempt: .seconds(10), deadline: .seconds(5)),
      ])
    #expect(
      Policy(TimeoutStage(.seconds(5)), CircuitBreaker()).warnings
        == [.breakerInsideTimeLimit(limit: .seconds(5))])
  }

  @Test("A rate, a permit or a multiplier that leaves no room for another stage is told, wherever it stands")
  func rates() {
    let (slow, step) = (RateLimiter(.init(calls: 1, per: .seconds(10))), TimeoutStage(.seconds(5)))
    let below = PolicyWarning.rateLimitBelowBreaker(possible: 13, minimumCalls: 20, window: .seconds(120))
    #expect(Policy(slow, CircuitBreaker(), step).warnings == [below])
    #expect(Policy(CircuitBreaker(), Policy(slow), step).warnings.contains(below))
    #expect(Policy(RateLimiter(.init(calls: 1)), CircuitBreaker(), step).warnings == [])
    #expect(Policy(CircuitBreaker(), step).warnings == [])
    #expect(Policy(CircuitBreaker(), Bulkhead(maxConcurrent: 9), step).warnings == [])
    #expect(Policy(Bulkhead(maxConcurrent: 9), CircuitBreaker(), step).warnings == [])
    #expect(
      Policy(DeadlineStage(.seconds(20)), RetryStage(), slow, step).warnings
        == [.rateLimitBelowRetry(possible: 2, attempts: 3, deadline: .seconds(20))])
    #expect(Policy(DeadlineStage(.seconds(21)), RetryStage(), slow, step).warnings == [])
    #expect(Policy(slow, DeadlineStage(.seconds(20)), RetryStage(), step).warnings == [])
    let hedge = HedgeStage(Hedge())
    let refusing = RateLimiter(.init(calls: 1, per: .seconds(60), queueLimit: 0))
    #expect(
      Policy(RetryStage(), refusing, step).warnings
        == [.rateLimitRefusesRetry(token: .seconds(60), latest: .milliseconds(5_200))])
    #expect(Policy(RetryStage(), refusing).warnings == [])
    #expect(Policy(refusing, RetryStage(), step).warnings == [])
    for stages: [any PolicyStage] in [[Throttle(), refusing], [Throttle(), hedge, Policy(refusing)]] {
      #expect(
        Policy(stages).warnings.contains(.rateLimitBelowThrottle(limit: 1.0 / 60, minimum: 5)))
    }
    #expect(Policy(Throttle(), RateLimiter(.init(calls: 5))).warnings == [])
    #expect(
      Policy(hedge, Bulkhead(maxConcurrent: 1), step).warnings == [.hedgeWithoutRoom(permits: 1)])
    #expect(Policy(Bulkhead(maxConcurrent: 1), hedge, step).warnings == [])
    #expect(Policy(Throttle(.init(multiplier: 1))).warnings == [.throttleHardlyRecovers(multiplier: 1)])
    #expect(
      Policy(RateLimiter(.init(calls: 4)), Throttle()).warnings
        == [.rateLimitBelowThrottle(limit: 4, minimum: 5)])
  }

  @Test(
    "A breaker's warnings count what ends behind it, and neither queues nor attempts that have permits and tokens of their own"
  )
  func behindBreakers() {
    let step = TimeoutStage(.seconds(1))
    let breaker = CircuitBreaker(.init(minimumCalls: 10, window: .seconds(30)))
    // Sixty calls end in the window, whoever waits.
    #expect(Policy(breaker, Bulkhead(maxConcurrent: 2), step).warnings == [])
    #expect(Policy(breaker, RateLimiter(.init(calls: 1)), step).warnings == [])
    #expect(
      Policy(RetryStage(), CircuitBreaker(), AdaptiveBulkhead(.init(maxLimit: 64)), TimeoutStage(.seconds(2)))
        .warnings == [])
    let slow = CircuitBreaker(.init(minimumCalls: 10, window: .seconds(8)))
    let never = PolicyWarning.breakerNeverOpens(
      minimumCalls: 10, timeout: .seconds(1), window: .seconds(8), concurrency: 1)
    #expect(Policy(Bulkhead(maxConcurrent: 1), slow, step).warnings == [never])
    #expect(Policy(Bulkhead(maxConcurrent: 1), HedgeStage(Hedge()), slow, step).warnings == [])
    // A retry gives its permit back while it waits.
    let (retry, one) = (RetryStage(), Bulkhead(maxConcurrent: 1))
    #expect(!Policy(breaker, retry, one, step).warnings.contains { "\($0)".contains("at once") })
    #expect(Policy(HedgeStage(Hedge()), retry, one, step).warnings == [])
    // What is refused in a queue and what probes wait for does count.
    let probing = CircuitBreaker(.init(minimumCalls: 10, window: .seconds(30), probeTimeout: .seconds(2)))
    #expect(
      Policy(probing, Bulkhead(maxConcurrent: 2, queueLimit: 2), step).warnings
        == [.probeTimeoutTooShort(probe: .seconds(2), timeout: .seconds(2))])
  }

  @Test(
    "A hedge that would begin at the deadline around it or later is told, and counts for no attempt, whatever is inside"
  )
  func hedgeBehindDeadline() {
    let inner: [[any PolicyStage]] = [
      [], [TimeoutStage(.seconds(5))], [RetryStage(), TimeoutStage(.seconds(1))],
      [Bulkhead(maxConcurrent: 8, queueTimeout: .seconds(1)), TimeoutStage(.seconds(1))],
    ]
    for stages in inner {
      for (delay, isLate) in [(2_000, true), (1_999, false)] {
        let hedge = HedgeStage(Hedge(.init(delay: .fixed(.milliseconds(delay)))))
        let bare = Policy([DeadlineStage(.seconds(2))] + stages)
        let hedged = Policy([DeadlineStage(.seconds(2)), hedge] + stages)
        let isTold = hedged.warnings.contains(
          .hedgeAfterTimeout(delay: .milliseconds(delay), timeout: .seconds(2)))
        #expect(isTold == isLate, "\(hedged)")
        #expect((hedged.bound.attempts == bare.bound.attempts) == isLate, "\(hedged)")
        #expect(hedged.bound.elapsed == .seconds(2))
      }
    }
  }

  @Test("Every limiter counts, and a retry between takes tokens once for all its attempts")
  func severalLimiters() {
    let (fast, step) = (RateLimiter(.init(calls: 1, burst: 100)), TimeoutStage(.seconds(1)))
    let scarce = RateLimiter(.init(calls: 10, per: .seconds(9), burst: 2))
    let retry = RetryStage(RetrySchedule(maxAttempts: 5, base: .milliseconds(1)))
    let below = PolicyWarning.rateLimitBelowRetry(possible: 4, attempts: 5, deadline: .seconds(2))
    for limiters in [[fast, scarce], [scarce, fast]] {
      let stages: [any PolicyStage] = [DeadlineStage(.seconds(2)), retry] + limiters + [step]
      #expect(Policy(stages).warnings == [below])
    }
    let breaker = CircuitBreaker(.init(minimumCalls: 10, window: .seconds(5)))
    let limiter = RateLimiter(.init(calls: 1))
    #expect(
      Policy(limiter, breaker, step).warnings
        == [.rateLimitBelowBreaker(possible: 6, minimumCalls: 10, window: .seconds(5))])
    #expect(Policy(limiter, retry, breaker, step).warnings == [])
    #expect(Policy(limiter, HedgeStage(Hedge()), breaker, step).warnings == [])
  }

  @Test("A throttle that lets through no more than is accepted is told where a window holds many calls")
  func hardlyRecovers() {
    func warnings(_ window: Duration) -> [PolicyWarning] {
      Policy(Throttle(.init(multiplier: 1, window: window, minimumRate: 5))).warnings
    }
    #expect(warnings(.seconds(10)) == [.throttleHardlyRecovers(multiplier: 1)])
    #expect(warnings(.seconds(9)) == [])
  }

  @Test("The time of stages is reached: every step times out")
  func reached() throws {
    try simulate(seeds: 0..<10) {
      let policy = Policy(RetryStage(Self.schedule), TimeoutStage(.seconds(10)))
      let start = Ambient.clock.now
      await #expect(throws: TimeoutError.self) {
        try await policy.run { try await Ambient.sleep(for: .seconds(60)) }
      }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(33) && policy.bound.elapsed == .seconds(33))
    }
  }

  @Test(
    "Each attempt of a hedge has the time limits that are inside it, a limiter and an adaptive bulkhead their waits"
  )
  func limited() {
    let step = TimeoutStage(.seconds(10))
    func hedged(_ delay: Hedge.Delay, _ budget: RetryBudget? = nil) -> HedgeStage {
      HedgeStage(Hedge(.init(delay: delay), budget: budget))
    }
    let fixed = Policy(hedged(.fixed(.seconds(3))), step).bound
    #expect(fixed.attempts == 2 && fixed.elapsed == .seconds(13))
    #expect(Policy(hedged(.quantile(0.95)), step).bound.elapsed == .seconds(20))
    // Due as the first attempt ends, it may be a moment ahead of that.
    let atEnd = Policy(hedged(.fixed(.seconds(10))), step)
    #expect(atEnd.bound.elapsed == .seconds(20) && atEnd.bound.attempts == 2 && atEnd.warnings.isEmpty)
    let late = Policy(hedged(.fixed(.seconds(11))), step)
    #expect(late.bound.elapsed == .seconds(10) && late.bound.attempts == 1)
    #expect(late.warnings == [.hedgeAfterTimeout(delay: .seconds(11), timeout: .seconds(10))])
    #expect(Policy(hedged(.fixed(.seconds(3)))).bound.elapsed == nil)
    #expect(
      Policy(TimeoutStage(.seconds(11)), hedged(.fixed(.seconds(3))), step).bound.elapsed == .seconds(11))
    #expect(Policy(RateLimiter(.init(calls: 2, queueLimit: 6)), step).bound.elapsed == .seconds(13))
    let adaptive = AdaptiveBulkhead(.init(minLimit: 2, maxLimit: 8, queueLimit: 3))
    #expect(Policy(adaptive, step).bound.elapsed == .seconds(30))
    #expect(Policy(adaptive, hedged(.fixed(.seconds(3))), step).bound.elapsed == .seconds(39))
  }

  @Test(
    "A hedge and a retry that share a budget have its floor; those with two alike budgets have none in common"
  )
  func floors() {
    let (budget, other) = (RetryBudget(), RetryBudget())
    func policy(_ hedge: RetryBudget?) -> Policy {
      Policy(
        RetryStage(Self.schedule, budget: budget),
        HedgeStage(Hedge(.init(delay: .fixed(.seconds(3))), budget: hedge)), TimeoutStage(.seconds(10)))
    }
    #expect(policy(budget).bound.attempts == 6 && policy(budget).bound.floor?.retries == 10)
    #expect(policy(other).bound.floor == nil && policy(other).bound.load == 6)
    #expect(policy(nil).bound.floor == nil)
  }

  @Test("The time of a hedge is reached: both attempts time out, the second one by a limit of its own")
  func hedgeReached() throws {
    try simulate(seeds: 0..<10) {
      let policy = Policy(HedgeStage(Hedge(.init(delay: .fixed(.seconds(3))))), TimeoutStage(.seconds(10)))
      let start = Ambient.clock.now
      await #expect(throws: TimeoutError.self) {
        try await policy.runHedged { try await Ambient.sleep(for: .seconds(60)) }
      }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(13) && policy.bound.elapsed == .seconds(13))
    }
  }

  @Test("A hedge that is due as the first attempt ends begins in some orders, and never exceeds the bound")
  func hedgeAtEnd() throws {
    try simulate(seeds: 0..<100, marks: ["both"]) {
      let hedge = Hedge(.init(delay: .fixed(.seconds(1)), minimumHedges: 3))
      let policy = Policy(HedgeStage(hedge), TimeoutStage(.seconds(1)))
      let attempts = Lock(0)
      let start = Ambient.clock.now
      await #expect(throws: TimeoutError.self) {
        try await policy.runHedged {
          attempts.withLock { $0 += 1 }
          try await Ambient.sleep(for: .seconds(60))
        }
      }
      let made = attempts.withLock { $0 }
      if made == 2 { mark("both") }
      #expect(made <= policy.bound.attempts)
      #expect(start.duration(to: Ambient.clock.now) <= policy.bound.elapsed ?? .zero)
    }
  }

  @Test("No schedule waits longer than its longest waits, nor makes more attempts within a time than fit")
  func schedules() throws {
    try simulate(seeds: 0..<2_000) {
      func draw(_ bound: Int) -> Int { Int(Ambient.random.next() % UInt64(bound)) }
      let schedule = RetrySchedule(
        maxAttempts: 1 + draw(6), base: .milliseconds(draw(3) * 300), cap: .milliseconds(draw(4) * 700),
        multiplier: [1, 1.5, 2][draw(3)],
        backoff: [.exponential, .linear, .constant, .list([.seconds(2), .zero])][draw(4)],
        jitter: [.none, .full, .equal, .decorrelated][draw(4)])
      let limit: Duration? = [nil, .zero, .milliseconds(900), .seconds(3)][draw(4)]
      let policy = Policy(
        (limit.map { [DeadlineStage($0)] } ?? []) + [RetryStage(schedule), TimeoutStage(.seconds(1))])
      let start = Ambient.clock.now
      let attempts = Lock(0)
      _ = try? await policy.run {
        attempts.withLock { $0 += 1 }
        if draw(2) == 0 { try await Ambient.sleep(for: .seconds(5)) }
        throw Down()
      }
      let (elapsed, bound) = (start.duration(to: Ambient.clock.now), policy.bound)
      #expect(attempts.withLock { $0 } <= bound.attempts, "\(policy)")
      #expect(elapsed <= bound.elapsed ?? .zero, "\(policy)")
    }
  }

  @Test(
    "Waits are as long as the bound says when all draws are the highest",
    arguments: [
      (RetrySchedule.Jitter.none, 13.0), (.full, 13), (.equal, 13), (.decorrelated, 39),
    ])
  func highestDraws(_ jitter: RetrySchedule.Jitter, _ seconds: Double) throws {
    try simulate(seeds: 0..<1) {
      let schedule = RetrySchedule(
        maxAttempts: 4, base: .seconds(1), cap: .seconds(40), multiplier: 3, jitter: jitter)
      let start = Ambient.clock.now
      try? await withRandom(RandomSource { .max }) { try await retry(schedule) { _ in throw Down() } }
      let elapsed = start.duration(to: Ambient.clock.now).inSeconds
      let bound = try #require(Policy(RetryStage(schedule), TimeoutStage(.nanoseconds(1))).bound.elapsed)
        .inSeconds
      #expect(elapsed <= bound && elapsed > bound - 0.001 && abs(bound - seconds) < 0.001)
    }
  }

  @Test("Schedules of any size have their sums at once")
  func sizes() {
    for backoff in [RetrySchedule.Backoff.exponential, .linear, .constant, .list([])] {
      for jitter in [RetrySchedule.Jitter.none, .full, .equal, .decorrelated] {
        let schedule = RetrySchedule(
          maxAttempts: .max, base: .nanoseconds(1), cap: .seconds(1), multiplier: 1.000_000_1,
          backoff: backoff,
          jitter: jitter)
        let bound = Policy(RetryStage(schedule), TimeoutStage(.nanoseconds(1))).bound
        #expect(bound.attempts == .max && bound.elapsed == nil || backoff != .linear)
        let within = Policy(DeadlineStage(.seconds(1)), RetryStage(schedule)).bound
        #expect(within.attempts > 1 && within.elapsed == .seconds(1))
      }
    }
  }
}
