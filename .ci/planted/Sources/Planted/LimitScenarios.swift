import Stoic
import StoicTesting

/// Callers of a limiter of ten calls a second.
@Sendable func rateLimiterScenario() async throws {
  let limiter = RateLimiter(
    RateLimiter.Configuration(calls: 10, per: .seconds(1), burst: 2, queueLimit: 4))
  let start = Ambient.clock.now
  let begun = Shared<[Int]>([])
  let now: @Sendable () -> Int = { Int(start.duration(to: Ambient.clock.now) / .milliseconds(1)) }
  _ = try await crowd(6) { _ in
    try await limiter.run { begun.change { $0.append(now()) } }
  }
  // When the bucket is full again, if each call has taken a token as it began.
  var full = 0
  for (number, time) in begun.value.sorted().enumerated() {
    try check(
      number < 2 + time / 100, "\(number + 1) calls have begun after \(time) ms, of \(2 + time / 100) allowed"
    )
    full = max(full, time) + 100
  }
  try check(limiter.waiting == 0, "\(limiter.waiting) callers wait at the end")
  let missing = (max(0, full - now()) + 99) / 100
  try check(
    limiter.available == 2 - missing,
    "\(limiter.available) tokens are there at the end, and not \(2 - missing)")
}

/// A token is given back to the first who waits, who may be leaving at that instant.
@Sendable func tokenGivenBackScenario() async throws {
  let limiter = RateLimiter(RateLimiter.Configuration(calls: 10, per: .seconds(1), queueLimit: 3))
  let start = Ambient.clock.now
  let begun = Shared<[Duration]>([])
  try check(limiter.acquireAtOnce(), "there is no token at the beginning")
  let calls = (0..<3).map { number in
    Ambient.task(name: "call \(number)") {
      try await limiter.run {
        let now = start.duration(to: Ambient.clock.now)
        begun.change { $0.append(now) }
      }
    }
  }
  try await Ambient.sleep(for: .milliseconds(50))
  limiter.giveBack()
  let leaving = pick(below: 4)
  if leaving > 0 { calls[leaving - 1].cancel() }
  for call in calls { _ = await call.result }
  let times = begun.value
  let expected = times.indices.map { Duration.milliseconds(50 + 100 * $0) }
  try check(
    times == expected, "calls begin after \(times.map(\.text)), and not after \(expected.map(\.text))")
}

/// Callers, of so many calls each, of an adaptive bulkhead whose limit changes with every call or two: it rises where all
/// calls take as long, and falls where they take up to so many tenths of a second.
@Sendable func adaptiveBulkheadScenario(calls: Int, tenths: Int) async throws {
  let bulkhead = AdaptiveBulkhead(
    AdaptiveBulkhead.Configuration(
      initialLimit: 2, minLimit: 1, maxLimit: 4, window: .milliseconds(20), samples: 1,
      baselineLifetime: .milliseconds(200)))
  let checkQueue: @Sendable () throws -> Void = {
    try check(
      bulkhead.waiting == 0 || bulkhead.inUse >= bulkhead.limit,
      "\(bulkhead.waiting) wait, and \(bulkhead.inUse) of \(bulkhead.limit) permits are taken")
  }
  _ = try await crowd(5) { _ in
    for _ in 0..<calls {
      try await bulkhead.run { try await Ambient.sleep(for: .milliseconds(100 + pick(below: tenths) * 100)) }
      try checkQueue()
    }
  }
  try check(bulkhead.inUse == 0 && bulkhead.waiting == 0, "\(bulkhead.inUse) permits are kept at the end")
  // The limit changes when a call ends, and none does at first.
  let (limit, inside) = (bulkhead.limit, Shared(0))
  let late = (0...limit).map { number in
    Ambient.task(name: "late \(number)") {
      try await bulkhead.run {
        inside.change { $0 += 1 }
        try await Ambient.sleep(for: .milliseconds(100))
      }
    }
  }
  try await Ambient.sleep(for: .milliseconds(50))
  try check(inside.value == limit, "\(inside.value) calls run at once, of \(limit) allowed")
  for call in late { try await call.value }
}

/// Callers of a hedge that comes after a tenth of a second.
@Sendable func hedgeScenario() async throws {
  let budget = RetryBudget(ratio: 0, minimumRetries: 9, window: .seconds(3_600))
  let hedge = Hedge(
    Hedge.Configuration(
      delay: .fixed(.milliseconds(100)), ratio: 0, minimumHedges: 3, budgetWindow: .seconds(3_600)),
    budget: budget)
  let seconds = Shared(0)
  _ = try await crowd(4) { number in
    let own = Shared((now: 0, total: 0, value: AmbientClock.Instant?.none))
    do {
      try await hedge.run {
        let attempt = own.change { state in
          state.now += 1
          state.total += 1
          return state.total
        }
        defer { own.change { $0.now -= 1 } }
        // What is refused further in costs nothing.
        if attempt == 2, pick(below: 4) == 3 { throw Rejection(.bulkheadFull) }
        if attempt == 2 { seconds.change { $0 += 1 } }
        try await Ambient.sleep(for: .milliseconds(50 + pick(below: 4) * 100))
        if pick(below: 4) == 3 { throw Fault() }
        let now = Ambient.clock.now
        own.change { $0.value = $0.value ?? now }
      }
      try check(own.value.value == Ambient.clock.now, "call \(number) ends after its first value has come")
    } catch let error where !(error is Wrong) {
      try check(own.value.value == nil, "call \(number) fails although it has a value")
      throw error
    }
    try check(own.value.now == 0, "an attempt of call \(number) still runs at its end")
  }
  let made = seconds.value
  try check(made <= 3, "\(made) hedges are made, of 3 allowed")
  try check(
    hedge.available == 3 - made && budget.available == 9 - made,
    "\(hedge.available) and \(budget.available) are left of 3 and 9 hedges, \(made) of which were made")
}

/// Callers of a throttle that holds back as many as are turned away.
@Sendable func throttleScenario() async throws {
  let throttle = Throttle(Throttle.Configuration(multiplier: 1, window: .seconds(3_600), minimumRate: 0))
  let told = Shared((requests: 0, accepts: 0))
  _ = try await crowd(4) { _ in
    for _ in 0..<2 {
      do {
        try await throttle.run {
          try await Ambient.sleep(for: .milliseconds(pick(below: 3) * 100 + 50))
          let isAccepted = pick(below: 3) > 0
          told.change { told in
            told.requests += 1
            told.accepts += isAccepted ? 1 : 0
          }
          if !isAccepted { throw Fault() }
        }
      } catch is Fault {
      } catch let rejection as Rejection {
        told.change { $0.requests += 1 }
        try check(rejection.reason == .throttled, "the throttle refuses with \(rejection.reason.rawValue)")
      }
    }
  }
  let (requests, accepts) = told.value
  let share = min(0.9, Double(requests - accepts) / Double(requests + 1))
  try check(
    throttle.rejectionProbability == share,
    "it holds back \(throttle.rejectionProbability), for \(accepts) of \(requests) accepted")
}
