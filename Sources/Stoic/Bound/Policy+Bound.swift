extension Policy {
  /// The most that one run costs in attempts and time, from the values of its stages.
  ///
  /// Stages of other types than this package's are taken to run what is inside once, and to wait for nothing. A bulkhead is taken
  /// to be this policy's alone. What an error asks for as a wait is not counted, nor is a body that goes on after its
  /// cancellation. A policy that is run within another retry's attempt makes fewer attempts.
  public var bound: PolicyBound { StageWalk(stages[...]).bound }

  /// The combinations of its stages that cannot work, the outermost first; none where all fit together.
  public var warnings: [PolicyWarning] { StageWalk(stages[...]).warnings }
}

/// A way through the stages of a policy from outside, and what is known of those passed already.
private struct StageWalk {
  private let stages: ArraySlice<any PolicyStage>
  /// The nearest time limit outside.
  private var deadline: Duration?
  private var isNested = false
  /// The fewest that may run at once, of the bulkheads outside.
  private var concurrency: Int?
  /// The slowest limiter outside.
  private var limiter: RateLimiter.Configuration?

  init(_ stages: ArraySlice<any PolicyStage>) {
    self.stages = stages
  }

  /// This way, one stage further in, where a stage may be a policy itself.
  private var inside: StageWalk {
    var walk = StageWalk(stages.dropFirst())
    (walk.deadline, walk.isNested, walk.concurrency, walk.limiter) = (
      deadline, isNested, concurrency, limiter
    )
    switch stages.first {
    case let stage as DeadlineStage: walk.deadline = min(deadline ?? stage.duration, stage.duration)
    case let stage as TimeoutStage: walk.deadline = min(deadline ?? stage.duration, stage.duration)
    case is RetryStage: walk.isNested = true
    case let stage as Bulkhead: walk.concurrency = min(concurrency ?? .max, stage.maxConcurrent)
    case let stage as AdaptiveBulkhead:
      walk.concurrency = min(concurrency ?? .max, stage.configuration.limits.upperBound)
    case let stage as RateLimiter: walk.limiter = slower(stage.configuration)
    default: break
    }
    return walk
  }

  /// This way, with the stages of a policy in its place.
  private func opened(_ policy: Policy) -> StageWalk {
    var walk = StageWalk((policy.stages + stages.dropFirst())[...])
    (walk.deadline, walk.isNested, walk.concurrency, walk.limiter) = (
      deadline, isNested, concurrency, limiter
    )
    return walk
  }

  var bound: PolicyBound {
    guard let stage = stages.first else { return .once }
    if let policy = stage as? Policy { return opened(policy).bound }
    let inner = inside.bound
    return switch stage {
    case let stage as DeadlineStage: inner.within(stage.duration)
    case let stage as TimeoutStage: inner.within(stage.duration)
    case let stage as RetryStage:
      inner.retried(
        stage.schedule, stage.budget, within: deadline,
        isNested: isNested && stage.schedule.nesting == .singleAttempt,
        sharesBudget: inside.payers.allSatisfy { $0 === stage.budget })
    case let stage as Bulkhead:
      inner.queued(stage.queueLimit, by: stage.maxConcurrent, for: stage.queueTimeout)
    case let stage as AdaptiveBulkhead: inner.queued(stage.configuration)
    case let stage as RateLimiter: inner.after(stage.configuration.longestWait)
    case let stage as HedgeStage:
      inner.hedged(stage.hedge.configuration, stage.hedge.budget, sharesEnd: false)
    default: inner
    }
  }

  var warnings: [PolicyWarning] {
    guard let stage = stages.first else { return [] }
    if let policy = stage as? Policy { return opened(policy).warnings }
    let own: [PolicyWarning] =
      switch stage {
      case let stage as DeadlineStage: PolicyWarning.ofStep(stage.duration, within: deadline)
      case let stage as TimeoutStage: PolicyWarning.ofStep(stage.duration, within: deadline)
      case let stage as RetryStage: retryWarnings(stage)
      case let stage as Bulkhead:
        PolicyWarning.ofQueue(stage.queueTimeout, limit: stage.queueLimit, within: deadline)
      case let stage as CircuitBreaker: breakerWarnings(stage)
      case let stage as AdaptiveBulkhead: PolicyWarning.ofAdaptive(stage.configuration, within: deadline)
      case let stage as RateLimiter: PolicyWarning.ofLimiter(stage.configuration)
      case let stage as Throttle: PolicyWarning.ofThrottle(stage.configuration, limiter: limiter)
      case let stage as HedgeStage: hedgeWarnings(stage.hedge)
      default: []
      }
    return own + inside.warnings
  }

  private func retryWarnings(_ stage: RetryStage) -> [PolicyWarning] {
    if isNested, stage.schedule.nesting == .singleAttempt, stage.schedule.maxAttempts > 1 {
      return [.retryWithinRetry(attempts: stage.schedule.maxAttempts)]
    }
    let own = PolicyWarning.ofRetry(stage.schedule, stage.budget, within: deadline, isMeant: true)
    guard let limiter = inside.slowest else { return own }
    return own + PolicyWarning.ofRetry(stage.schedule, behind: limiter, within: deadline)
  }

  private func breakerWarnings(_ stage: CircuitBreaker) -> [PolicyWarning] {
    let inside = inside
    let timeout = inside.bound.elapsed
    var own = PolicyWarning.ofBreaker(
      stage.configuration, timeout: timeout, concurrency: inside.narrowest)
    let slowest = [limiter, inside.slowest].compactMap(\.self).max { $0.tokenTime < $1.tokenTime }
    if let slowest { own += PolicyWarning.ofBreaker(stage.configuration, behind: slowest) }
    guard timeout == nil, let deadline, deadline > .zero else { return own }
    return [.breakerInsideTimeLimit(limit: deadline)] + own
  }

  private func hedgeWarnings(_ hedge: Hedge) -> [PolicyWarning] {
    let (inside, timeout) = (inside, inside.bound.elapsed)
    let own = PolicyWarning.ofHedge(
      hedge.configuration, hedge.budget, timeout: timeout ?? deadline,
      // A deadline around is one for both.
      sharesEnd: timeout == nil)
    guard own.isEmpty else { return own }
    // Those outside let both through as one.
    return inside.narrowestInside == 1 ? [.hedgeWithoutRoom(permits: 1)] : []
  }

  /// What pays for each stage from here on that makes more than one attempt; nil where nothing does.
  private var payers: [RetryBudget?] {
    guard let stage = stages.first else { return [] }
    if let policy = stage as? Policy { return opened(policy).payers }
    let own: [RetryBudget?] =
      switch stage {
      case let stage as RetryStage: [stage.budget]
      case let stage as HedgeStage: [stage.hedge.budget]
      default: []
      }
    return own + inside.payers
  }

  /// The fewest that may run at once, of the bulkheads outside and inside.
  private var narrowest: Int? {
    guard let stage = stages.first else { return concurrency }
    return stage is Policy ? opened(stage as? Policy ?? Policy()).narrowest : inside.narrowest
  }

  /// The fewest that may run at once, of the bulkheads from here on alone.
  private var narrowestInside: Int? {
    var walk = self
    walk.concurrency = nil
    return walk.narrowest
  }

  /// The slowest limiter from here on.
  private var slowest: RateLimiter.Configuration? {
    guard let stage = stages.first else { return nil }
    if let policy = stage as? Policy { return opened(policy).slowest }
    let rest = inside.slowest
    guard let stage = stage as? RateLimiter else { return rest }
    return [stage.configuration, rest].compactMap(\.self).max { $0.tokenTime < $1.tokenTime }
  }

  /// The slower one of a limiter and those outside.
  private func slower(_ other: RateLimiter.Configuration) -> RateLimiter.Configuration {
    limiter.map { $0.tokenTime < other.tokenTime ? other : $0 } ?? other
  }
}

extension PolicyBound {
  /// What a time limit around it leaves.
  package func within(_ limit: Duration) -> PolicyBound {
    guard limit > .zero else { return PolicyBound(attempts: 0, elapsed: .zero) }
    return PolicyBound(
      attempts: attempts, exchanges: exchanges, elapsed: min(elapsed ?? limit, limit), floor: floor)
  }

  /// What a wait in front of it adds.
  package func after(_ wait: Duration) -> PolicyBound {
    PolicyBound(
      attempts: attempts, exchanges: exchanges, elapsed: elapsed.map { $0.saturatingAdd(wait) }, floor: floor)
  }

  /// What a queue in front of it adds: each of those ahead takes as long as this, so many at once.
  package func queued(_ limit: Int, by concurrency: Int, for timeout: Duration?) -> PolicyBound {
    let rounds = limit / concurrency + (limit % concurrency > 0 ? 1 : 0)
    let turn = limit == 0 ? Duration.zero : elapsed.map { $0.saturatingMultiply(by: rounds) }
    let wait = [turn, timeout].compactMap(\.self).min()
    return PolicyBound(
      attempts: attempts, exchanges: exchanges,
      elapsed: elapsed.flatMap { own in wait.map { own.saturatingAdd($0) } }, floor: floor)
  }

  /// What the queue of a bulkhead in front of it adds whose limit may fall to its least.
  package func queued(_ adaptive: AdaptiveBulkhead.Configuration) -> PolicyBound {
    queued(adaptive.queueLimit, by: adaptive.limits.lowerBound, for: adaptive.queueTimeout)
  }

  /// What a second attempt beside each one makes of it.
  ///
  /// - Parameter sharesEnd: whether both end by the time that the first one has; else the second one has as much of its own.
  package func hedged(
    _ hedge: Hedge.Configuration, _ budget: RetryBudget?, sharesEnd: Bool
  ) -> PolicyBound {
    guard hedge.canPay(with: budget), hedge.canBegin(within: elapsed, sharesEnd: sharesEnd) else {
      return self
    }
    let latest: Duration? = if case .fixed(let delay) = hedge.delay { delay } else { elapsed }
    let second = elapsed.flatMap { own in latest.map { own.saturatingAdd($0) } }
    return PolicyBound(
      attempts: attempts.saturatingMultiply(by: 2), exchanges: exchanges.saturatingMultiply(by: 2),
      elapsed: sharesEnd ? elapsed : second,
      floor: attempts == 1 ? budget.map { Floor(retries: $0.minimumRetries, window: $0.window) } : nil)
  }

  /// What a retry around it makes of it.
  ///
  /// - Parameters:
  ///   - deadline: the time limit around the retry.
  ///   - isNested: whether it makes one attempt, as it is within another retry.
  ///   - asked: the longest wait that a failure may ask for.
  ///   - sharesBudget: whether all that makes more attempts inside is paid for by the same budget.
  package func retried(
    _ schedule: RetrySchedule, _ budget: RetryBudget?, within deadline: Duration?, isNested: Bool = false,
    asked: Duration = .zero, sharesBudget: Bool
  ) -> PolicyBound {
    let neverPays = budget.map { $0.minimumRetries == 0 && $0.ratio <= 0 } ?? false
    let count = isNested || neverPays ? 1 : schedule.attempts(within: deadline)
    // The budgets of two retries within each other bound no more than their attempts do.
    let own =
      attempts == 1 || (floor != nil && sharesBudget)
      ? budget.map { Floor(retries: $0.minimumRetries, window: $0.window) } : nil
    return PolicyBound(
      attempts: attempts.saturatingMultiply(by: count), exchanges: exchanges.saturatingMultiply(by: count),
      elapsed: elapsed.map {
        $0.saturatingMultiply(by: count).saturatingAdd(schedule.longestWaits(between: count, asked: asked))
      },
      floor: count > 1 ? own : floor)
  }
}

extension Hedge.Configuration {
  /// Whether there is anything to pay a hedge with.
  package func canPay(with budget: RetryBudget?) -> Bool {
    (minimumHedges > 0 || ratio > 0) && budget.map { $0.minimumRetries > 0 || $0.ratio > 0 } ?? true
  }

  /// Whether a hedge can begin before the attempt ends by itself, or as it does, where both do not end together.
  package func canBegin(within timeout: Duration?, sharesEnd: Bool) -> Bool {
    guard case .fixed(let delay) = delay, let timeout else { return true }
    return sharesEnd ? delay < timeout : delay <= timeout
  }
}

extension RateLimiter.Configuration {
  /// The longest that a call waits for its token: behind a full queue.
  package var longestWait: Duration {
    // Each token comes at a whole attosecond, rounded up, and a full bucket keeps no rest.
    let token = Duration(attoseconds: (per.attoseconds + Int128(calls) - 1) / Int128(calls))
    let turn = queueLimit == 0 ? Duration.zero : token.saturatingMultiply(by: queueLimit).clamped
    return min(turn, maxWait ?? .longest)
  }
}
