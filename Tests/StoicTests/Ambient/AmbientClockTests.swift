import Stoic
import StoicTesting
import Testing

@Suite("Ambient clock")
struct AmbientClockTests {
  @Test("Instants saturate instead of trapping")
  func saturation() {
    let now = AmbientClock.continuous.now
    for huge in [Duration.seconds(Int64.max), Duration(attoseconds: .max)] {
      #expect(now.advanced(by: huge) == .distantFuture)
      #expect(AmbientClock.Instant.distantFuture.advanced(by: huge) == .distantFuture)
      #expect(now.advanced(by: .zero - huge) < now)
    }
    #expect(AmbientClock.Instant.distantFuture.advanced(by: Duration(attoseconds: .min)) < now)
  }

  @Test(
    "A sleep of any huge length suspends until it is cancelled",
    arguments: [
      Duration.seconds(Int64.max), Duration(attoseconds: .max), .seconds(1 << 61),
    ])
  func hugeSleep(length: Duration) async throws {
    let clock = TestClock()
    let sleeper = Task { try await withClock(clock) { try await Ambient.sleep(for: length) } }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1_000_000_000))
    #expect(clock.sleepers.count == 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleepers.isEmpty)
  }

  @Test("A huge sleep on the system's clock is cancellable as well")
  func hugeSystemSleep() async throws {
    let sleeper = Task { try await Ambient.sleep(for: .seconds(Int64.max)) }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test(
    "A sleep until now, for nothing or for less returns without an advance",
    arguments: [
      Duration.zero, .seconds(-1), .seconds(Int64.min),
    ])
  func nothingToSleep(length: Duration) async throws {
    let clock = TestClock()
    try await withClock(clock) {
      try await Ambient.sleep(for: length)
      try await Ambient.sleep(until: Ambient.clock.now)
    }
    #expect(clock.now.offset == .zero)
  }

  @Test(
    "CK-03: A timer that is set for now or earlier fires without an advance", arguments: [0, -1, Int64.min])
  func dueAtOnce(seconds: Int64) {
    let fired = Flag()
    let clock = AmbientClock(TestClock())
    _ = clock.schedule(at: AmbientClock.Instant(offset: .seconds(seconds))) { fired.set() }
    #expect(fired.isSet)
  }

  @Test("A task that is cancelled already does not sleep")
  func cancelledBefore() async throws {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await Ambient.sleep(for: .zero)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("Any other clock can be put in force, and its own sleep does the waiting")
  func foreignClock() async throws {
    let foreign = ForeignClock(TestClock())
    let sleeper = Task {
      try await withClock(foreign) {
        try await Ambient.sleep(for: .seconds(3))
        return Ambient.clock.now.offset
      }
    }
    await foreign.base.waitForSleepers(1)
    foreign.base.advance(by: .seconds(3))
    #expect(try await sleeper.value == .seconds(3))
  }

  @Test(
    "A sleep on a clock that returns early and knows nothing of cancellation still ends when it is cancelled")
  func stubbornClock() async throws {
    struct Stubborn: Clock {
      var now: TestClock.Instant { .init() }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws { await Task.yield() }
    }
    let sleeper = Task { try await withClock(Stubborn()) { try await Ambient.sleep(for: .seconds(3)) } }
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
  }

  @Test("A deadline on a foreign clock still ends its body")
  func foreignDeadline() async throws {
    let foreign = ForeignClock(TestClock())
    let call = Task {
      try await withClock(foreign) {
        try await withDeadline(.seconds(2)) { try await Ambient.sleep(for: .seconds(60)) }
      }
    }
    await foreign.base.waitForSleepers(2)
    foreign.base.advance(by: .seconds(2))
    await #expect(throws: Rejection(.deadlineExceeded)) { try await call.value }
  }

  @Test("A seeded source repeats itself and another seed differs")
  func seeds() {
    let draws = { (seed: UInt64) in
      let source = RandomSource.seeded(seed)
      return (0..<8).map { _ in source.next() }
    }
    #expect(draws(1) == draws(1))
    #expect(draws(1) != draws(2))
    #expect(draws(0).first == 0xE220_A839_7B1D_CDAF, "the published first value of SplitMix64 for seed 0")
  }
}

/// A clock of somebody else's, which only can what `Clock` demands.
struct ForeignClock: Clock {
  let base: TestClock

  init(_ base: TestClock) { self.base = base }

  var now: TestClock.Instant { base.now }
  var minimumResolution: Duration { .seconds(1) }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
