import Foundation
import Stoic

/// What the policies cost a call that succeeds at once.
///
/// - `core.POLICY`: nanoseconds over the bare asynchronous call of the same run; the ratio is of the whole call to the
///   bare one.
/// - `core.POLICY.allocations`: the allocations of a call over those of the bare one, counted; the ratio is to the five
///   that a policy may make at most. Left out where they cannot be counted.
func coreFigures() throws -> [Figure] {
  try waiting {
    let policies = policies()
    return try await overheads(
      of: policies, over: AsyncContender("the bare async call") { try await bare($0) }, allowing: 5)
  }
}

/// The policies, each around the same work.
private func policies() -> [AsyncContender] {
  let schedule = RetrySchedule()
  let budget = RetryBudget()
  let breaker = CircuitBreaker()
  let open = CircuitBreaker()
  open.force(.open)
  let bulkhead = Bulkhead(maxConcurrent: 8)
  // So fast that nobody ever waits.
  let limiter = RateLimiter(
    RateLimiter.Configuration(calls: 1_000_000_000, per: .milliseconds(1), burst: 1_000_000))
  let spent = RateLimiter(
    RateLimiter.Configuration(calls: 1, per: .seconds(1_000_000_000), queueLimit: 0))
  _ = spent.acquireAtOnce()
  let throttle = Throttle()
  let adaptive = AdaptiveBulkhead(AdaptiveBulkhead.Configuration(initialLimit: 8))
  let flights = SingleFlight<Int, Int>()
  // So long that no timer fires while something else is measured.
  let long = Duration.seconds(600)
  // No second attempt begins: of the one it is never due, of the other it cannot be, so that no task is needed.
  let hedge = Hedge(Hedge.Configuration(delay: .fixed(long)))
  let idle = Hedge(Hedge.Configuration(delay: .fixed(.seconds(Int64.max))))
  let five = Policy(
    DeadlineStage(.seconds(1_200)),
    RetryStage(schedule, budget: budget), breaker, bulkhead, TimeoutStage(long))
  return [
    AsyncContender("core.retry") { number in try await retry(schedule) { _ in try await bare(number) } },
    AsyncContender("core.retry_budget") { number in
      try await retry(schedule, budget: budget) { _ in try await bare(number) }
    },
    AsyncContender("core.breaker") { number in try await breaker.run { try await bare(number) } },
    AsyncContender("core.breaker_open") { number in
      do { return try await open.run { try await bare(number) } } catch { return number }
    },
    AsyncContender("core.bulkhead") { number in try await bulkhead.run { try await bare(number) } },
    AsyncContender("core.rate_limiter") { number in try await limiter.run { try await bare(number) } },
    AsyncContender("core.rate_limiter_refused") { number in
      do { return try await spent.run { try await bare(number) } } catch { return number }
    },
    AsyncContender("core.throttle") { number in try await throttle.run { try await bare(number) } },
    AsyncContender("core.adaptive_bulkhead") { number in
      try await adaptive.run { try await bare(number) }
    },
    AsyncContender("core.hedge") { number in try await hedge.run { try await bare(number) } },
    AsyncContender("core.hedge_idle") { number in try await idle.run { try await bare(number) } },
    AsyncContender("core.timeout") { number in
      try await withTimeout(long) { try await bare(number) }
    },
    AsyncContender("core.single_flight") { number in
      try await flights.run(number) { try await bare(number) }
    },
    AsyncContender("core.five") { number in try await five.run { try await bare(number) } },
  ]
}

/// The work that the policies are put around: the least that is asynchronous, may throw and is not inlined.
@inline(never) private func bare(_ number: Int) async throws -> Int {
  guard number >= 0 else { throw CancellationError() }
  return number &+ 1
}
