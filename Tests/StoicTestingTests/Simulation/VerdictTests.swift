import Foundation
import Stoic
import StoicTesting
import Testing

@Suite("Verdicts of a simulation")
struct VerdictTests {
  struct Fault: Error {}

  /// The failure of a sweep of a few seeds.
  static func failure(
    seeds: Range<Int> = 0..<4, schedules: [SimulationSchedule] = .portfolio,
    _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulationFailure? {
    do {
      try simulate(seeds: seeds, schedules: schedules, body)
      return nil
    } catch {
      return error as? SimulationFailure
    }
  }

  @Test("A body that ends well passes")
  func passes() throws {
    try simulate(seeds: 0..<20) {
      try await withDeadline(.seconds(5)) { try await Ambient.sleep(for: .seconds(1)) }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<5 { group.addTask { await Task.yield() } }
      }
      #expect(Ambient.clock.now.duration(to: Ambient.clock.now) == .zero)
    }
  }

  @Test("An error of the body is its failure")
  func bodyFailed() {
    let failure = Self.failure { throw Fault() }
    #expect(failure?.reason == .bodyFailed)
    #expect(failure?.seed == 0)
    #expect(failure?.description.contains("STOIC_SEED=0 STOIC_SCHEDULE=uniform") == true)
  }

  @Test("A failed expectation fails the seed, once")
  func expectation() {
    let failure = Self.failure { #expect(Bool(false), "inside") }
    #expect(failure?.reason == .bodyFailed)
    #expect(failure?.message.contains("inside") == true)
  }

  @Test("A continuation that nobody resumes is a deadlock")
  func deadlock() {
    let failure = Self.failure {
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(failure?.reason == .deadlock)
  }

  @Test("A deadlock names who waits for what")
  func deadlockNames() {
    let failure = Self.failure {
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask(name: "the caller") { try await Ambient.suspend() }
        try await group.waitForAll()
      }
    }
    #expect(failure?.reason == .deadlock)
    #expect(failure?.message.contains("wait for cancellation, by the task \"the caller\"") == true)
  }

  @Test("A plain unstructured task is an escape")
  func unstructured() {
    for detached in [false, true] {
      let failure = Self.failure {
        if detached { await Task.detached {}.value } else { await Task {}.value }
      }
      #expect(failure?.reason == .escaped)
      #expect(failure?.message.contains("Ambient.task") == true)
    }
  }

  @Test("A real sleep is an escape, however long")
  func sleep() {
    for length in [Duration.milliseconds(1), .seconds(3_600)] {
      let failure = Self.failure { try await ContinuousClock().sleep(for: length) }
      #expect(failure?.reason == .escaped)
      #expect(failure?.message.contains("Ambient.sleep") == true)
    }
  }

  @Test("A continuation that another thread resumes is an escape")
  func foreignThread() {
    let failure = Self.failure {
      await withUnsafeContinuation { continuation in Thread { continuation.resume() }.start() }
    }
    #expect(failure?.reason == .escaped)
  }

  @Test("A hop to the main actor is an escape")
  func mainActor() {
    let failure = Self.failure { await MainActor.run {} }
    #expect(failure?.reason == .escaped)
  }

  @Test("Work that never gets anywhere reaches the step limit")
  func livelock() {
    for schedule in [SimulationSchedule.uniform, .pct(depth: 3)] {
      let failure = Self.failure(schedules: [schedule]) {
        while !Task.isCancelled { await Task.yield() }
      }
      #expect(failure?.reason == .stepLimit)
    }
  }

  @Test("Work that never gets anywhere by sleeping, or by retrying at once, reaches the step limit, too")
  func busyTime() {
    for length in [Duration.seconds(1), .zero] {
      let failure = Self.failure { while !Task.isCancelled { try await Ambient.sleep(for: length) } }
      #expect(failure?.reason == .stepLimit)
    }
    let retrying = Self.failure {
      try await retry(RetrySchedule(maxAttempts: .max, base: .zero)) { _ in throw Fault() }
    }
    #expect(retrying?.reason == .stepLimit)
  }

  @Test("A simulation inside a simulation is not blocked, however long it takes")
  func nested() throws {
    try simulate(seeds: 0..<2, schedules: [.uniform]) {
      try simulate(seeds: 0..<2_000) { for _ in 0..<50 { await Task.yield() } }
    }
  }

  @Test("A warning in the body fails no run")
  func warning() throws {
    try withKnownIssue(isIntermittent: true) {
      try simulate(seeds: 0..<2) { Issue.record("only a warning", severity: .warning) }
    } matching: {
      $0.severity == .warning
    }
  }

  @Test("A depth beyond all steps, or none, is a schedule like any other", arguments: [Int.max, 0, -3])
  func depths(depth: Int) throws {
    try simulate(seeds: 0..<3, schedules: [.pct(depth: depth)]) { await Task.yield() }
    #expect(
      SimulationSchedule(SimulationSchedule.pct(depth: depth).description) == .pct(depth: max(1, depth)))
  }

  @Test("A body that blocks only the second time is blocked")
  func blockedLater() {
    let runs = Shared(0)
    let failure = Self.failure(seeds: 0..<1, schedules: [.uniform]) {
      let count = runs.withLock { count in
        count += 1
        return count
      }
      if count == 2 { DispatchSemaphore(value: 0).waitForEver() }
    }
    #expect(failure?.reason == .blocked)
  }

  @Test("A body that blocks its thread is found, and the suite goes on")
  func blocked() {
    let failure = Self.failure {
      DispatchSemaphore(value: 0).waitForEver()
    }
    #expect(failure?.reason == .blocked)
  }

  @Test(
    "A thread that waits for the disk, runs or is about to is not taken for one that sleeps",
    arguments: [
      ("7 (stoic.simulation) S 1 7 7", true), ("7 (stoic.simulation) D 1 7 7", false),
      ("7 (stoic.simulation) R 1 7 7", false), ("7 (a) S) D 1", false), ("7 (a) R (b) S 1", true),
      ("7 (stoic.simulation) ", nil), ("7 (stoic.simulation)", nil), ("", nil),
    ] as [(String, Bool?)])
  func threadState(stat: String, isAsleep: Bool?) {
    #expect(ThreadState.isAsleep(stat) == isAsleep)
  }

  @Test("A task that outlives the body is found, waiting, sleeping or stuck")
  func outlived() {
    #expect(Self.failure { Ambient.task { try await Ambient.sleep(for: .seconds(1)) } }?.reason == .outlived)
    #expect(Self.failure { Ambient.task { try await Ambient.suspend() } }?.reason == .outlived)
    let stuck = Self.failure {
      Ambient.task { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    }
    #expect(stuck?.reason == .outlived)
  }

  @Test("A task that is awaited, or that ends without time passing, does not outlive the body")
  func awaited() throws {
    try simulate(seeds: 0..<20) {
      let task = Ambient.task { try await Ambient.sleep(for: .seconds(1)) }
      try await task.value
      Ambient.task { await Task.yield() }
    }
  }

  @Test("A timer that is left behind is a leak")
  func leakedTimer() {
    let failure = Self.failure { _ = Ambient.clock.schedule(at: .init(offset: .seconds(1))) {} }
    #expect(failure?.reason == .leaked)
  }

  @Test("What is taken and not given back is a leak, and named")
  func leakedEntry() {
    let failure = Self.failure { _ = Ambient.values.hold(LedgerEntry("permit", "seats")) }
    #expect(failure?.reason == .leaked)
    #expect(failure?.message.contains("permit seats") == true)
  }

  @Test("Of two escapes in one step the first is told")
  func firstEscape() {
    let failure = Self.failure {
      Task.detached {}
      try await ContinuousClock().sleep(for: .milliseconds(1))
    }
    #expect(failure?.message.contains("Ambient.task") == true)
  }

  /// What a run's values may be used for on a thread that is not its own.
  enum Use: CaseIterable { case clock, number, timer, removal }

  @Test(
    "The clock, numbers and timers of a run are not to be used on another thread", arguments: Use.allCases)
  func otherThread(use: Use) {
    let failure = Self.failure {
      let values = Ambient.values
      let timer = values.clock.schedule(at: values.clock.now.advanced(by: .seconds(1))) {}
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        switch use {
        case .clock: _ = values.clock.now
        case .number: _ = values.random.next()
        case .timer: _ = values.clock.schedule(at: .distantFuture) {}
        case .removal: timer.cancel()
        }
        done.signal()
      }
      thread.start()
      // It holds its own thread until the other one has done it.
      done.waitForEver()
      timer.cancel()
    }
    #expect(failure?.reason == .escaped)
    #expect(failure?.message.contains("on another thread") == true)
  }

  @Test("A stuck body is cancelled and ends, so that nothing of it stays")
  func cleanedUp() {
    final class Token: Sendable {}
    let tokens = Shared<[@Sendable () -> Token?]>([])
    let failure = Self.failure {
      let token = Token()
      tokens.withLock { tokens in tokens.append { [weak token] in token } }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { try? await Ambient.suspend() } }
        await group.waitForAll()
      }
      withExtendedLifetime(token) {}
    }
    #expect(failure?.reason == .deadlock)
    #expect(tokens.withLock { $0.count > 1 && $0.allSatisfy { $0() == nil } })
  }

  @Test("The runs after the first that fails are not made")
  func stops() {
    let calls = Shared(0)
    // A list of choices is not shrunk.
    let failure = Self.failure(seeds: 0..<100, schedules: [.replay([])]) {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      if call > 6 { throw Fault() }
    }
    #expect(failure?.reason == .bodyFailed && failure?.seed == 5)
    // The first seed is run twice, and so is the one that fails.
    #expect(calls.withLock { $0 } == 8)
  }

  @Test("A body that begins to differ late is found out, too")
  func divergesLate() {
    let calls = Shared(0)
    let failure = Self.failure(seeds: 0..<300, schedules: [.uniform]) {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      for _ in 0..<max(0, call - 100) { await Task.yield() }
    }
    #expect(failure?.reason == .diverged && failure?.seed == 128)
  }

  @Test(
    "Code that draws on what is not simulated diverges, passing or failing", arguments: [false, true])
  func diverged(fails: Bool) {
    // Differs from run to run, as a real clock or the order of a Set would.
    let outside = Shared(0)
    let failure = Self.failure {
      let count = outside.withLock { count in
        count += 1
        return count
      }
      for _ in 0..<count { await Task.yield() }
      if fails { throw Fault() }
    }
    #expect(failure?.reason == .diverged)
    #expect(failure?.message.contains("not simulated") == true)
  }
}

@Suite("Verdicts beside other simulations")
struct CrowdedVerdictTests {
  @Test("An escape is called one while others hold the threads of the system")
  func escape() async throws {
    let isOver = Shared(false)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          while !isOver.withLock({ $0 }) {
            _ = SimulationFigures(seeds: 0..<50, schedules: [.uniform], ReplayTests.scenario)
          }
        }
      }
      for _ in 0..<3 {
        let failure = VerdictTests.failure(seeds: 0..<1, schedules: [.uniform]) {
          await withUnsafeContinuation { continuation in
            // Later than the suspension, or there is nothing to come back to.
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(20)) { continuation.resume() }
          }
        }
        #expect(failure?.reason == .escaped)
      }
      isOver.withLock { $0 = true }
    }
  }
}

extension DispatchSemaphore {
  /// `wait` is not to be called from asynchronous code, which is what this test is about.
  fileprivate func waitForEver() { wait() }
}
