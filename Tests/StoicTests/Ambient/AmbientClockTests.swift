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

  @Test("Whatever a clock says, and wherever it jumps, no policy traps", arguments: extremes, extremes)
  func hostileClock(from start: Duration, to end: Duration) async throws {
    let clock = JumpingClock()
    clock.time = start
    try await withClock(clock) {
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(
          minimumCalls: 1, slowCallDuration: .seconds(1), openFor: .seconds(Int64.max)))
      let budget = RetryBudget()
      let policy = Policy(
        DeadlineStage(.seconds(1)), RetryStage(budget: budget), breaker, Bulkhead(maxConcurrent: 1),
        TimeoutStage(.seconds(1)))
      let flights = SingleFlight<Int, Void>()
      let throttle = Throttle(Throttle.Configuration(minimumRate: 0))
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(1_000_000_000), burst: 9))
      for time in [start, end, start] {
        _ = await word {
          try await policy.run {
            clock.time = time
            try await flights.run(1) { throw Hostile(retryAdvice: .retryAfter(end)) }
          }
        }
        // What was judged in the past is open for ever there; from later on it may be over.
        #expect(breaker.state != .open || breaker.remainingOpenTime > .zero)
        #expect(budget.available >= 0 && flights.inFlight == 0)
        _ = await word {
          try await throttle.run {
            try await limiter.run {
              clock.time = time
              throw Fault()
            }
          }
        }
        #expect((0...0.9).contains(throttle.rejectionProbability) && (0...9).contains(limiter.available))
      }
    }
  }

  private static let extremes = [
    Duration(attoseconds: .min), .seconds(Int64.min), .zero, .seconds(Int64.max), Duration(attoseconds: .max),
  ]

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

/// An error that asks for any wait.
private struct Hostile: Retryable {
  let retryAdvice: RetryAdvice
}

/// A clock that is wherever a test puts it, and jumps where others wait.
private final class JumpingClock: Clock {
  struct Instant: InstantProtocol {
    let offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset.saturatingAdd(duration)) }
    func duration(to other: Instant) -> Duration { other.offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Lock(Duration.zero)

  var time: Duration {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  var now: Instant { Instant(offset: time) }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    state.withLock { $0 = max($0, deadline.offset) }
  }
}
