import Stoic
import StoicTesting
import Testing

/// Policies of drawn stages in a drawn order, sensible or not, under callers and work that are the run's choice, too.
@Suite("The bound of stages under simulation", .timeLimit(.minutes(30)))
struct CoreBoundSimulation {
  private struct Down: Error {}
  private struct Final: Retryable {
    var retryAdvice: RetryAdvice { .final }
  }

  private static let callers = 5

  private static func draw(_ bound: Int) -> Int { Int(Ambient.random.next() % UInt64(bound)) }

  private static func one<Value>(of values: [Value]) -> Value { values[draw(values.count)] }

  private static func seconds(_ values: Double...) -> Duration { .seconds(one(of: values)) }

  private static func policy() -> Policy {
    let budgets = [nil, budget(), budget()]
    let stages = (0..<1 + draw(6)).map { _ in stage(budgets) }
    // A policy is a stage itself.
    return draw(4) == 0 ? Policy(stage(budgets), Policy(stages), stage(budgets)) : Policy(stages)
  }

  private static func stage(_ budgets: [RetryBudget?]) -> any PolicyStage {
    switch draw(13) {
    case 0: DeadlineStage(seconds(0.5, 3, 10, 40, 0))
    case 1, 2, 3: TimeoutStage(seconds(0.2, 1, 5, 5, -1))
    case 4, 5, 6: RetryStage(schedule(), budget: one(of: budgets))
    case 7: CircuitBreaker(.init(minimumCalls: 2, window: .seconds(20), openFor: seconds(0.3, 2)))
    case 8:
      Bulkhead(
        maxConcurrent: 1 + draw(3), queueLimit: draw(4),
        queueTimeout: one(of: [nil, .zero, .milliseconds(700)]))
    case 9:
      AdaptiveBulkhead(
        .init(initialLimit: 2, minLimit: 1, maxLimit: 3, samples: 2, queueLimit: draw(4)))
    case 10:
      RateLimiter(
        .init(
          calls: 1 + draw(3), burst: 1 + draw(2), queueLimit: draw(4),
          maxWait: one(of: [nil, .zero, .milliseconds(600)])))
    case 11: Throttle(.init(window: .seconds(5), minimumRate: 0))
    default:
      HedgeStage(
        Hedge(
          .init(
            delay: one(of: [.fixed(seconds(0, 0.2, 1, 4)), .quantile(0.5)]), minimumSamples: 1,
            minimumHedges: draw(3)),
          budget: one(of: budgets)))
    }
  }

  private static func budget() -> RetryBudget {
    RetryBudget(
      ratio: one(of: [0, 0.2, 1]), minimumRetries: one(of: [0, 1, 3, 10]), window: seconds(0.5, 3, 10))
  }

  private static func schedule() -> RetrySchedule {
    var schedule = RetrySchedule(
      maxAttempts: 1 + draw(4), base: seconds(0, 0.2, 1), cap: seconds(0.1, 2, 10),
      multiplier: one(of: [2, 1, 1.5]),
      backoff: one(of: [.exponential, .linear, .constant, .list([.seconds(1), .milliseconds(100)])]),
      jitter: one(of: [.none, .full, .equal, .decorrelated]))
    schedule.nesting = one(of: [.singleAttempt, .singleAttempt, .independent])
    return schedule
  }

  /// Work that fails, hangs, or succeeds, where it may.
  private static func work(canSucceed: Bool) async throws -> Int {
    let time = seconds(0, 0, 0.3, 1, 12)
    switch draw(canSucceed ? 6 : 4) {
    case 0: throw Down()
    case 1: throw Final()
    case 2: try await Ambient.sleep(for: .seconds(90_000))
    case 3:
      try await Ambient.sleep(for: time)
      throw Down()
    default: try await Ambient.sleep(for: time)
    }
    return 42
  }

  @Test("No call under drawn stages exceeds the bound in attempts or time, nor do all together in load")
  func bounded() throws {
    try simulate(seeds: 0..<2_000, stepLimit: 200_000, marks: ["bounded in time", "all attempts", "hedged"]) {
      let (policy, canSucceed) = (Self.policy(), Self.draw(2) == 1)
      let (bound, start) = (policy.bound, Ambient.clock.now)
      let total = Lock(0)
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<Self.callers {
          group.addTask { await Self.call(policy, within: bound, canSucceed: canSucceed) }
        }
        for await attempts in group { total.withLock { $0 += attempts } }
      }
      let (attempts, span) = (total.withLock { $0 }, start.duration(to: Ambient.clock.now))
      guard !canSucceed else { return }
      #expect(attempts <= bound.attempts(ofCalls: Self.callers, within: span), "\(policy)")
    }
  }

  /// One call, or one that is cancelled.
  ///
  /// - Returns: how often its work began.
  private static func call(_ policy: Policy, within bound: PolicyBound, canSucceed: Bool) async -> Int {
    try? await Ambient.sleep(for: seconds(0, 0, 0.1, 1, 3))
    let (isHedged, start) = (draw(2) == 0, Ambient.clock.now)
    let attempts = Lock(0)
    let call = Ambient.task {
      if isHedged {
        _ = try? await policy.runHedged {
          attempts.withLock { $0 += 1 }
          return try await work(canSucceed: canSucceed)
        }
      } else {
        _ = try? await policy.run {
          attempts.withLock { $0 += 1 }
          return try await work(canSucceed: canSucceed)
        }
      }
      return start.duration(to: Ambient.clock.now)
    }
    // What nothing bounds is ended here.
    if bound.elapsed == nil || draw(5) == 0 {
      try? await Ambient.sleep(for: seconds(0, 0.2, 2, 100))
      call.cancel()
    }
    let end = await call.result
    let count = attempts.withLock { $0 }
    if case .success(let elapsed) = end, let most = bound.elapsed {
      mark("bounded in time")
      #expect(elapsed <= most, "\(policy): \(elapsed)")
    }
    #expect(count <= bound.attempts, "\(policy)")
    if count == bound.attempts, count > 1 { mark("all attempts") }
    if isHedged, count > 1 { mark("hedged") }
    return count
  }
}
