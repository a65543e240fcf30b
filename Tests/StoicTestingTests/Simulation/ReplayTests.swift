import Stoic
import StoicTesting
import Testing

@Suite("Replay of a simulation")
struct ReplayTests {
  /// A scenario with task groups, cancellation, streams, a lock, and timers that tie.
  @Sendable static func scenario() async throws {
    let log = Shared<[Int]>([])
    let (stream, feed) = AsyncStream.makeStream(of: Int.self)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<6 {
        group.addTask {
          try? await Ambient.sleep(for: .seconds(index % 3))
          log.withLock { $0.append(index) }
          feed.yield(index)
          await Task.yield()
          if index == 5 { feed.finish() }
        }
      }
      group.addTask {
        let sleeper = Ambient.task { try await Ambient.sleep(for: .seconds(100)) }
        try? await Ambient.sleep(for: .seconds(Int(Ambient.random.next() % 3)))
        sleeper.cancel()
        _ = await sleeper.result
      }
      for await _ in stream { await Task.yield() }
      await group.waitForAll()
    }
    log.withLock { precondition($0.count == 6) }
  }

  @Test("The same seeds give the same runs, and other seeds others", arguments: [false, true])
  func sameSeeds(earlyTimers: Bool) {
    let figures = { (seeds: Range<Int>) in
      SimulationFigures(seeds: seeds, schedules: .portfolio, earlyTimers: earlyTimers, Self.scenario)
    }
    let first = figures(0..<500)
    #expect(first == figures(0..<500))
    #expect(first.failures == 0 && first.runs == 500)
    #expect(first.distinct > 490)
    #expect(first.hash != figures(500..<1_000).hash)
  }

  #if os(Linux) && arch(x86_64) && compiler(>=6.3) && compiler(<6.4)
  /// Pinned, so that processes and build configurations are compared with each other.
  ///
  /// Another runtime may take other steps, and a change of the engine will: then the number changes on purpose.
  @Test("Ten thousand runs are the same in every process, in debug and in release")
  func everywhere() {
    let figures = SimulationFigures(
      seeds: 0..<10_000, schedules: .portfolio, earlyTimers: true, Self.scenario)
    #expect(figures.hash == 6_303_541_463_542_916_040)
    #expect(figures.failures == 0)
  }
  #endif

  @Test(
    "A failure's choices repeat it without its seed, under any schedule",
    arguments: [
      SimulationSchedule.uniform, .pct(depth: 3),
    ])
  func choices(schedule: SimulationSchedule) throws {
    let found = VerdictTests.failure(seeds: 0..<2_000, schedules: [schedule]) {
      try await Bugs.lostUpdate(tasks: 2)
    }
    let failure = try #require(found)
    let replayed = VerdictTests.failure(seeds: 7..<8, schedules: [.replay(failure.choices)]) {
      try await Bugs.lostUpdate(tasks: 2)
    }
    #expect(replayed?.reason == .bodyFailed)
    #expect(replayed?.timeline == failure.timeline)
    #expect(!failure.timeline.isEmpty)
  }

  @Test("A failure's seed and schedule repeat it")
  func seed() throws {
    let body: @Sendable () async throws -> Void = { try await Bugs.lostUpdate(tasks: 2) }
    let found = VerdictTests.failure(seeds: 0..<2_000, body)
    let failure = try #require(found)
    let again = VerdictTests.failure(
      seeds: failure.seed..<failure.seed + 1, schedules: [failure.schedule], body)
    #expect(again?.choices == failure.choices && again?.timeline == failure.timeline)
  }

  @Test(
    "A schedule's text is read back as the same schedule",
    arguments: [
      SimulationSchedule.uniform, .pct(depth: 1), .pct(depth: 12), .replay([]), .replay([0, 35, .max]),
    ])
  func scheduleText(schedule: SimulationSchedule) {
    #expect(SimulationSchedule(schedule.description) == schedule)
  }

  @Test(
    "A text that is no schedule is refused",
    arguments: ["", "pct", "pct:", "pct:0", "pct:x", "Uniform", "replay:*"])
  func noSchedule(text: String) {
    #expect(SimulationSchedule(text) == nil)
  }
}

/// Little programs with known bugs; each throws when the bug shows.
enum Bugs {
  struct Found: Error {}

  /// Each task reads a number, is interrupted, and writes the number plus one.
  @Sendable static func lostUpdate(tasks: Int) async throws {
    let number = Shared(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          let before = number.withLock { $0 }
          await Task.yield()
          number.withLock { $0 = before + 1 }
        }
      }
    }
    if number.withLock({ $0 }) != tasks { throw Found() }
  }

  /// The last of many tasks does all its work before the first has begun.
  @Sendable static func starvation() async throws {
    let progress = Shared<[Int]>(Array(repeating: 0, count: 17))
    let starved = Shared(false)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<17 {
        group.addTask {
          for _ in 0..<20 {
            await Task.yield()
            progress.withLock { $0[index] += 1 }
          }
          if index == 16, progress.withLock({ $0[0] == 0 }) { starved.withLock { $0 = true } }
        }
      }
    }
    if starved.withLock({ $0 }) { throw Found() }
  }

  /// One task is interrupted in the middle of its work, while another does all of its own.
  @Sendable static func pauseInTheMiddle() async throws {
    let progress = Shared((first: 0, before: -1, hit: false))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<10 {
          await Task.yield()
          progress.withLock { $0.first += 1 }
        }
      }
      group.addTask {
        progress.withLock { $0.before = $0.first }
        for _ in 0..<10 { await Task.yield() }
        progress.withLock { $0.hit = $0.before == $0.first && (3...7).contains($0.first) }
      }
    }
    if progress.withLock({ $0.hit }) { throw Found() }
  }
}

/// A value that several tasks of a test share.
final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  init(_ value: Value) { lock = Lock(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    lock.withLock { body(&$0) }
  }
}
