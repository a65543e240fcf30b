import Stoic
import StoicTesting
import Testing

extension PolicyExplorationTests {
  /// Callers of a limiter of a call in each second; their ends as text.
  static func rateLimiter(burst: Int, queue: Int, callers: Int) async throws -> String {
    let limiter = RateLimiter(
      RateLimiter.Configuration(calls: 1, per: .seconds(1), burst: burst, queueLimit: queue))
    let start = Ambient.clock.now
    let begun = Shared<[Duration]>([])
    // A token that is given back goes to the first who waits, who may be the one that is cancelled in the same step.
    #expect(limiter.acquireAtOnce())
    let giveBack: @Sendable () -> Void = { limiter.giveBack() }
    let ends = await crowd(callers, cancelledAt: [.zero, .seconds(1)], after: giveBack) {
      touch()
      do {
        try await limiter.run {
          let now = start.duration(to: Ambient.clock.now)
          begun.withLock { $0.append(now) }
        }
      } catch let rejection as Rejection {
        // It is refused in the very step in which it asked.
        #expect(limiter.waiting == queue)
        throw rejection
      }
    }
    let times = begun.withLock { $0 }
    // Nobody begins too early, and no token is lost to who left: each has its call.
    #expect(times == times.indices.map { .seconds(max(0, $0 - burst + 1)) })
    #expect(ends["cancelled"] == nil && ends["fault"] == nil)
    #expect((ends["value"] ?? 0) + (ends["rate_limited"] ?? 0) == callers)
    if callers + 1 <= queue { #expect(ends["rate_limited"] == nil) }
    #expect(times.count == (ends["value"] ?? 0) + (ends["victim value"] ?? 0))
    #expect(limiter.waiting == 0)
    try await Ambient.sleep(for: .seconds(burst))
    #expect(limiter.available == burst)
    return text(ends)
  }

  @Test(
    "Rate limiter: each token is one call's at its instant, nobody refused while there is a place, whoever leaves when",
    arguments: [(1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 1, 2), (1, 2, 3), (2, 2, 4), (1, 4, 4)])
  func rateLimiter(burst: Int, queue: Int, callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      _ = try await Self.rateLimiter(burst: burst, queue: queue, callers: callers)
    }
    #expect(report.isComplete)
  }

  /// Callers of an adaptive bulkhead whose limit rises from 1 to 2 when the first of them is through, or falls from 2 to 1;
  /// their ends as text.
  static func adaptiveBulkhead(rises: Bool, queue: Int, callers: Int) async throws -> String {
    let bulkhead = AdaptiveBulkhead(
      AdaptiveBulkhead.Configuration(
        initialLimit: rises ? 1 : 2, minLimit: 1, maxLimit: 2, window: .nanoseconds(1), samples: 1,
        baselineLifetime: rises ? .seconds(1_000) : .zero, queueLimit: queue))
    // Windows of three calls in a row: the baseline is known, and the next call ends a window.
    for _ in 0..<(rises ? 5 : 8) { try await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) } }
    #expect(bulkhead.limit == (rises ? 1 : 2) && bulkhead.baseline == .seconds(1))
    let inside = Shared((now: 0, most: 0))
    let check: @Sendable () -> Void = {
      // Nobody waits while there is a permit.
      #expect(bulkhead.waiting == 0 || bulkhead.inUse >= bulkhead.limit)
      #expect((1...2).contains(bulkhead.limit))
    }
    let ends = await crowd(callers, cancelledAt: [.zero, .seconds(1)]) {
      touch()
      do {
        try await bulkhead.run {
          inside.withLock { state in
            state.now += 1
            state.most = max(state.most, state.now)
          }
          check()
          defer { inside.withLock { $0.now -= 1 } }
          try await Ambient.sleep(for: .seconds(1))
        }
      } catch let rejection as Rejection {
        #expect(bulkhead.inUse >= bulkhead.limit && bulkhead.waiting == queue)
        throw rejection
      }
      touch()
      check()
    }
    #expect(inside.withLock { $0.most } <= 2)
    #expect(ends["cancelled"] == nil && ends["fault"] == nil)
    #expect((ends["value"] ?? 0) + (ends["bulkhead_full"] ?? 0) == callers)
    #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    return text(ends) + ", limit \(bulkhead.limit)"
  }

  @Test(
    "Adaptive bulkhead: nobody waits while there is a permit, all are back, also as the limit rises or falls meanwhile",
    arguments: [(true, 1, 1), (true, 2, 2), (false, 1, 1), (false, 1, 2)])
  func adaptiveBulkhead(rises: Bool, queue: Int, callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      _ = try await Self.adaptiveBulkhead(rises: rises, queue: queue, callers: callers)
    }
    #expect(report.isComplete)
  }

  /// Runs callers, the first of whom is cancelled at any point by who began them: as few tasks as there can be.
  private static func pair(
    _ callers: Int, _ call: @escaping @Sendable () async throws -> Void
  ) async -> [String: Int] {
    let calls = (0...callers).map { _ in Ambient.task { try await call() } }
    await Task.yield()
    touch()
    calls[0].cancel()
    var ends: [String: Int] = [:]
    for (number, call) in calls.enumerated() {
      let end = await word { try await call.value }
      touch()
      ends[number == 0 ? "victim \(end)" : end, default: 0] += 1
    }
    return ends
  }

  /// Callers of a hedge that comes at once, of which the budget pays for one; their ends as text.
  ///
  /// Where attempts pause they may fail, too.
  static func hedge(pauses: Bool, callers: Int) async throws -> String {
    let hedges = 1
    let budget = RetryBudget(ratio: 0, minimumRetries: 9, window: .seconds(3_600))
    let hedge = Hedge(
      Hedge.Configuration(
        delay: .fixed(.zero), ratio: 0, minimumHedges: hedges, budgetWindow: .seconds(3_600)),
      budget: budget)
    let seconds = Shared(0)
    let ends = await pair(callers) {
      touch()
      let own = Shared((now: 0, total: 0, values: 0))
      defer {
        // Both attempts have ended before the call has.
        #expect(own.withLock { $0.now } == 0 && own.withLock { $0.total } <= 2)
      }
      do {
        try await hedge.run {
          touch()
          let number = own.withLock { state in
            state.now += 1
            state.total += 1
            return state.total
          }
          defer { own.withLock { $0.now -= 1 } }
          if number == 2 { seconds.withLock { $0 += 1 } }
          if pauses {
            await Task.yield()
            touch()
          }
          try Task.checkCancellation()
          if pauses, pick(below: 2) == 1 { throw Fault() }
          own.withLock { $0.values += 1 }
        }
      } catch {
        #expect(own.withLock { $0.values } == 0)
        throw error
      }
    }
    let made = seconds.withLock { $0 }
    #expect(made <= hedges)
    #expect(hedge.available == hedges - made && budget.available == 9 - made)
    #expect((ends["value"] ?? 0) == callers && ends["cancelled"] == nil && ends["fault"] == nil)
    return text(ends)
  }

  @Test(
    "Hedge: two attempts at most, both over when the call is, and the budgets exact, whoever comes first",
    arguments: [(true, 0), (false, 1)])
  func hedge(pauses: Bool, callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      _ = try await Self.hedge(pauses: pauses, callers: callers)
    }
    #expect(report.isComplete)
  }

  /// Callers of a throttle whose server turns every second call away; their ends as text.
  static func throttle(callers: Int) async throws -> String {
    let throttle = Throttle(
      Throttle.Configuration(multiplier: 1, window: .seconds(3_600), minimumRate: 0))
    let told = Shared((requests: 0, accepts: 0))
    let ends = await crowd(callers) {
      touch()
      do {
        try await throttle.run {
          touch()
          await Task.yield()
          touch()
          try Task.checkCancellation()
          let isAccepted = pick(below: 2) == 0
          told.withLock { told in
            told.requests += 1
            told.accepts += isAccepted ? 1 : 0
          }
          if !isAccepted { throw Fault() }
        }
      } catch let rejection as Rejection {
        told.withLock { $0.requests += 1 }
        throw rejection
      }
    }
    let (requests, accepts) = told.withLock { $0 }
    let share = min(0.9, Double(requests - accepts) / Double(requests + 1))
    #expect(throttle.rejectionProbability == share)
    #expect(
      (ends["value"] ?? 0) + (ends["fault"] ?? 0) + (ends["throttled"] ?? 0) == callers
        && ends["cancelled"] == nil)
    return text(ends)
  }

  @Test(
    "Throttle: the share is that of what was asked for and accepted, its own refusals counted, whoever comes first",
    arguments: [1])
  func throttle(callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) { _ = try await Self.throttle(callers: callers) }
    #expect(report.isComplete)
  }
}
