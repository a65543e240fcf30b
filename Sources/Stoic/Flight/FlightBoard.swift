/// The flights of one ``SingleFlight``, or of a client, and who waits for them.
///
/// The caller's keys are compared and the callers woken outside its lock.
package final class FlightBoard: Sendable {
  fileprivate typealias State = SingleFlightState<any FlightChain, FlightJoiner>

  private struct Board: Sendable {
    var state = State()
    var tasks: [State.ID: Task<Void, Never>] = [:]
  }

  private let board = Lock(Board())

  /// Whose flights they are, for events.
  package let label: String

  /// Makes an empty board.
  package init(label: String) {
    self.label = label
  }

  /// How many flights can be joined now.
  package var inFlight: Int { board.withLock { $0.state.listedCount } }

  /// Whether a caller does the work of the very flight that it asks for, and would wait for itself.
  package func isOwn(_ key: any FlightChain, in values: AmbientValues) -> Bool {
    values.flight?.contains(key) ?? false
  }

  /// Joins the flight of a key, or starts one.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - deadline: the caller's, by which the work has to end of itself if the caller starts it.
  ///   - values: what is in force for the caller.
  ///   - body: the work; it puts the key in force as its chain, and no attempt.
  ///   - joined: called when the caller joins.
  /// - Throws: as ``SingleFlight/run(_:_:)`` does.
  package func share(
    _ key: any FlightChain, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ body: @escaping @Sendable @concurrent () async throws -> any FlightOutcome, joined: () -> Void
  ) async throws -> any FlightOutcome {
    while true {
      try Task.checkCancellation()
      guard deadline.map({ values.clock.now < $0 }) ?? true else { throw Rejection(.deadlineExceeded) }
      let joiner = FlightJoiner()
      let seat = seat(for: key, joiner)
      if seat.starts { start(seat.flight, until: deadline, in: values, body) } else { joined() }
      var (ending, hasLeft) = joiner.outcome
      // Else the work has ended without being suspended once.
      if ending == nil {
        await wait(joiner, seat, until: deadline, in: values)
        (ending, hasLeft) = joiner.outcome
      }
      switch ending {
      case .value(let outcome):
        if !hasLeft { return outcome }
      case .failure(let error):
        // The last one has waited for the end: what the work says of it is more than that it was cancelled.
        if !hasLeft || !(error is CancellationError) { throw error }
      case .outOfTime(let error, let lent):
        // Who had no more time than the starter is out of time as well.
        guard !hasLeft, deadline.map({ $0 > lent }) ?? true else { throw error }
        continue
      case nil:
        break
      }
      if Task.isCancelled { throw CancellationError() }
      throw Rejection(.deadlineExceeded)
    }
  }

  private func seat(for key: any FlightChain, _ joiner: FlightJoiner) -> State.Seat {
    // Mostly nothing else flies under the hash, and there is nothing to compare.
    if let seat = board.withLock({ $0.state.start(key, hash: key.hash, after: nil, joiner) }) { return seat }
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

  private func wait(
    _ joiner: FlightJoiner, _ seat: State.Seat, until deadline: AmbientClock.Instant?, in values: AmbientValues
  ) async {
    let hold = values.hold(LedgerEntry("wait", "for a flight of \(label)"))
    // The starter's deadline is the flight's, which ends by it and can tell what was done until then.
    await joiner.wait(until: seat.starts ? nil : deadline, on: values.clock) { [self] in
      if seat.starts, deadline.map({ values.clock.now >= $0 }) ?? false { return }
      leave(seat, joiner)
    }
    hold?.release()
  }

  /// Gives a seat up; the last one who does so cancels the flight and goes on waiting for its end.
  private func leave(_ seat: State.Seat, _ joiner: FlightJoiner) {
    let (leave, orphan) = board.withLock { board in
      let leave = board.state.leave(seat)
      return (leave, leave == .last ? board.tasks.removeValue(forKey: seat.flight) : nil)
    }
    if leave != .tooLate { joiner.leave(waiting: leave == .last) }
    orphan?.cancel()
  }
}

extension FlightBoard {
  private func start(
    _ flight: State.ID, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ body: @escaping @Sendable @concurrent () async throws -> any FlightOutcome
  ) {
    // A name costs something, and is for those who read a simulation's report.
    let name = values.ledger == nil ? nil : label
    let task = Ambient.immediateTask(name: name, in: values) { [self] in
      let hold = values.hold(LedgerEntry("flight", label))
      let ending: FlightEnding
      do {
        // All may have left before the work has begun.
        try Task.checkCancellation()
        ending = .value(try await body())
      } catch {
        ending = Self.ending(error, until: deadline, on: values.clock)
      }
      hold?.release()
      end(flight, ending)
    }
    let isAbandoned = board.withLock { board in
      // The flight may have ended, or been abandoned, before its task is known here.
      guard board.state.isFlying(flight) else { return false }
      if board.state.isAbandoned(flight) { return true }
      board.tasks[flight] = task
      return false
    }
    if isAbandoned { task.cancel() }
  }

  /// What an error says: that the lent time is over, or would have been before the work could go on, or anything else.
  private static func ending(
    _ error: any Error, until deadline: AmbientClock.Instant?, on clock: AmbientClock
  ) -> FlightEnding {
    guard let deadline else { return .failure(error) }
    let isRefusal = (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded
    return isRefusal || clock.now >= deadline ? .outOfTime(error, lent: deadline) : .failure(error)
  }

  private func end(_ flight: State.ID, _ ending: FlightEnding) {
    var ended = board.withLock { board in
      if !board.tasks.isEmpty { board.tasks[flight] = nil }
      return board.state.end(flight)
    }
    while let joiner = ended?.popJoiner() { joiner.end(ending) }
  }
}
