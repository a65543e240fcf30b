/// One caller who waits for a flight that another flies.
final class FlightJoiner: Sendable {
  private let ending = Lock<FlightEnding?>(nil)
  private let wakeUp = WakeUp()

  /// Hands over how the flight ended, and wakes the caller.
  func end(_ how: FlightEnding) {
    ending.withLock { $0 = how }
    wakeUp.ring()
  }

  /// Waits for the flight's end; nil when the caller left before.
  ///
  /// - Parameters:
  ///   - deadline: when to leave at the latest.
  ///   - leave: gives the seat up.
  func wait(
    until deadline: AmbientClock.Instant?, on clock: AmbientClock, leave: @escaping @Sendable () -> Void
  ) async -> FlightEnding? {
    let giveUp: @Sendable () -> Void = { [wakeUp] in
      leave()
      wakeUp.ring()
    }
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        guard wakeUp.park(continuation) else { return continuation.resume() }
        if let deadline, deadline < .distantFuture { wakeUp.own(clock.schedule(at: deadline, giveUp)) }
      }
    } onCancel: {
      giveUp()
    }
    return ending.withLock { $0 }
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
