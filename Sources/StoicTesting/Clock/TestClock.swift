import Stoic

/// A clock that stands still until a test moves it.
///
/// Put it in force with `withClock`, wait until the code under test sleeps, and advance it by hand:
///
/// ```swift
/// let clock = TestClock()
/// let call = Task { try await withClock(clock) { try await api.send(.get("/users/42")) } }
/// await clock.waitForSleepers(1)              // the server said 503: the client waits for its second attempt
/// clock.advance(by: .milliseconds(200))       // … which now starts
/// let response = try await call.value
/// ```
///
/// No real time passes, and nothing depends on how often a thread yields: ``waitForSleepers(_:)`` resumes when the
/// sleepers are there. Deadlines and timeouts that wait on this clock count as sleepers as well.
public final class TestClock: Clock, Sendable {
  /// A point in time of a test clock, counted from its start.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock was made.
    public let offset: Duration

    /// Makes an instant at a time after the clock's start.
    public init(offset: Duration = .zero) { self.offset = offset.clamped }

    /// The instant `duration` later; saturates.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset.saturatingAdd(duration))
    }

    /// The time from this instant to another.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether one instant is before another.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private let state = Lock(TimerQueue())

  /// Makes a clock that stands at zero.
  public init() {}

  /// Where the clock stands.
  public var now: Instant { Instant(offset: state.withLock { $0.now }) }

  /// One nanosecond.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock is advanced to an instant; returns at once when it stands there or later.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let clock = AmbientClock(self)
    try await clock.sleep(until: AmbientClock.Instant(offset: deadline.offset))
  }

  /// The instants that are waited for, earliest first.
  public var sleepers: [Instant] {
    state.withLock { queue in queue.pending.map { Instant(offset: $0) } }
  }

  /// Moves the clock forward and wakes every sleeper that is due, in the order of their instants, and those of one
  /// instant in the order in which they began to sleep.
  ///
  /// The woken tasks run after this returns, or beside it: what they then do, also a new sleep, starts at the new time.
  /// Zero or negative times move nothing.
  public func advance(by duration: Duration) {
    // One step, so that advances of several tasks add up.
    let goal = state.withLock { $0.raiseGoal(by: duration) }
    advance(to: Instant(offset: goal))
  }

  /// Moves the clock forward to an instant, like ``advance(by:)``.
  public func advance(to instant: Instant) {
    while let fire = state.withLock({ $0.nextDue(by: instant.offset) }) { fire() }
  }

  /// Waits until at least so many sleepers, deadlines and timeouts wait on this clock.
  ///
  /// Returns early, with fewer, only when the task that calls it is cancelled.
  public func waitForSleepers(_ count: Int) async {
    let bell = WakeUp()
    guard !state.withLock({ $0.watch(count, bell) }) else { return }
    await bell.wait()
    // Where it was the cancellation that rang.
    state.withLock { $0.unwatch(bell) }
  }
}

extension TestClock: TimerClock {
  package var elapsed: Duration { state.withLock { $0.now } }

  package func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    let (id, isDue, woken) = state.withLock { $0.add(at: offset, fire) }
    if isDue { fire() }
    for bell in woken { bell.ring() }
    return id
  }

  package func removeTimer(_ id: Int) {
    state.withLock { $0.remove(id) }
  }
}
