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
  /// - Parameters:
  ///   - deadline: the time limit around both.
  ///   - sharesEnd: whether both end by the time that the first one has; else the second one has as much of its own.
  package func hedged(
    _ hedge: Hedge.Configuration, _ budget: RetryBudget?, within deadline: Duration? = nil, sharesEnd: Bool
  ) -> PolicyBound {
    guard hedge.canPay(with: budget), hedge.canBegin(within: elapsed, sharesEnd: sharesEnd),
      hedge.canBegin(within: deadline, sharesEnd: true)
    else { return self }
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
