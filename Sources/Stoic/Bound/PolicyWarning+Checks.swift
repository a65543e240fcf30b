extension PolicyWarning {
  /// What is wrong with a time limit on a step.
  package static func ofStep(_ limit: Duration, within deadline: Duration?) -> [PolicyWarning] {
    if limit <= .zero { return [.noTime(limit)] }
    guard let deadline, deadline > .zero, limit >= deadline else { return [] }
    return [.attemptTimeoutPastDeadline(attempt: limit, deadline: deadline)]
  }

  /// What is wrong with a queue's time.
  package static func ofQueue(_ timeout: Duration?, limit: Int, within deadline: Duration?) -> [PolicyWarning]
  {
    guard let timeout, limit > 0 else { return [] }
    if timeout <= .zero { return [.queueWithoutTime(queueLimit: limit)] }
    guard let deadline, deadline > .zero, timeout >= deadline else { return [] }
    return [.queueTimeoutPastDeadline(queue: timeout, deadline: deadline)]
  }

  /// What is wrong with a retry.
  ///
  /// - Parameter isMeant: whether somebody asked for a retry, so that one that makes a single attempt is a mistake.
  package static func ofRetry(
    _ schedule: RetrySchedule, _ budget: RetryBudget?, within deadline: Duration?, isMeant: Bool
  ) -> [PolicyWarning] {
    guard schedule.maxAttempts > 1 else { return isMeant ? [.retryOfOneAttempt] : [] }
    var warnings: [PolicyWarning] = []
    if schedule.cap < schedule.base, schedule.usesBase {
      warnings.append(.capBelowBase(cap: schedule.cap, base: schedule.base))
    }
    if let budget, budget.minimumRetries == 0 {
      warnings.append(budget.ratio > 0 ? .budgetWithoutFloor(ratio: budget.ratio) : .budgetNeverPays)
    }
    if let deadline, deadline > .zero {
      let possible = schedule.attempts(within: deadline)
      if possible < schedule.maxAttempts {
        warnings.append(
          .attemptsPastDeadline(possible: possible, attempts: schedule.maxAttempts, deadline: deadline))
      }
    }
    return warnings
  }

  /// What is wrong with a breaker.
  ///
  /// - Parameters:
  ///   - timeout: the longest that a call may run; nil where nothing bounds it.
  ///   - longest: the same with the time in queues behind the breaker.
  ///   - concurrency: how many calls may run at once; nil for any number.
  package static func ofBreaker(
    _ breaker: CircuitBreaker.Configuration, timeout: Duration?, longest: Duration?, concurrency: Int?
  ) -> [PolicyWarning] {
    var warnings: [PolicyWarning] = []
    if let timeout, timeout > .zero {
      let calls = min(breaker.minimumCalls, breaker.lastCalls ?? .max)
      if let concurrency,
        timeout.saturatingMultiply(by: calls) > breaker.window.saturatingMultiply(by: concurrency)
      {
        warnings.append(
          .breakerNeverOpens(
            minimumCalls: calls, timeout: timeout, window: breaker.window, concurrency: concurrency))
      }
      if breaker.window < timeout.saturatingAdd(timeout) {
        warnings.append(.breakerWindowTooShort(window: breaker.window, timeout: timeout))
      }
    }
    if let longest, longest > .zero {
      if let slow = breaker.slowCallDuration, slow > longest {
        warnings.append(.slowCallsTimeOut(slow: slow, timeout: longest))
      }
      if let probe = breaker.probeTimeout, probe <= longest {
        warnings.append(.probeTimeoutTooShort(probe: probe, timeout: longest))
      }
    }
    if breaker.maxOpenFor < breaker.openFor {
      warnings.append(.openTimeBelowFirst(longest: breaker.maxOpenFor, first: breaker.openFor))
    }
    return warnings
  }
}

extension PolicyWarning {
  /// What is wrong with a hedge.
  ///
  /// - Parameters:
  ///   - timeout: when the attempt beside it ends by itself; nil where it does not.
  ///   - sharesEnd: whether both end by that time.
  package static func ofHedge(
    _ hedge: Hedge.Configuration, _ budget: RetryBudget?, timeout: Duration?, sharesEnd: Bool
  ) -> [PolicyWarning] {
    guard hedge.canPay(with: budget) else { return [.hedgeNeverPaid] }
    guard case .fixed(let delay) = hedge.delay, let timeout, timeout > .zero,
      !hedge.canBegin(within: timeout, sharesEnd: sharesEnd)
    else { return [] }
    return [.hedgeAfterTimeout(delay: delay, timeout: timeout)]
  }

  /// What is wrong with an adaptive bulkhead.
  package static func ofAdaptive(
    _ bulkhead: AdaptiveBulkhead.Configuration, within deadline: Duration?
  ) -> [PolicyWarning] {
    let queue = ofQueue(bulkhead.queueTimeout, limit: bulkhead.queueLimit, within: deadline)
    guard bulkhead.limits.count == 1 else { return queue }
    return [.limitCannotAdapt(limit: bulkhead.limits.lowerBound)] + queue
  }

  /// What is wrong with a rate limiter.
  package static func ofLimiter(_ limiter: RateLimiter.Configuration) -> [PolicyWarning] {
    // A wait that would be too long for the deadline is refused beforehand, so that it is no mistake.
    ofQueue(limiter.maxWait, limit: limiter.queueLimit, within: nil)
  }

  /// What is wrong with a throttle, behind a rate limiter or not.
  package static func ofThrottle(
    _ throttle: Throttle.Configuration, limiter: RateLimiter.Configuration?
  ) -> [PolicyWarning] {
    guard throttle.maxRejection > 0 else { return [.throttleNeverRefuses] }
    // All that gets through is accepted then, and what was refused counts as asked for: the share is that of before, but for
    // what chance takes off, which is little where a window holds many calls.
    let fewest = throttle.minimumRate * throttle.window.inSeconds
    let share: [PolicyWarning] =
      throttle.multiplier <= 1 && fewest >= 50
      ? [.throttleHardlyRecovers(multiplier: throttle.multiplier)] : []
    guard let limiter else { return share }
    let rate = Double(limiter.calls) / limiter.per.inSeconds
    return rate < throttle.minimumRate
      ? share + [.rateLimitBelowThrottle(limit: rate, minimum: throttle.minimumRate)] : share
  }
}

extension RetrySchedule {
  /// Whether waits begin with ``base``.
  fileprivate var usesBase: Bool {
    guard case .list(let waits) = backoff else { return true }
    return waits.isEmpty
  }
}
