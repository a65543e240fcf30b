extension PolicyWarning {
  /// What is wrong with a retry whose attempts each take a token of every limiter.
  ///
  /// - Parameter deadline: the time for all of them; nil for any.
  package static func ofRetry(
    _ schedule: RetrySchedule, behind limiters: [RateLimiter.Configuration], within deadline: Duration?
  ) -> [PolicyWarning] {
    guard schedule.maxAttempts > 1, let deadline, deadline > .zero else { return [] }
    // No wait is started that would end at the deadline.
    let time = deadline - Duration(attoseconds: 1)
    let possible = limiters.map { $0.tokens(within: time) }.min()
    guard let possible, possible < schedule.maxAttempts else { return [] }
    return [.rateLimitBelowRetry(possible: possible, attempts: schedule.maxAttempts, deadline: deadline)]
  }

  /// What is wrong with a retry whose second attempt asks a limiter that lets it wait too short a time for its token.
  ///
  /// - Parameters:
  ///   - attempt: how long the first attempt goes on after its token, and what is before the second one's token takes; nil
  ///     where nothing bounds it.
  ///   - asked: the longest wait that a failure may ask for.
  package static func ofRetry(
    _ schedule: RetrySchedule, refusedBy limiters: [RateLimiter.Configuration], after attempt: Duration?,
    asked: Duration = .zero
  ) -> [PolicyWarning] {
    guard schedule.maxAttempts > 1, let attempt else { return [] }
    let due = attempt.saturatingAdd(schedule.longestWaits(between: 2, asked: asked))
    let late = limiters.filter {
      $0.burst == 1 && due.saturatingAdd($0.longestWait) < $0.tokenTime
    }
    guard let slowest = late.max(by: { $0.tokenTime < $1.tokenTime }) else { return [] }
    return [
      .rateLimitRefusesRetry(token: slowest.tokenTime, latest: due.saturatingAdd(slowest.longestWait))
    ]
  }

  /// What is wrong with a breaker whose calls each take a token of every limiter.
  package static func ofBreaker(
    _ breaker: CircuitBreaker.Configuration, behind limiters: [RateLimiter.Configuration]
  ) -> [PolicyWarning] {
    let calls = min(breaker.minimumCalls, breaker.lastCalls ?? .max)
    let possible = limiters.map { $0.tokens(within: breaker.window) }.min()
    guard let possible, possible < calls else { return [] }
    return [.rateLimitBelowBreaker(possible: possible, minimumCalls: calls, window: breaker.window)]
  }

  /// What is wrong with a hedge whose second attempt has to find a token at once.
  ///
  /// - Parameters:
  ///   - timeout: when the first attempt ends at the latest; nil where it does not.
  ///   - wait: how long the first attempt may wait after it has taken its token; nil where nothing bounds that.
  package static func ofHedge(
    _ hedge: Hedge.Configuration, behind limiter: RateLimiter.Configuration, timeout: Duration?,
    wait: Duration?
  ) -> [PolicyWarning] {
    guard limiter.burst == 1, let wait else { return [] }
    let due: Duration? = if case .fixed(let delay) = hedge.delay { delay } else { timeout }
    guard let latest = due?.saturatingAdd(wait), latest < limiter.tokenTime else { return [] }
    return [.rateLimitBelowHedge(token: limiter.tokenTime, latest: latest)]
  }
}

extension RateLimiter.Configuration {
  /// The time in which a token comes back, rounded down.
  package var tokenTime: Duration { per / calls }

  /// The most tokens that are taken within a time: a full bucket, and those that come back, with one that does at its end.
  package func tokens(within time: Duration) -> Int {
    let (all, overflow) = max(.zero, time.clamped).attoseconds.multipliedReportingOverflow(by: Int128(calls))
    return overflow ? .max : burst.saturatingAdd(Int(clamping: all / per.attoseconds))
  }
}
