/// What an ``AmbientClock`` runs on: time as an offset from an origin, sleeps, and timers.
///
/// A class, so that a clock is copied as one reference.
package protocol ClockEngine: AnyObject, Sendable {
  /// Within plus and minus ``Swift/Duration/longest``, whatever the clock below says.
  var elapsed: Duration { get }
  var minimumResolution: Duration { get }
  func sleep(until offset: Duration, tolerance: Duration?) async throws
  func schedule(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> ScheduledTimer
}

/// A clock that keeps its own timers, so that a timer costs no task: the clocks of `StoicTesting`.
package protocol TimerClock: Clock<Duration>, TimerOwner {
  /// The time since the clock's origin.
  var elapsed: Duration { get }

  /// Calls `fire` once when the clock has reached `offset`; at once when it has already.
  func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int
}

/// An engine over a clock with timers: a sleep is a timer that resumes a continuation.
final class TimerEngine: ClockEngine {
  private let clock: any TimerClock

  init(_ clock: any TimerClock) {
    self.clock = clock
  }

  var elapsed: Duration { clock.elapsed.clamped }
  var minimumResolution: Duration { .nanoseconds(1) }

  func schedule(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
    ScheduledTimer(clock.addTimer(at: offset, fire), of: clock)
  }

  func sleep(until offset: Duration, tolerance: Duration?) async throws {
    let wakeUp = WakeUp()
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        guard wakeUp.park(continuation) else { return continuation.resume() }
        let timer = schedule(at: offset) { wakeUp.ring() }
        wakeUp.own(timer)
      }
    } onCancel: {
      wakeUp.ring()
    }
    try Task.checkCancellation()
  }
}

/// An engine over any other clock: its own `sleep` does the waiting, and one task of it serves all timers.
final class TaskEngine<Base: Clock<Duration>>: ClockEngine {
  private let clock: Base
  private let origin: Base.Instant
  private let timers: TaskTimers

  /// Longer sleeps are made in pieces of this length: some clocks cannot add a huge span to their `now`.
  private static var piece: Duration { .seconds(86_400 * 365) }

  init(_ clock: Base) {
    self.clock = clock
    let origin = clock.now
    self.origin = origin
    timers = TaskTimers(elapsed: { origin.duration(to: clock.now).clamped }) { offset in
      try await Self.sleep(until: offset, since: origin, on: clock, tolerance: nil)
    }
  }

  var elapsed: Duration { origin.duration(to: clock.now).clamped }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until offset: Duration, tolerance: Duration?) async throws {
    try await Self.sleep(until: offset, since: origin, on: clock, tolerance: tolerance)
  }

  private static func sleep(
    until offset: Duration, since origin: Base.Instant, on clock: Base, tolerance: Duration?
  ) async throws {
    while true {
      let remaining = offset - origin.duration(to: clock.now).clamped
      guard remaining > .zero else { return }
      let next = clock.now.advanced(by: min(remaining, piece))
      try await clock.sleep(until: next, tolerance: tolerance)
      // A clock may return early, and may know nothing of cancellation.
      try Task.checkCancellation()
    }
  }

  func schedule(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
    ScheduledTimer(timers.add(at: offset, fire), of: timers)
  }
}
