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
  /// The time that the starter had lent it was over; with what its work made of that.
  case outOfTime(any Error)
}

/// The flights whose work the current task does, the innermost first: one that asks for itself would wait for itself.
final class FlightChain: Sendable {
  @TaskLocal static var current: FlightChain?

  private let board: ObjectIdentifier
  private let key: any Hashable & Sendable
  private let outer: FlightChain?

  init(_ board: ObjectIdentifier, _ key: some Hashable & Sendable, inside outer: FlightChain?) {
    self.board = board
    self.key = key
    self.outer = outer
  }

  func contains<Key: Hashable>(_ board: ObjectIdentifier, _ key: Key) -> Bool {
    (self.board == board && self.key as? Key == key) || (outer?.contains(board, key) ?? false)
  }
}
