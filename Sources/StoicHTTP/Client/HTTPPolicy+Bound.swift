public import Stoic

extension HTTPPolicy {
  /// The most that one call costs in attempts, requests and time, and all calls together in load, from the policy's values.
  ///
  /// It holds for a call under no deadline of its caller's; one only lowers it. Not counted is what goes on after it was
  /// cancelled: a transport that does not let go. Where ``coalescesGETs`` is on and ``timeout`` is nil, a caller who shares
  /// the request of another that is cancelled begins anew, and may take that much longer.
  public var bound: PolicyBound {
    guard attemptTimeout > .zero, timeout.map({ $0 > .zero }) ?? true else {
      return PolicyBound(attempts: 0, elapsed: .zero)
    }
    let exchanges = redirects == .none ? 1 : 1 + Redirect.limit
    let attempt = PolicyBound(attempts: 1, exchanges: exchanges, elapsed: attemptTimeout)
    let admitted =
      maxConcurrentPerHost.map { attempt.queued(queueLimitPerHost, by: $0, for: queueTimeout) } ?? attempt
    let mayBeAsked = !retryStatuses.isEmpty || retryKeyedConflict
    let paced = quota.map { admitted.after($0.maxWait) } ?? admitted
    let call = paced.retried(
      retry, budget, within: timeout, asked: mayBeAsked ? maxRetryAfter : .zero)
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
      warnings += PolicyWarning.ofBreaker(breaker, timeout: longest, concurrency: maxConcurrentPerHost)
    }
    if maxConcurrentPerHost != nil {
      warnings += PolicyWarning.ofQueue(queueTimeout, limit: queueLimitPerHost, within: timeout)
    }
    warnings += PolicyWarning.ofStep(attemptTimeout, within: timeout)
    if let faults, faults.canHappen { warnings.append(.injectsFaults("\(faults)")) }
    return warnings
  }
}
