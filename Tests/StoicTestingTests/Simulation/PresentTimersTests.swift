import Stoic
import StoicTesting
import Testing

@Suite("Timers of the present instant")
struct PresentTimersTests {
  /// How somebody leaves who waits for a place.
  enum Leaving: CaseIterable, Sendable {
    /// By a step of a task of its own.
    case byTask
    /// By a deadline: its timer cancels, and no task has to run for it.
    case byDeadline
  }

  /// A place is given back at the very instant at which the only one who waits for it leaves.
  ///
  /// It is handed over in two steps; who leaves between them takes it along.
  private static func handOver(_ leaving: Leaving) -> @Sendable () async throws -> Void {
    {
      let (waits, isOnItsWay) = (Shared(true), Shared(false))
      await withTaskGroup(of: Void.self) { group in
        group.addTask(name: "giver") {
          try? await Ambient.sleep(for: .seconds(1))
          touch()
          guard waits.withLock({ $0 }) else { return }
          isOnItsWay.withLock { $0 = true }
          await Task.yield()
          touch()
          if waits.withLock({ $0 }) { isOnItsWay.withLock { $0 = false } }
        }
        group.addTask(name: "leaver") {
          let leave: @Sendable () -> Void = {
            touch()
            waits.withLock { $0 = false }
          }
          switch leaving {
          case .byTask:
            try? await Ambient.sleep(for: .seconds(1))
            leave()
          case .byDeadline:
            try? await withDeadline(.seconds(1)) {
              try await withTaskCancellationHandler {
                try await Ambient.sleep(for: .seconds(9))
              } onCancel: {
                leave()
              }
            }
          }
        }
      }
      if isOnItsWay.withLock({ $0 }) { throw Bugs.Found() }
    }
  }

  @Test(
    "A hand-over that a timer of the same instant finds half done is met by each search and each schedule",
    arguments: Leaving.allCases)
  func found(leaving: Leaving) {
    let body = Self.handOver(leaving)
    for merges in [false, true] {
      #expect(throws: SimulationFailure.self) { try searchAll(merges: merges, body) }
    }
    for schedule in [SimulationSchedule.uniform, .pct(depth: 2), .pct(depth: 3)] {
      #expect(VerdictTests.failure(seeds: 0..<200, schedules: [schedule], body)?.reason == .bodyFailed)
    }
  }

  @Test(
    "A timer that fires while a task could go on is no preemption, and a task that it wakes and that runs is")
  func bound() throws {
    #expect(throws: SimulationFailure.self) { try simulateAll(preemptions: 0, Self.handOver(.byDeadline)) }
    #expect(try simulateAll(preemptions: 0, Self.handOver(.byTask)).isComplete)
    #expect(throws: SimulationFailure.self) { try simulateAll(preemptions: 1, Self.handOver(.byTask)) }
  }

  @Test(
    "A failure that such a timer brings about is shrunk to it, replayed to the letter, and told",
    arguments: Leaving.allCases)
  func shrunk(leaving: Leaving) throws {
    let body = Self.handOver(leaving)
    for schedule in [SimulationSchedule.uniform, .pct(depth: 3)] {
      let failure = try #require(VerdictTests.failure(seeds: 0..<200, schedules: [schedule], body))
      #expect(failure.size.preemptions == (leaving == .byTask ? 1 : 0) && failure.size.faults == 1)
      #expect(failure.timeline.contains("fires; makes runnable: leaver") || leaving == .byDeadline)
      #expect(failure.timeline.contains("while work of this instant is still runnable"))
      let preemptions = failure.timeline.split(separator: "\n").filter { $0.contains("which could go on") }
      #expect(preemptions.count == failure.size.preemptions)
      let replayed = VerdictTests.failure(schedules: [.replay(failure.choices)], body)
      #expect(replayed?.timeline == failure.timeline && replayed?.size == failure.size)
    }
  }

  @Test("The steps of tasks that wake at one instant are tried in every order, by merging as well")
  func orders() throws {
    let logs = Shared<[Set<String>]>([[], []])
    let reports = try [false, true].map { merges in
      try searchAll(merges: merges) {
        let log = Shared("")
        let say: @Sendable (String) -> Void = { word in
          touch()
          log.withLock { $0 += word }
        }
        await withTaskGroup(of: Void.self) { group in
          for words in [["a", "b"], ["1", "2"]] {
            group.addTask {
              try? await Ambient.sleep(for: .seconds(1))
              say(words[0])
              await Task.yield()
              say(words[1])
            }
          }
        }
        let end = log.withLock { $0 }
        logs.withLock { _ = $0[merges ? 1 : 0].insert(end) }
      }
    }
    #expect(reports.map(\.isComplete) == [true, true])
    #expect(reports[0].schedules == reports[1].schedules && reports[1].runs < reports[0].runs)
    #expect(logs.withLock { $0[0] == $0[1] && $0[0] == ["ab12", "a1b2", "a12b", "1ab2", "1a2b", "12ab"] })
  }

  @Test("Who waits by yielding for what a timer of the same instant brings gets it, whatever the schedule")
  func yielding() throws {
    try simulate(seeds: 0..<100) {
      let isThere = Shared(false)
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          try? await Ambient.sleep(for: .seconds(1))
          while !isThere.withLock({ $0 }) { await Task.yield() }
        }
        group.addTask {
          try? await Ambient.sleep(for: .seconds(1))
          isThere.withLock { $0 = true }
        }
      }
    }
  }
}
