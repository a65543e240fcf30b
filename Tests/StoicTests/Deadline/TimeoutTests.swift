import Stoic
import StoicTesting
import Testing

@Suite("Timeout")
struct TimeoutTests {
  @Test("A step that takes too long is cancelled and retried, where a deadline would be final")
  func retried() throws {
    try simulate(seeds: 0..<50) {
      let calls = Calls()
      let end = await word {
        try await retry(RetrySchedule(maxAttempts: 3, base: .zero)) { _ in
          try await withTimeout(.seconds(1)) {
            calls.add()
            try await Ambient.sleep(for: .seconds(9))
          }
        }
      }
      #expect(end == "timeout" && calls.count == 3 && milliseconds == 3_000)
    }
  }

  @Test(
    "Of a timeout and a deadline the nearer one passes, and says which it was",
    arguments: [(1, 2, "timeout"), (2, 1, "deadline_exceeded"), (1, 1, "deadline_exceeded")])
  func nearer(timeout: Int64, deadline: Int64, end: String) throws {
    try simulate(seeds: 0..<50) {
      let word = await word {
        try await withDeadline(.seconds(deadline)) {
          try await withTimeout(.seconds(timeout)) { try await Ambient.sleep(for: .seconds(9)) }
        }
      }
      #expect(word == end)
      #expect(milliseconds == 1_000)
    }
  }

  @Test("A time of zero or less does not run the body, one beyond what a clock counts bounds nothing")
  func edges() throws {
    try simulate(seeds: 0..<3) {
      for duration in hostileDurations {
        let calls = Calls()
        let end = await word { try await withTimeout(duration) { calls.add() } }
        #expect(end == (duration <= .zero ? "timeout" : "value"))
        #expect(calls.count == (duration <= .zero ? 0 : 1))
      }
    }
  }

  @Test(
    "A value that comes late is discarded, an error of the body's own is not, cancellation stays cancellation"
  )
  func endings() throws {
    try simulate(seeds: 0..<50) {
      #expect(
        await word {
          try await withTimeout(.seconds(1)) {
            try await withoutCancellation { try await Ambient.sleep(for: .seconds(2)) }
          }
        } == "timeout")
      #expect(await word { try await withTimeout(.seconds(1)) { throw Fault() } } == "fault")
      #expect(
        await word {
          try await withTimeout(.seconds(1)) {
            do { try await Ambient.sleep(for: .seconds(2)) } catch { throw Fault() }
          }
        } == "fault")
      let heeding = Ambient.task {
        try await withTimeout(.seconds(5)) { try await Ambient.sleep(for: .seconds(9)) }
      }
      let late = Ambient.task {
        try await withTimeout(.seconds(5)) {
          try await withoutCancellation { try await Ambient.sleep(for: .seconds(9)) }
        }
      }
      try await settle()
      for call in [heeding, late] { call.cancel() }
      #expect(await heeding.result.isCancellation)
      #expect(await late.result.isCancellation)
    }
  }

  @Test("Whatever inside notices the end of a step first, it is a timeout and is retried")
  func insideNotices() throws {
    try simulate(seeds: 0..<200) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let flights = SingleFlight<Int, Void>()
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(5)) } }
      try await settle()
      let bodies: [() async throws -> Void] = [
        { try await withDeadline(.seconds(1)) { try await Ambient.sleep(for: .seconds(9)) } },
        { try await withTimeout(.seconds(1)) { try await Ambient.sleep(for: .seconds(9)) } },
        { try await bulkhead.run {} },
        { try await flights.run(1) { try await Ambient.sleep(for: .seconds(9)) } },
      ]
      for body in bodies {
        let calls = Calls()
        let end = await word {
          try await retry(.constant(.milliseconds(10))) { _ in
            calls.add()
            try await withTimeout(.milliseconds(100)) { try await body() }
          }
        }
        #expect(end == "timeout" && calls.count == 3)
      }
      _ = await holder.result
    }
  }

  /// Tasks of the same priority as timers, one after the other.
  private final class Turns: Sendable {
    private let state = Lock((count: 0, isStopped: false))

    var count: Int { state.withLock { $0.count } }

    func go() {
      Task.detached(priority: .high) {
        let goesOn = self.state.withLock { state in
          state.count += 1
          return !state.isStopped
        }
        if goesOn { self.go() }
      }
    }

    func stop() { state.withLock { $0.isStopped = true } }
  }

  @Test("A handler that is slow to be cancelled holds up no other timer", .timeLimit(.minutes(30)))
  func slowHandler() async {
    let (isOver, turns) = (Flag(), Turns())
    let clock = AmbientClock.continuous
    _ = clock.schedule(at: clock.now.advanced(by: .milliseconds(20))) { isOver.set() }
    let end = await word {
      try await withTimeout(.milliseconds(1)) {
        try await withTaskCancellationHandler {
          try await hang()
        } onCancel: {
          // Not for ever: where there is but one thread, it is this one that the other timer waits for. That there are
          // others shows in the turns which they take meanwhile.
          let patience = ContinuousClock.now.advanced(by: .seconds(5))
          turns.go()
          while !isOver.isSet, ContinuousClock.now < patience || (1..<1_000).contains(turns.count) {}
          turns.stop()
          #expect(isOver.isSet || turns.count == 0)
        }
      }
    }
    #expect(end == "timeout")
  }

  @Test(
    "A clock that returns at once and gets nowhere takes no thread for itself, and sleeps for no timer that was taken back",
    .timeLimit(.minutes(30)))
  func stuckClock() async throws {
    weak var left: StuckClock?
    do {
      let stuck = StuckClock()
      left = stuck
      let clock = AmbientClock(stuck)
      let sleeper = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
      let timers = (1...20).map { clock.schedule(at: clock.now.advanced(by: .seconds($0))) {} }
      while stuck.naps.withLock({ $0 }) < 100 { await Task.yield() }
      for timer in timers { timer.cancel() }
      sleeper.cancel()
      await #expect(throws: CancellationError.self) { try await sleeper.value }
    }
    while left != nil { await Task.yield() }
  }

  /// A clock whose time stands still, and which never waits.
  private final class StuckClock: Clock {
    let naps = Lock(0)
    let now = TestClock.Instant()
    let minimumResolution = Swift.Duration.nanoseconds(1)

    func sleep(until deadline: TestClock.Instant, tolerance: Swift.Duration?) async throws {
      naps.withLock { $0 += 1 }
    }
  }

  @Test(
    "On a clock that keeps no timers, many timers fire in time, in order, and those taken back never",
    .timeLimit(.minutes(30)))
  func taskTimers() async throws {
    let clock = TestClock()
    let engine = AmbientClock(Plain(clock: clock))
    let served = Served()
    var timers: [ScheduledTimer] = []
    for (index, seconds) in [30, 10, 20, 40, 10].enumerated() {
      timers.append(
        engine.schedule(at: engine.now.advanced(by: .seconds(seconds))) { served.add(index) })
      // Something sleeps for the first one before an earlier one comes.
      await clock.waitForSleepers(1)
    }
    timers[2].cancel()
    for _ in 0..<100 { engine.schedule(at: engine.now.advanced(by: .seconds(50))) {}.cancel() }
    for (seconds, count) in [(10, 2), (30, 3), (40, 4)] as [(Int64, Int)] {
      await clock.waitForSleepers(1)
      clock.advance(by: .seconds(seconds) - clock.now.offset)
      while served.all.count < count { await Task.yield() }
    }
    // Those of one instant may come in any order.
    #expect(Set(served.all.prefix(2)) == [1, 4] && served.all.suffix(2) == [0, 3])
  }

  /// A clock that only knows how to sleep.
  private struct Plain: Clock {
    let clock: TestClock
    var now: TestClock.Instant { clock.now }
    var minimumResolution: Duration { .nanoseconds(1) }
    func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
      try await clock.sleep(until: deadline, tolerance: tolerance)
    }
  }
}

/// Something that is so from some moment on.
final class Flag: Sendable {
  private let state = Lock(false)

  var isSet: Bool { state.withLock { $0 } }

  func set() { state.withLock { $0 = true } }
}
