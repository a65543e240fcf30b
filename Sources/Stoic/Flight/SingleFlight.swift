/// Lets callers who ask for the same thing at the same time share one piece of work.
///
/// The first caller under a key starts a flight; those who come while it flies wait for its result, be it a value or an
/// error. When it has ended, the next caller starts a new one: nothing is cached.
///
/// - **Leaving.** A caller who is cancelled, or whose own deadline comes, leaves alone; also the one who started. The last
///   one who leaves cancels the flight and waits for its end, as a deadline waits for its body; from then on nobody joins it.
/// - **Time.** A flight has the deadline of the caller who started it. Whoever joined with more time and sees it
///   end by that deadline starts a new flight.
/// - **Flights within flights.** Work that asks its own board for its own key does the work itself.
/// - **Budgets.** A retry with a budget belongs inside the flight: around it, each caller would pay in for the same work.
/// - **What a flight inherits.** All task-local values of the caller who started it, but for the attempt of a retry
///   around it: a retry inside a flight retries, whoever waits for it.
///
/// ```swift
/// import Stoic
///
/// let avatars = SingleFlight<Int, [UInt8]>()
///
/// func avatar(of user: Int) async throws -> [UInt8] {
///   try await avatars.run(user) { try await download(user) }
/// }
///
/// @Sendable func download(_ user: Int) async throws -> [UInt8] { [UInt8(truncatingIfNeeded: user)] }
/// ```
///
/// Safe to use from any task. Keys are hashed and compared outside its lock.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private typealias State = SingleFlightState<Key, FlightJoiner<Value>>

  private struct Board: Sendable {
    var state = State()
    var tasks: [Int: Task<Void, Never>] = [:]
  }

  private let board = Lock(Board())

  /// Whose flights they are, for events.
  public let label: String

  /// Makes an empty board of flights.
  public init(label: String = "flight") {
    self.label = label
  }

  /// How many flights can be joined now.
  public var inFlight: Int { board.withLock { $0.state.listedCount } }

  /// Joins the flight of a key, or starts one.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - body: the work, in a task of its own that starts at once, where the caller runs; not run when the caller joins.
  /// - Throws: what the flight throws, the same to all who wait; ``Rejection`` with `.deadlineExceeded` when the caller's
  ///   own deadline comes; `CancellationError` when the caller is cancelled.
  public func run(_ key: Key, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let values = Ambient.values
    let bounded: @Sendable () async throws -> Value
    if let deadline = values.deadline {
      bounded = { try await racing(until: deadline, body) }
    } else {
      bounded = body
    }
    return try await share(key, until: values.deadline, in: values, bounded) {
      Ambient.record("single_flight.joined", .debug, label: label, [])
    }
  }

  /// Joins the flight of a key, or starts one whose work keeps its deadline itself.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - deadline: the caller's, which the work has to end by if the caller starts it.
  ///   - values: what is in force for the caller.
  ///   - body: the work.
  ///   - joined: called when the caller joins.
  package func share(
    _ key: Key, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ body: @escaping @Sendable () async throws -> Value, joined: () -> Void
  ) async throws -> Value {
    let id = ObjectIdentifier(self)
    if let chain = values.flight, chain.contains(id, key) { return try await body() }
    while true {
      try Task.checkCancellation()
      guard deadline.map({ values.clock.now < $0 }) ?? true else { throw Rejection(.deadlineExceeded) }
      let joiner = FlightJoiner<Value>()
      let seat = seat(for: key, joiner)
      if seat.starts {
        let chain = FlightLink(id, key, inside: values.flight)
        start(seat.flight, values.inFlight(chain, until: deadline), body)
      } else {
        joined()
      }
      await wait(joiner, seat, until: deadline, in: values)
      let (ending, hasLeft) = joiner.outcome
      switch ending {
      case .ended(let result) where !hasLeft: return try result.get()
      case .outOfTime(let error, let lent) where !hasLeft:
        // Who had no more time than the starter is out of time as well.
        if let deadline, deadline <= lent { throw error }
      case .ended(.failure(let error)) where !(error is CancellationError), .outOfTime(let error, _):
        // The last one has waited for the end: what the work says of it is more than that it was cancelled.
        throw error
      case .ended, nil:
        if Task.isCancelled { throw CancellationError() }
        throw Rejection(.deadlineExceeded)
      }
    }
  }

  private func seat(for key: Key, _ joiner: FlightJoiner<Value>) -> State.Seat {
    let hash = key.hashValue
    while true {
      let candidates = board.withLock { $0.state.candidates(hash: hash) }
      let seat =
        if let match = candidates.first(where: { $0.key == key }) {
          board.withLock { $0.state.join(match, joiner) }
        } else {
          board.withLock { $0.state.start(key, hash: hash, after: candidates.first?.flight, joiner) }
        }
      // Nil when flights came or went while the keys were compared.
      if let seat { return seat }
    }
  }

  private func wait(
    _ joiner: FlightJoiner<Value>, _ seat: State.Seat, until deadline: AmbientClock.Instant?,
    in values: AmbientValues
  ) async {
    await Ambient.holding(LedgerEntry("wait", "for a flight of \(label)"), in: values) {
      // The starter's deadline is the flight's, which ends by it and can tell what was done until then.
      await joiner.wait(until: seat.starts ? nil : deadline, on: values.clock) { [self] in
        if seat.starts, deadline.map({ values.clock.now >= $0 }) ?? false { return }
        leave(joiner, seat)
      }
    }
  }

  private func leave(_ joiner: FlightJoiner<Value>, _ seat: State.Seat) {
    let (leave, orphan) = board.withLock { board in
      let leave = board.state.leave(seat)
      return (leave, leave == .last ? board.tasks.removeValue(forKey: seat.flight) : nil)
    }
    if leave != .tooLate { joiner.leave(waiting: leave == .last) }
    orphan?.cancel()
  }

  private func start(
    _ flight: Int, _ inside: AmbientValues, _ body: @escaping @Sendable () async throws -> Value
  ) {
    let task = Ambient.immediateTask(name: label) { [self] in
      await Ambient.$values.withValue(inside) { await fly(flight, in: inside, body) }
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

  private func fly(
    _ flight: Int, in values: AmbientValues, _ body: @Sendable () async throws -> Value
  ) async {
    let ending: FlightEnding<Value>
    do {
      // All may have left before the work has begun.
      try Task.checkCancellation()
      let value = try await Ambient.holding(LedgerEntry("flight", label), in: values) { try await body() }
      ending = .ended(.success(value))
    } catch {
      ending = self.ending(error, in: values)
    }
    var ended = board.withLock { board in
      board.tasks[flight] = nil
      return board.state.end(flight)
    }
    while let joiner = ended?.popJoiner() { joiner.end(ending) }
  }

  /// What an error says: that the lent time was over, or would have been before the work could go on, or anything else.
  private func ending(_ error: any Error, in values: AmbientValues) -> FlightEnding<Value> {
    guard let lent = values.deadline else { return .ended(.failure(error)) }
    let isRefusal = (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded
    return isRefusal || values.clock.now >= lent ? .outOfTime(error, lent: lent) : .ended(.failure(error))
  }
}
