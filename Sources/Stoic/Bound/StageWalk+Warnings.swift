extension StageWalk {
  var warnings: [PolicyWarning] {
    guard let stage = stages.first else { return [] }
    if let policy = stage as? Policy { return opened(policy).warnings }
    let own: [PolicyWarning] =
      switch stage {
      case let stage as DeadlineStage: PolicyWarning.ofStep(stage.duration, within: outside.deadline)
      case let stage as TimeoutStage: PolicyWarning.ofStep(stage.duration, within: outside.deadline)
      case let stage as RetryStage: retryWarnings(stage)
      case let stage as Bulkhead:
        PolicyWarning.ofQueue(stage.queueTimeout, limit: stage.queueLimit, within: outside.deadline)
      case let stage as CircuitBreaker: breakerWarnings(stage)
      case let stage as AdaptiveBulkhead:
        PolicyWarning.ofAdaptive(stage.configuration, within: outside.deadline)
      case let stage as RateLimiter: PolicyWarning.ofLimiter(stage.configuration)
      case let stage as Throttle:
        PolicyWarning.ofThrottle(
          stage.configuration,
          limiter: (outside.limiters + inside.limiters).max { $0.tokenTime < $1.tokenTime })
      case let stage as HedgeStage: hedgeWarnings(stage.hedge)
      default: []
      }
    return own + inside.warnings
  }

  private func retryWarnings(_ stage: RetryStage) -> [PolicyWarning] {
    guard repeats(stage) || stage.schedule.maxAttempts <= 1 else {
      return [.retryWithinRetry(attempts: stage.schedule.maxAttempts)]
    }
    return PolicyWarning.ofRetry(stage.schedule, stage.budget, within: outside.deadline, isMeant: true)
      + PolicyWarning.ofRetry(stage.schedule, behind: inside.limiters, within: outside.deadline)
      + PolicyWarning.ofRetry(stage.schedule, refusedBy: inside.limiters, after: inside.bound.elapsed)
  }

  private func breakerWarnings(_ stage: CircuitBreaker) -> [PolicyWarning] {
    let inside = inside
    let longest = inside.bound.elapsed
    // Who waits in a queue inside does not hold up those who end.
    var unqueued = inside.outside
    unqueued.countsQueues = false
    let own =
      PolicyWarning.ofBreaker(
        stage.configuration, timeout: StageWalk(inside.stages, unqueued).bound.elapsed, longest: longest,
        concurrency: [outside.concurrency, inside.permits].compactMap(\.self).min())
      + PolicyWarning.ofBreaker(stage.configuration, behind: outside.limiters + inside.limiters)
    guard longest == nil, let deadline = outside.deadline, deadline > .zero else { return own }
    return [.breakerInsideTimeLimit(limit: deadline)] + own
  }

  private func hedgeWarnings(_ hedge: Hedge) -> [PolicyWarning] {
    let inside = inside
    let own = PolicyWarning.ofHedge(
      hedge.configuration, hedge.budget, timeout: inside.bound.elapsed, sharesEnd: false)
    guard own.isEmpty else { return own }
    // A deadline around is one for both.
    let late = PolicyWarning.ofHedge(
      hedge.configuration, hedge.budget, timeout: outside.deadline, sharesEnd: true)
    guard late.isEmpty else { return late }
    // Those outside let both through as one.
    return inside.permits == 1 ? [.hedgeWithoutRoom(permits: 1)] : []
  }

  /// The fewest permits that what is inside holds as long as it takes: of the bulkheads up to the first stage that makes several
  /// attempts, which each take and give back their own.
  private var permits: Int? {
    guard let stage = stages.first else { return nil }
    let own: Int?
    switch stage {
    case let stage as Policy: return opened(stage).permits
    case let stage as RetryStage where repeats(stage): return nil
    case is HedgeStage: return nil
    case let stage as Bulkhead: own = stage.maxConcurrent
    case let stage as AdaptiveBulkhead: own = stage.configuration.limits.upperBound
    default: own = nil
    }
    return [own, inside.permits].compactMap(\.self).min()
  }

  /// The limiters from here on.
  private var limiters: [RateLimiter.Configuration] {
    guard let stage = stages.first else { return [] }
    if let policy = stage as? Policy { return opened(policy).limiters }
    guard let stage = stage as? RateLimiter else { return inside.limiters }
    return [stage.configuration] + inside.limiters
  }
}
