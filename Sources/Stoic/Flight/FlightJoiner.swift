/// One caller who waits for a flight.
final class FlightJoiner<Value: Sendable>: Sendable {
  private let ending = Lock<FlightEnding<Value>?>(nil)
  let wakeUp = WakeUp()

  /// Hands over how the flight ended, and wakes the caller.
  func end(_ how: FlightEnding<Value>) {
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
  ) async -> FlightEnding<Value>? {
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

/// How a flight ended.
enum FlightEnding<Value: Sendable>: Sendable {
  /// With a value or an error, which all share.
  case ended(Result<Value, any Error>)
  /// The time that the starter had lent it was over.
  case outOfTime
}
