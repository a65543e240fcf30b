/// One caller who waits for a flight that another flies.
final class FlightJoiner: Sendable {
  private struct State {
    var ending: FlightEnding?
    var hasLeft = false
  }

  private let state = Lock(State())
  private let wakeUp = WakeUp()
  private let deadline: AmbientClock.Instant?
  private let clock: AmbientClock

  /// - Parameter deadline: when the caller leaves at the latest.
  init(until deadline: AmbientClock.Instant?, on clock: AmbientClock) {
    self.deadline = deadline
    self.clock = clock
  }

  /// The time that the caller has left.
  var remaining: Duration { deadline.map { clock.now.duration(to: $0) } ?? .longest }

  /// Whether the caller has more time than somebody had.
  func hasMore(than lent: LentTime) -> Bool { deadline.map { !lent.covers($0, on: clock) } ?? true }

  /// Hands over how the flight ended, and wakes the caller; false when it has left before.
  @discardableResult
  func end(_ how: FlightEnding) -> Bool {
    let isThere = state.withLock { state in
      if !state.hasLeft { state.ending = how }
      return !state.hasLeft
    }
    wakeUp.ring()
    return isThere
  }

  /// Waits for the flight's end; nil when the caller left before.
  ///
  /// - Parameter leave: gives the seat up.
  func wait(leave: @escaping @Sendable () -> Void) async -> FlightEnding? {
    let giveUp: @Sendable () -> Void = { [self] in
      // Who has been told of the end before is not let go of it: it may be the one who is to go on.
      state.withLock { $0.hasLeft = true }
      leave()
      wakeUp.ring()
    }
    await cancellable {
      await withUnsafeContinuation { continuation in
        guard wakeUp.park(continuation) else { return continuation.resume() }
        if let deadline, deadline < .distantFuture { wakeUp.own(clock.schedule(at: deadline, giveUp)) }
      }
    } onCancel: {
      giveUp()
    }
    return state.withLock { $0.ending }
  }
}

/// How a flight ended for those who joined it.
enum FlightEnding: Sendable {
  /// With what its work brought, which all share.
  case value(any FlightOutcome)
  /// With an error, which all share.
  case failure(any Error)
  /// By the deadline of who flew it; with what its work made of that.
  case outOfTime(any Error, lent: LentTime)
  /// Without any: who flew it has left.
  case givenUp
  /// Not at all: the caller is to fly it under another number, for all others who wait.
  case takeOver(Int)
}

/// The time that whoever flew a flight had for it.
struct LentTime: Sendable {
  private let deadline: AmbientClock.Instant
  private let clock: AmbientClock
  private let remaining: Duration

  init(until deadline: AmbientClock.Instant, on clock: AmbientClock) {
    self.deadline = deadline
    self.clock = clock
    remaining = clock.now.duration(to: deadline)
  }

  /// Whether another deadline comes no later.
  func covers(_ other: AmbientClock.Instant, on otherClock: AmbientClock) -> Bool {
    // Instants never cross clocks; what is left of the time does.
    otherClock.engine === clock.engine ? other <= deadline : otherClock.now.duration(to: other) <= remaining
  }
}

/// What the work of a flight has brought, whatever it is.
///
/// The board does not know the type of its callers' values, so that it is compiled once and not looked up for each.
package protocol FlightOutcome: AnyObject, Sendable {}

/// A value of any type that the work of a flight has brought.
final class FlightValue<Value: Sendable>: FlightOutcome {
  let value: Value

  init(_ value: Value) {
    self.value = value
  }
}
