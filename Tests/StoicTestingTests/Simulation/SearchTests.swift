import Stoic
import StoicTesting
import Testing

@Suite("Search of all schedules")
struct SearchTests {
  /// So many tasks of so many steps that have nothing to do with each other.
  private static func idle(tasks: Int, yields: Int) -> @Sendable () async throws -> Void {
    {
      await withTaskGroup(of: Void.self) { group in
        startingAlike {
          for _ in 0..<tasks { group.addTask { for _ in 0..<yields { await Task.yield() } } }
        }
      }
    }
  }

  @Test("A lost update is found, and proved absent where the update is one step")
  func lostUpdate() throws {
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulateAll { try await Bugs.lostUpdate(tasks: 2) }
      })
    #expect(failure.reason == .bodyFailed && failure.size.preemptions == 1)
    let replayed = VerdictTests.failure(schedules: [.replay(failure.choices)]) {
      try await Bugs.lostUpdate(tasks: 2)
    }
    #expect(replayed?.timeline == failure.timeline)
    let report = try simulateAll {
      let number = Shared(0)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            await Task.yield()
            number.withLock { $0 += 1 }
          }
        }
      }
      if number.withLock({ $0 }) != 3 { throw Bugs.Found() }
    }
    #expect(report.isComplete && report.schedules == Double(report.runs))
  }

  @Test(
    "A body that does not repeat itself is not called searched, whenever that begins and whatever it draws on",
    arguments: [0, 3], [true, false])
  func diverging(after calls: Int, isSchedule: Bool) throws {
    let made = Shared(0)
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulateAll {
          let isOdd = made.withLock { made in
            made += 1
            return made > calls && made % 2 == 1
          }
          guard isSchedule else {
            // As many choices each time, of other bounds.
            _ = (pick(below: isOdd ? 2 : 3), pick(below: 4))
            return
          }
          async let one: Void = { for _ in 0..<(isOdd ? 2 : 1) { await Task.yield() } }()
          async let two: Void = { await Task.yield() }()
          _ = await (one, two)
        }
      })
    #expect(failure.reason == .diverged)
  }

  @Test("Nor is a body of a single course that differs the second time")
  func divergingAlone() throws {
    let made = Shared(0)
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulateAll {
          let yields = made.withLock { made in
            made += 1
            return made
          }
          for _ in 0..<yields { await Task.yield() }
        }
      })
    #expect(failure.reason == .diverged)
  }

  @Test(
    "A search that its limit ends tells what it has tried, and one that just fits is complete",
    arguments: 1...4)
  func limit(limit: Int) throws {
    let report = try simulateAll(limit: limit) {
      async let one: Void = {}()
      async let two: Void = {}()
      _ = await (one, two)
    }
    #expect(report.runs == min(limit, 3) && report.schedules == Double(report.runs))
    #expect(report.isComplete == (limit >= 3))
  }

  @Test("Three tasks in a group that yield once each have 11,130 schedules")
  func yields() throws {
    let report = try simulateAll {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { await Task.yield() } }
      }
    }
    #expect(report.isComplete && report.runs == 11_130)
  }

  @Test("Without preemptions a lost update is not met, and fewer runs are made with a bound than without")
  func bound() throws {
    let body: @Sendable () async throws -> Void = { try await Bugs.lostUpdate(tasks: 2) }
    #expect(try simulateAll(preemptions: 0, body).isComplete)
    #expect(throws: SimulationFailure.self) { try simulateAll(preemptions: 1, body) }
    let runs = try [0, 1, 2, nil].map {
      try simulateAll(preemptions: $0, Self.idle(tasks: 2, yields: 3)).runs
    }
    #expect(runs == runs.sorted() && Set(runs).count == 4)
  }

  @Test("A search that comes to its limit says that it is not complete")
  func limit() throws {
    let report = try simulateAll(limit: 10, Self.idle(tasks: 3, yields: 3))
    #expect(report.runs == 10 && !report.isComplete)
    #expect(report.description.contains("not all"))
  }

  @Test("Every number of a pick is tried, with every other, and zero first")
  func picks() throws {
    let seen = Shared<[[Int]]>([])
    let report = try simulateAll {
      let pair = [pick(below: 3), pick(below: 2)]
      seen.withLock { $0.append(pair) }
    }
    #expect(report.runs == 6 && report.isComplete)
    // The first run is made twice, and compared.
    #expect(seen.withLock { $0 } == [[0, 0], [0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1]])
    #expect((0..<100).map { _ in pick(below: 3) }.allSatisfy { 0..<3 ~= $0 })
    #expect(pick(below: 0) == 0)
  }

  @Test("Ties of timers are tried in every order")
  func ties() throws {
    let orders = Shared<Set<[Int]>>([])
    try simulateAll {
      let order = Shared<[Int]>([])
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<3 {
          group.addTask {
            try? await Ambient.sleep(for: .seconds(1))
            order.withLock { $0.append(index) }
          }
        }
      }
      let end = order.withLock { $0 }
      orders.withLock { _ = $0.insert(end) }
    }
    #expect(orders.withLock { $0.count } == 6)
  }

  /// A full search and one that merges, and what each came to.
  private static func both(
    _ subject: String, preemptions: Int? = nil
  ) throws -> (reports: [SimulationSearchReport], outcomes: [Set<String>]) {
    let outcomes = Shared<[Set<String>]>([[], []])
    let reports = try [false, true].map { merges in
      try searchAll(preemptions: preemptions, limit: 400_000, merges: merges) {
        let log =
          switch subject {
          case "breaker": try await PolicyExplorationTests.breaker(callers: 1)
          case "flight": await PolicyExplorationTests.singleFlight(callers: 1)
          case "limiter": try await PolicyExplorationTests.rateLimiter(burst: 1, queue: 1, callers: 2)
          case "adaptive bulkhead":
            try await PolicyExplorationTests.adaptiveBulkhead(rises: true, queue: 1, callers: 1)
          case "hedge": try await PolicyExplorationTests.hedge(pauses: true, callers: 0)
          case "throttle": try await PolicyExplorationTests.throttle(callers: 1)
          default:
            try await PolicyExplorationTests.bulkhead(
              permits: subject == "one permit" ? 1 : 2, queue: 1, callers: 1)
          }
        outcomes.withLock { _ = $0[merges ? 1 : 0].insert(log) }
      }
    }
    return (reports, outcomes.withLock { $0 })
  }

  @Test(
    "Merging stands for exactly the schedules that a full search runs, and comes to the same outcomes",
    arguments: [
      "one permit", "two permits", "breaker", "flight", "limiter", "adaptive bulkhead", "hedge", "throttle",
    ])
  func merging(subject: String) throws {
    let (reports, outcomes) = try Self.both(subject)
    #expect(reports.map(\.isComplete) == [true, true])
    #expect(reports[0].schedules == reports[1].schedules)
    #expect(reports[1].runs < reports[0].runs)
    #expect(outcomes[0] == outcomes[1] && outcomes[0].count > 1)
  }

  @Test(
    "So it does where preemptions are bounded, whatever the bound",
    arguments: ["one permit", "breaker", "flight"], 0...4)
  func merging(subject: String, preemptions: Int) throws {
    let (reports, outcomes) = try Self.both(subject, preemptions: preemptions)
    #expect(reports.map(\.isComplete) == [true, true])
    #expect(reports[0].schedules == reports[1].schedules)
    #expect(outcomes[0] == outcomes[1])
  }

  @Test("Tasks that share nothing and are alike take few runs for all their schedules")
  func independence() throws {
    let full = try searchAll(merges: false, Self.idle(tasks: 2, yields: 2))
    let merged = try searchAll(merges: true, Self.idle(tasks: 2, yields: 2))
    #expect(full.schedules == merged.schedules && merged.runs < full.runs)
  }
}
