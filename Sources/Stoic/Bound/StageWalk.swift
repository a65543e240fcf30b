/// A way through the stages of a policy from outside, and what is known of those passed already.
struct StageWalk {
  /// What the stages outside say about what is inside them.
  struct Outside {
    /// The nearest time limit.
    var deadline: Duration?
    var isNested = false
    /// The fewest that may run at once.
    var concurrency: Int?
    /// The limiters of whose tokens each attempt takes its own.
    var limiters: [RateLimiter.Configuration] = []
    /// Whether the time in queues counts; else only that of bodies and of waits between attempts.
    var countsQueues = true
  }

  let stages: ArraySlice<any PolicyStage>
  let outside: Outside

  init(_ stages: ArraySlice<any PolicyStage>, _ outside: Outside = Outside()) {
    self.stages = stages
    self.outside = outside
  }

  /// This way, one stage further in, where a stage may be a policy itself.
  var inside: StageWalk {
    var outside = outside
    switch stages.first {
    case let stage as DeadlineStage:
      outside.deadline = min(outside.deadline ?? stage.duration, stage.duration)
    case let stage as TimeoutStage:
      outside.deadline = min(outside.deadline ?? stage.duration, stage.duration)
    case let stage as RetryStage:
      if repeats(stage) { outside.limiters = [] }
      outside.isNested = true
    case is HedgeStage:
      outside.limiters = []
      outside.concurrency = outside.concurrency?.saturatingMultiply(by: 2)
    case let stage as Bulkhead:
      outside.concurrency = min(outside.concurrency ?? .max, stage.maxConcurrent)
    case let stage as AdaptiveBulkhead:
      outside.concurrency = min(outside.concurrency ?? .max, stage.configuration.limits.upperBound)
    case let stage as RateLimiter: outside.limiters.append(stage.configuration)
    default: break
    }
    return StageWalk(stages.dropFirst(), outside)
  }

  /// This way, with the stages of a policy in its place.
  func opened(_ policy: Policy) -> StageWalk {
    StageWalk((policy.stages + stages.dropFirst())[...], outside)
  }

  /// Whether a retry here may make more than one attempt.
  func repeats(_ stage: RetryStage) -> Bool {
    stage.schedule.maxAttempts > 1 && !(outside.isNested && stage.schedule.nesting == .singleAttempt)
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
        stage.schedule, stage.budget, within: outside.deadline,
        isNested: outside.isNested && stage.schedule.nesting == .singleAttempt,
        sharesBudget: inside.payers.allSatisfy { $0 === stage.budget })
    case let stage as HedgeStage:
      inner.hedged(
        stage.hedge.configuration, stage.hedge.budget, within: outside.deadline, sharesEnd: false)
    case _ where !outside.countsQueues: inner
    case let stage as Bulkhead:
      inner.queued(stage.queueLimit, by: stage.maxConcurrent, for: stage.queueTimeout)
    case let stage as AdaptiveBulkhead: inner.queued(stage.configuration)
    case let stage as RateLimiter: inner.after(stage.configuration.longestWait)
    default: inner
    }
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
}
