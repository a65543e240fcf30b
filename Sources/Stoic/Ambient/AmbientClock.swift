/// The clock that everything in Stoic measures and waits on, built from any clock that counts in `Duration`.
///
/// Read the one in force with ``Ambient/clock``, replace it with ``withClock(_:_:)``: a `TestClock` or a simulation's
/// clock then moves every retry, deadline and timeout inside. Without a replacement it is a `ContinuousClock`.
public struct AmbientClock: Clock, Sendable {
  package let engine: any ClockEngine

  /// Makes an ambient clock of another clock.
  public init(_ clock: some Clock<Duration>) {
    if let ambient = clock as? AmbientClock {
      self = ambient
    } else if let timers = clock as? any TimerClock {
      engine = TimerEngine(timers)
    } else {
      engine = TaskEngine(clock)
    }
  }

  /// The system's monotonic clock, which goes on counting while the machine sleeps.
  public static let continuous = AmbientClock(ContinuousClock())

  /// The current instant.
  public var now: Instant { Instant(bounded: engine.elapsed) }

  /// The smallest step of the clock below.
  public var minimumResolution: Duration { engine.minimumResolution }

  /// Suspends until an instant, or throws `CancellationError` when the task is cancelled first.
  ///
  /// For an instant that has come already it only lets other tasks run. However far the instant is, the call never
  /// returns early.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    guard deadline > now else { return await Task.yield() }
    // A clock below may count in fewer digits.
    try await engine.sleep(until: deadline.offset, tolerance: tolerance?.clamped)
  }

  /// Calls `fire` once when an instant has come, unless the timer is cancelled before.
  package func schedule(at instant: Instant, _ fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
    engine.schedule(at: instant.offset, fire)
  }
}

/// A timer that has been set and may be taken back.
package struct ScheduledTimer: Sendable {
  private let owner: any TimerOwner
  private let id: Int

  package init(_ id: Int, of owner: any TimerOwner) {
    self.owner = owner
    self.id = id
  }

  /// Takes the timer back; without effect when it has fired.
  package func cancel() { owner.removeTimer(id) }
}

/// What keeps timers and takes them back.
package protocol TimerOwner: Sendable {
  /// Forgets a timer; without effect when it has fired.
  func removeTimer(_ id: Int)
}
