import Stoic
import StoicTesting
import Testing

@Suite("A bulkhead beside its model")
struct BulkheadModelExplorationTests {
  /// Who is inside, who waits, until when: lists.
  private struct Model: Sendable {
    enum Answer { case enters, waits, refused, cancelled }

    struct Waiter {
      let name: Int
      let end: Int64
    }

    let permits: Int
    let places: Int
    /// Those, too, who have been handed a permit and do not know yet.
    var inside: [Int] = []
    var queue: [Waiter] = []
    var cancelled: Set<Int> = []

    mutating func ask(_ name: Int, until end: Int64) -> Answer {
      if cancelled.contains(name) { return .cancelled }
      if inside.count < permits {
        inside.append(name)
        return .enters
      }
      guard queue.count < places else { return .refused }
      queue.append(Waiter(name: name, end: end))
      return .waits
    }

    mutating func leave(_ name: Int) {
      inside.removeAll { $0 == name }
      if !queue.isEmpty { inside.append(queue.removeFirst().name) }
    }

    mutating func cancel(_ name: Int) {
      cancelled.insert(name)
      queue.removeAll { $0.name == name }
    }

    mutating func pass(to now: Int64) { queue.removeAll { $0.end <= now } }

    func knows(_ name: Int) -> Bool { inside.contains(name) || queue.contains { $0.name == name } }
  }

  private static func run(_ crowd: FollowedCrowd, permits: Int, places: Int) async {
    let bulkhead = Bulkhead(
      maxConcurrent: permits, queueLimit: places,
      queueTimeout: crowd.pace == .times ? .milliseconds(150) : nil)
    let followed = Followed(Model(permits: permits, places: places)) { model in
      difference("how many are inside", bulkhead.inUse, model.inside.count)
        ?? difference("how many wait", bulkhead.waiting, model.queue.count)
    }
    await crowd.run { name in
      if crowd.pace == .times, name % 2 == 1 {
        let end = await word {
          try await withDeadline(.milliseconds(170)) { await Self.call(name, bulkhead, followed, crowd) }
        }
        #expect(["value", "deadline_exceeded"].contains(end))
      } else {
        await Self.call(name, bulkhead, followed, crowd)
      }
      followed.check()
    } cancelled: {
      followed.tell { $0.cancel(0) }
      followed.check()
    }
    #expect(followed.model.inside.isEmpty && followed.model.queue.isEmpty)
  }

  private static func call(
    _ name: Int, _ bulkhead: Bulkhead, _ followed: Followed<Model>, _ crowd: FollowedCrowd
  ) async {
    let asked = crowd.pace == .times ? milliseconds : 0
    let end = crowd.pace == .times ? asked + 150 : .max
    let answer = followed.tell { model in
      model.pass(to: asked)
      return model.ask(name, until: end)
    }
    let version = followed.version
    let how = await word {
      try await bulkhead.run {
        // Whoever finds a permit enters in the very step in which it asks.
        #expect(answer == .enters ? followed.version == version : answer == .waits)
        followed.tell { $0.pass(to: milliseconds) }
        #expect(followed.model.inside.contains(name))
        followed.check()
        await crowd.work()
        followed.tell { $0.pass(to: milliseconds) }
        followed.check()
      }
    }
    switch how {
    case "value": followed.tell { $0.leave(name) }
    case "bulkhead_full":
      followed.tell { $0.pass(to: milliseconds) }
      #expect(answer == .refused ? followed.version == version + 1 : answer == .waits && milliseconds == end)
      #expect(!followed.model.knows(name))
    case "cancelled":
      // One who was handed a permit on the way out passes it on.
      followed.tell { model in if model.inside.contains(name) { model.leave(name) } }
      #expect(name == 0 && followed.model.cancelled.contains(name) && !followed.model.knows(name))
    default: Issue.record("unexpected: \(how)")
    }
    followed.check()
  }

  @Test(
    "Under every schedule a bulkhead agrees with lists of who is inside and who waits, at each step",
    arguments: [(1, 1, 1), (1, 1, 2), (1, 2, 2), (2, 1, 2), (1, 2, 3)])
  func exploration(permits: Int, places: Int, callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      await Self.run(FollowedCrowd(callers: callers, pace: .steps), permits: permits, places: places)
    }
    #expect(report.isComplete)
  }

  @Test("Whenever callers come, go and run out of time, a bulkhead agrees with lists, at each step")
  func sweep() throws {
    try simulate(seeds: 0..<1_000) {
      await Self.run(FollowedCrowd(callers: 7, pace: .times), permits: 2, places: 3)
    }
  }
}
