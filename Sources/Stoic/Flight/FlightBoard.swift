/// The flights of one ``SingleFlight`` and who waits for them.
///
/// The caller's keys are compared and the callers woken outside its lock.
final class FlightBoard: Sendable {
  typealias State = SingleFlightState<FlightChain, FlightJoiner>

  private struct Board: Sendable {
    var state = State()
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let board = Lock(Board())

  /// How many flights can be joined now.
  var inFlight: Int { board.withLock { $0.state.listedCount } }

  /// Takes a seat in the flight of a key, or in a new one.
  func seat(for key: FlightChain, _ joiner: FlightJoiner) -> State.Seat {
    while true {
      let candidates = board.withLock { $0.state.candidates(hash: key.hash) }
      let seat =
        if let match = candidates.first(where: { $0.key.isSame(as: key) }) {
          board.withLock { $0.state.join(match, joiner) }
        } else {
          board.withLock { $0.state.start(key, hash: key.hash, after: candidates.first?.flight, joiner) }
        }
      // Nil when flights came or went while the keys were compared.
      if let seat { return seat }
    }
  }

  /// Gives a seat up; the last one who does so cancels the flight and goes on waiting for its end.
  func leave(_ seat: State.Seat, _ joiner: FlightJoiner) {
    let (leave, orphan) = board.withLock { board in
      let leave = board.state.leave(seat)
      return (leave, leave == .last ? board.tasks.removeValue(forKey: seat.flight) : nil)
    }
    if leave != .tooLate { joiner.leave(waiting: leave == .last) }
    orphan?.cancel()
  }

  /// Makes a flight's task known, which has begun.
  func started(_ flight: Int, _ task: Task<Void, Never>) {
    let isAbandoned = board.withLock { board in
      // The flight may have ended, or been abandoned, before its task is known here.
      guard board.state.isFlying(flight) else { return false }
      if board.state.isAbandoned(flight) { return true }
      board.tasks[flight] = task
      return false
    }
    if isAbandoned { task.cancel() }
  }

  /// Ends a flight and tells all who wait for it.
  func end(_ flight: Int, _ ending: FlightEnding) {
    var ended = board.withLock { board in
      board.tasks[flight] = nil
      return board.state.end(flight)
    }
    while let joiner = ended?.popJoiner() { joiner.end(ending) }
  }
}
