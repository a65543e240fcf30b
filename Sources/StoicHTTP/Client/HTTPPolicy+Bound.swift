public import Stoic

extension HTTPPolicy {
  /// The most that one call costs in attempts, requests and time, and all calls together in load, from the policy's values.
  ///
  /// It holds for a call under no deadline of its caller's; one only lowers it. Not counted are what goes on after it was
  /// cancelled, by a transport that does not let go, and what a transport sends again on its own, as a ``CurlTransport`` may
  /// over HTTP/2. Where ``coalescesGETs`` is on and ``timeout`` is nil, a caller who shares the request of another that is
  /// cancelled, or that ends for want of time, begins anew, and may take that much longer. Of
  /// ``PolicyBound/attempts(ofCalls:within:)`` the calls are those to one host where ``budgetScope`` is `.host`.
  public var bound: PolicyBound {
    guard attemptTimeout > .zero, timeout.map({ $0 > .zero }) ?? true else {
      return PolicyBound(attempts: 0, elapsed: .zero)
    }
    let exchanges = redirects == .none ? 1 : 1 + Redirect.limit
    let attempt = PolicyBound(attempts: 1, exchanges: exchanges, elapsed: attemptTimeout)
    let admitted = queued(hedge.map { attempt.hedged($0, budget, sharesEnd: true) } ?? attempt)
    let limited = rateLimit.map { admitted.after($0.longestWait) } ?? admitted
    let paced = quota.map { limited.after($0.maxWait) } ?? limited
    let call = paced.retried(
      retry, budget, within: timeout, asked: longestAsked, sharesBudget: true)
    return timeout.map { call.within($0) } ?? call
  }

  /// The combinations of the policy's values that cannot work; none where all fit together.
  ///
  /// The presets have none.
  public var warnings: [PolicyWarning] {
    let longest = timeout.map { min($0, attemptTimeout) } ?? attemptTimeout
    var warnings: [PolicyWarning] = []
    if let timeout, timeout <= .zero { warnings.append(.noTime(timeout)) }
    // A budget is what tells that somebody means to retry.
    warnings += PolicyWarning.ofRetry(retry, budget, within: timeout, isMeant: budget != nil)
    if let breaker {
      warnings += PolicyWarning.ofBreaker(
        breaker, timeout: longest, longest: longest, concurrency: mostAtOnce)
      if let rateLimit { warnings += PolicyWarning.ofBreaker(breaker, behind: [rateLimit]) }
    }
    if let quota, quota.maxWait <= .zero { warnings.append(.quotaWithoutWait(quota.maxWait)) }
    if let rateLimit {
      warnings += PolicyWarning.ofLimiter(rateLimit)
      warnings += PolicyWarning.ofRetry(retry, behind: [rateLimit], within: timeout)
      // A quota is waited for before the second attempt's token.
      let wait = permitWait(behind: rateLimit, timeout: longest)?.saturatingAdd(quota?.maxWait ?? .zero)
      warnings += PolicyWarning.ofRetry(
        retry, refusedBy: [rateLimit], after: wait.map { $0.saturatingAdd(longest) }, asked: longestAsked)
    }
    if let throttle { warnings += PolicyWarning.ofThrottle(throttle, limiter: rateLimit) }
    if let adaptiveConcurrency {
      warnings += PolicyWarning.ofAdaptive(adaptiveConcurrency, within: timeout)
    } else if maxConcurrentPerHost != nil {
      warnings += PolicyWarning.ofQueue(queueTimeout, limit: queueLimitPerHost, within: timeout)
    }
    if let hedge { warnings += hedgeWarnings(hedge, timeout: longest) }
    warnings += PolicyWarning.ofStep(attemptTimeout, within: timeout)
    if let faults, faults.canHappen { warnings.append(.injectsFaults("\(faults)")) }
    return warnings
  }
}

extension HTTPPolicy {
  /// The longest wait that a server may ask for.
  private var longestAsked: Duration { retryStatuses.isEmpty && !retryKeyedConflict ? .zero : maxRetryAfter }

  /// How many attempts may run at once to one host; nil for any number.
  private var mostAtOnce: Int? { adaptiveConcurrency?.limits.upperBound ?? maxConcurrentPerHost }

  /// What the wait for a permit adds.
  private func queued(_ attempt: PolicyBound) -> PolicyBound {
    adaptiveConcurrency.map { attempt.queued($0) }
      ?? maxConcurrentPerHost.map { attempt.queued(queueLimitPerHost, by: $0, for: queueTimeout) } ?? attempt
  }

  /// What is wrong with a hedge: its second attempt waits for nothing.
  private func hedgeWarnings(_ hedge: Hedge.Configuration, timeout: Duration) -> [PolicyWarning] {
    let own = PolicyWarning.ofHedge(hedge, budget, timeout: timeout, sharesEnd: true)
    guard own.isEmpty else { return own }
    if mostAtOnce == 1 { return [.hedgeWithoutRoom(permits: 1)] }
    guard let rateLimit else { return [] }
    return PolicyWarning.ofHedge(
      hedge, behind: rateLimit, timeout: timeout, wait: permitWait(behind: rateLimit, timeout: timeout))
  }

  /// The longest that an attempt which has its token waits for a permit; nil where nothing bounds it.
  private func permitWait(behind limiter: RateLimiter.Configuration, timeout: Duration) -> Duration? {
    // At a slow rate there are permits for all, and nobody waits for one.
    let permits = adaptiveConcurrency?.limits.lowerBound ?? maxConcurrentPerHost ?? .max
    guard limiter.tokens(within: timeout) > permits else { return .zero }
    return queued(PolicyBound(attempts: 1, elapsed: timeout)).elapsed.map { $0 - timeout }
  }
}
