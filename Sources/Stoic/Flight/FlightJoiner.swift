/// One caller who waits for a flight.
final class FlightJoiner: Sendable {
  private struct State {
    var ending: FlightEnding?
    var hasLeft = false
    var isDone = false
    var continuation: UnsafeContinuation<Void, Never>?
    var timer: ScheduledTimer?
  }

  private let state = Lock(State())

  /// How the flight ended, as far as the caller has waited for it, and whether the caller wanted to leave before.
  var outcome: (ending: FlightEnding?, hasLeft: Bool) {
    state.withLock { ($0.ending, $0.hasLeft) }
  }

  /// Hands over how the flight ended, and wakes the caller.
  func end(_ how: FlightEnding) {
    wake { $0.ending = how }
  }

  /// Notes that the caller leaves, and wakes it unless it has to wait for the end all the same.
  func leave(waiting: Bool) {
    if waiting { state.withLock { $0.hasLeft = true } } else { wake { $0.hasLeft = true } }
  }

  private func wake(_ change: (inout State) -> Void) {
    let (continuation, timer) = state.withLock { state in
      change(&state)
      state.isDone = true
      return (state.continuation.take(), state.timer.take())
    }
    timer?.cancel()
    continuation?.resume()
  }

  /// Waits for the flight's end, or until the caller has left.
  ///
  /// - Parameters:
  ///   - deadline: when to leave at the latest; nil when there is no need to watch for it.
  ///   - leave: gives the seat up.
  func wait(
    until deadline: AmbientClock.Instant?, on clock: AmbientClock, leave: @escaping @Sendable () -> Void
  ) async {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isDone = state.withLock { state in
          if !state.isDone { state.continuation = continuation }
          return state.isDone
        }
        if isDone { return continuation.resume() }
        if let deadline, deadline < .distantFuture { own(clock.schedule(at: deadline, leave)) }
      }
    } onCancel: {
      leave()
    }
  }

  private func own(_ timer: ScheduledTimer) {
    let isLate = state.withLock { state in
      if !state.isDone { state.timer = timer }
      return state.isDone
    }
    if isLate { timer.cancel() }
  }
}

/// How a flight ended.
enum FlightEnding: Sendable {
  /// With what its work brought, which all share.
  case value(any FlightOutcome)
  /// With an error, which all share.
  case failure(any Error)
  /// By the time that its starter had lent it; with what its work made of that.
  case outOfTime(any Error, lent: AmbientClock.Instant)
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
