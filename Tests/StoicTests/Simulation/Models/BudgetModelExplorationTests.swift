import Stoic
import StoicTesting
import Testing

@Suite("A retry budget beside its model")
struct BudgetModelExplorationTests {
  /// The formula over a list of what was paid in and out.
  private struct Model: Sendable {
    struct Entry {
      let time: Int64
      /// Who made the retry; nil for a success.
      let payer: Int?
    }

    static let floor = 1
    static let window: Int64 = 250

    var entries: [Entry] = []
    var cancelled: Set<Int> = []

    func available(at now: Int64) -> Int {
      let counted = entries.filter { now - $0.time < Self.window }
      let successes = counted.filter { $0.payer == nil }.count
      return max(0, Self.floor + successes / 2 - (counted.count - successes))
    }

    /// A failed attempt; whether another one follows.
    mutating func fail(_ name: Int, attempt: Int, at now: Int64) -> Bool {
      guard !cancelled.contains(name), attempt < 3, available(at: now) > 0 else { return false }
      entries.append(Entry(time: now, payer: name))
      return true
    }

    mutating func succeed(at now: Int64) { entries.append(Entry(time: now, payer: nil)) }

    /// A retry that is not made.
    mutating func refund(_ name: Int) {
      if let last = entries.lastIndex(where: { $0.payer == name }) { entries.remove(at: last) }
    }
  }

  /// What a caller is about to do, by the model.
  private enum Next: Sendable, Equatable { case attempt(Int), stop }

  private static func run(_ crowd: FollowedCrowd) async {
    let budget = RetryBudget(ratio: 0.5, minimumRetries: Model.floor, window: .milliseconds(Model.window))
    let followed = Followed(Model()) { model in
      difference("what is available", budget.available, model.available(at: milliseconds))
    }
    await crowd.run { name in
      await Self.call(name, budget, followed, crowd)
    } cancelled: {
      followed.tell { _ = $0.cancelled.insert(0) }
      followed.check()
    }
  }

  private static func call(
    _ name: Int, _ budget: RetryBudget, _ followed: Followed<Model>, _ crowd: FollowedCrowd
  ) async {
    let next = Lock(Next.attempt(1))
    let schedule = RetrySchedule(
      maxAttempts: 3, base: .milliseconds(100), cap: .milliseconds(100), jitter: .none)
    let how = await word {
      try await retry(schedule, budget: budget) { attempt in
        #expect(next.withLock { $0 } == .attempt(attempt.number))
        #expect(attempt.number == 1 || !followed.model.cancelled.contains(name))
        followed.check()
        await crowd.work()
        followed.check()
        guard pick(below: 2) == 1 else { return }
        let goesOn = followed.tell { $0.fail(name, attempt: attempt.number, at: milliseconds) }
        next.withLock { $0 = goesOn ? .attempt(attempt.number + 1) : .stop }
        throw Fault()
      }
    }
    switch how {
    case "value": followed.tell { $0.succeed(at: milliseconds) }
    case "fault": #expect(next.withLock { $0 } == .stop)
    case "cancelled":
      #expect(followed.model.cancelled.contains(name) && next.withLock { $0 } != .stop)
      followed.tell { $0.refund(name) }
    default: Issue.record("unexpected: \(how)")
    }
    followed.check()
  }

  @Test("Under every schedule a budget agrees with the formula over a list, at each step", arguments: [1])
  func exploration(callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      await Self.run(FollowedCrowd(callers: callers, pace: .steps))
    }
    #expect(report.isComplete)
  }

  @Test("Whenever callers come, fail and leave, a budget agrees with the formula over a list, at each step")
  func sweep() throws {
    try simulate(seeds: 0..<1_000) { await Self.run(FollowedCrowd(callers: 6, pace: .times)) }
  }
}
