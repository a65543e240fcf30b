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
    await cancellable {
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
  /// The time since the origin; made where the clock's type is known, and so quicker than a method that looks it up.
  private let read: @Sendable () -> Duration

  /// Longer sleeps are made in pieces, since some clocks cannot add a huge span to their `now`.
  ///
  /// A clock that has slept through one is given twice as long a one: a clock of virtual time is through with all of time
  /// in some forty of them, and the system's gets its second one after a year.
  private let piece: Piece

  private final class Piece: Sendable {
    private let state = Lock(Duration.seconds(86_400 * 365))

    var length: Duration { state.withLock { $0 } }

    func grow() { state.withLock { $0 = ($0 + $0).clamped } }
  }

  init(_ clock: Base) {
    self.clock = clock
    let (origin, piece) = (clock.now, Piece())
    self.origin = origin
    self.piece = piece
    let read: @Sendable () -> Duration = { origin.duration(to: clock.now).clamped }
    self.read = read
    timers = TaskTimers(elapsed: read) { offset in
      // Whoever sleeps for timers looks after each piece whether there still are any.
      _ = try await Self.nap(until: offset, since: origin, on: clock, piece, tolerance: nil)
    }
  }

  var elapsed: Duration { read() }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until offset: Duration, tolerance: Duration?) async throws {
    while try await Self.nap(until: offset, since: origin, on: clock, piece, tolerance: tolerance) {}
  }

  /// Sleeps for one piece of the time that is left.
  ///
  /// - Returns: whether there is more.
  private static func nap(
    until offset: Duration, since origin: Base.Instant, on clock: Base, _ piece: Piece, tolerance: Duration?
  ) async throws -> Bool {
    let remaining = offset - origin.duration(to: clock.now).clamped
    guard remaining > .zero else { return false }
    let goal = clock.now.advanced(by: min(remaining, piece.length))
    try await clock.sleep(until: goal, tolerance: tolerance)
    // A clock may know nothing of cancellation.
    try Task.checkCancellation()
    guard origin.duration(to: clock.now).clamped < offset else { return false }
    if clock.now >= goal { piece.grow() }
    // It may return early, and without ever suspending: others are to run meanwhile.
    await Task.yield()
    return true
  }

  func schedule(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> ScheduledTimer {
    ScheduledTimer(timers.add(at: offset, fire), of: timers)
  }
}
