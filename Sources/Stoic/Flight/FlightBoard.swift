/// The flights of one ``SingleFlight``, or of a client, and who waits for them.
///
/// The caller's keys are compared and the callers woken outside its lock.
package final class FlightBoard: Sendable {
  private typealias State = SingleFlightState<FlightChain, FlightJoiner>

  /// What a caller does.
  private enum Part {
    /// The work, for all who join.
    case flies(Int)
    /// It waits for who does the work.
    case joins(State.Seat, FlightJoiner)
  }

  private let state = Lock(State())

  /// Whose flights they are, for events.
  package let label: String

  /// Makes an empty board.
  package init(label: String) {
    self.label = label
  }

  /// How many flights can be joined now.
  package var inFlight: Int { state.withLock { $0.count } }

  /// Whether a caller does the work of the very flight that it asks for, and would wait for itself.
  ///
  /// A task that the work has left behind carries a flight that has ended: nobody waits for that one, and the task shares
  /// like any other caller.
  package func isOwn(_ key: FlightChain, in values: AmbientValues) -> Bool {
    guard let own = values.flight?.link(for: key) else { return false }
    return state.withLock { $0.candidates(hash: own.hash) }.contains { $0.key === own }
  }

  /// Does the work of a key, or joins a caller who does.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - deadline: the caller's.
  ///   - now: the present instant, where it is known.
  ///   - values: what is in force for the caller.
  ///   - inside: what is in force for the work, with the key as its chain and no attempt; nil where the work sees to that.
  ///   - body: the work.
  ///   - joined: called when the caller joins.
  /// - Throws: as ``SingleFlight/run(_:_:)`` does.
  package func share(
    _ key: FlightChain, until deadline: AmbientClock.Instant?, at now: AmbientClock.Instant? = nil,
    in values: AmbientValues, inside: AmbientValues? = nil, _ body: () async throws -> any FlightOutcome,
    joined: () -> Void
  ) async throws -> any FlightOutcome {
    var known = now
    while true {
      try checkTime(until: deadline, at: known ?? values.clock.now)
      known = nil
      switch part(for: key, FlightJoiner(until: deadline, on: values.clock)) {
      case .flies(let flight):
        return try await fly(flight, key, until: deadline, in: values, inside, body)
      case .joins(let seat, let joiner):
        joined()
        switch await wait(joiner, seat, in: values) {
        case .value(let outcome): return outcome
        case .failure(let error): throw error
        case .takeOver(let flight):
          // Its work carries this key: were it to ask for the same, it would else wait for itself.
          let old = state.withLock { $0.rename(flight, to: key) }
          withExtendedLifetime(old) {}
          // It may have been cancelled since, or its time be over: then somebody else is to go on.
          do { try checkTime(until: deadline, at: values.clock.now) } catch {
            end(flight, .givenUp)
            throw error
          }
          return try await fly(flight, key, until: deadline, in: values, inside, body)
        case .outOfTime(let error, _): throw error
        case .givenUp: continue
        case nil:
          try Task.checkCancellation()
          throw Rejection(.deadlineExceeded)
        }
      }
    }
  }

  private func checkTime(
    until deadline: AmbientClock.Instant?, at now: @autoclosure () -> AmbientClock.Instant
  ) throws {
    try Task.checkCancellation()
    if let deadline, now() >= deadline { throw Rejection(.deadlineExceeded) }
  }

  private func part(for key: FlightChain, _ new: @autoclosure () -> FlightJoiner) -> Part {
    // Mostly nothing else flies under the hash, and there is nothing to compare.
    if let flight = state.withLock({ $0.start(key, hash: key.hash, after: nil) }) { return .flies(flight) }
    let joiner = new()
    while true {
      let candidates = state.withLock { $0.candidates(hash: key.hash) }
      // Nil when flights came or went while the keys were compared.
      if let match = candidates.first(where: { $0.key.isSame(as: key) }) {
        if let seat = state.withLock({ $0.join(match, joiner) }) { return .joins(seat, joiner) }
      } else if let flight = state.withLock({
        $0.start(key, hash: key.hash, after: candidates.first?.flight)
      }) {
        return .flies(flight)
      }
    }
  }

  @inline(never) private func wait(
    _ joiner: FlightJoiner, _ seat: State.Seat, in values: AmbientValues
  ) async -> FlightEnding? {
    let hold = values.hold(LedgerEntry("wait", "for a flight of \(label)"))
    defer { hold?.release() }
    return await joiner.wait { [self] in
      _ = state.withLock { $0.leave(seat) }
    }
  }

  @inline(never) private func fly(
    _ flight: Int, _ key: FlightChain, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ inside: AmbientValues?, _ body: () async throws -> any FlightOutcome
  ) async throws -> any FlightOutcome {
    let hold = values.hold(LedgerEntry("flight", label))
    defer {
      key.end()
      hold?.release()
    }
    do {
      let outcome = try await cancellable {
        if let inside { try await inside.inForce(body) } else { try await body() }
      } onCancel: {
        // From now on nobody joins this, and who has joined need not wait for what becomes of it.
        end(flight, .givenUp)
      }
      end(flight, .value(outcome))
      return outcome
    } catch {
      // The work may see the cancellation before the handler above is called, which then is not called at all.
      let ending = Task.isCancelled ? .givenUp : Self.ending(error, until: deadline, on: values.clock)
      end(flight, ending)
      throw error
    }
  }

  /// What an error says: that the time is over, or would have been before the work could go on, or anything else.
  private static func ending(
    _ error: any Error, until deadline: AmbientClock.Instant?, on clock: AmbientClock
  ) -> FlightEnding {
    guard let deadline else { return .failure(error) }
    let reason = (error as? any RejectionCarrying)?.rejection?.reason
    // A rate limiter refuses at once what would wait past the deadline: one with more time may have its turn.
    let isRefusal = reason == .deadlineExceeded || reason == .rateLimited
    guard isRefusal || clock.now >= deadline else { return .failure(error) }
    return .outOfTime(error, lent: LentTime(until: deadline, on: clock))
  }

  private func end(_ flight: Int, _ ending: FlightEnding) {
    switch ending {
    case .value, .failure, .takeOver:
      var ended = state.withLock { $0.end(flight) }
      while let joiner = ended?.popJoiner() { joiner.end(ending) }
    case .givenUp, .outOfTime:
      // The number changes hands at once, so that nobody begins beside whoever goes on.
      guard let (next, waiting) = state.withLock({ $0.renew(flight) }) else { return }
      handOver(next, waiting, after: ending)
    }
  }

  /// Has the one of those who wait go on who has the most time: else they would begin one after the other, each for as long
  /// as it came later than the one before.
  private func handOver(_ flight: Int, _ waiting: [FlightJoiner], after ending: FlightEnding) {
    var waiting = waiting.map { (joiner: $0, remaining: $0.remaining) }
    while let heir = waiting.indices.max(by: { left, right in
      let (one, other) = (waiting[left].remaining, waiting[right].remaining)
      return one != other ? one < other : left > right
    }) {
      let (joiner, remaining) = waiting.remove(at: heir)
      guard remaining > .zero else {
        // Nobody has any time left.
        joiner.end(ending)
        break
      }
      if case .outOfTime(_, let lent) = ending, !joiner.hasMore(than: lent) {
        // Nobody has more time than the one who is out of it.
        joiner.end(ending)
        break
      }
      guard joiner.end(.takeOver(flight)) else { continue }
      Ambient.reach("single_flight.taken_over")
      let others = waiting.map(\.joiner)
      // The heir may have ended already.
      if !state.withLock({ $0.rejoin(flight, others) }) { for other in others { other.end(.givenUp) } }
      return
    }
    // Newcomers have joined what nobody flies.
    var ended = state.withLock { $0.end(flight) }
    while let joiner = ended?.popJoiner() { joiner.end(.givenUp) }
    for (joiner, _) in waiting { joiner.end(ending) }
  }
}
