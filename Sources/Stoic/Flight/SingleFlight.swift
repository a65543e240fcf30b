/// Lets callers who ask for the same thing at the same time share one piece of work.
///
/// The first caller under a key starts a flight; those who come while it flies wait for its result, be it a value or an
/// error. When it has ended, the next caller starts a new one: nothing is cached.
///
/// - **Leaving.** A caller who is cancelled, or whose own deadline comes, leaves alone; also the one who started. The
///   flight is cancelled when the last one leaves, and nobody joins it from then on.
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
/// Safe to use from any task.
public final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Board: Sendable {
    var state = SingleFlightState<Key, FlightJoiner<Value>>()
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
    if FlightChain.current?.contains(ObjectIdentifier(self), key) ?? false { return try await body() }
    while true {
      try Task.checkCancellation()
      guard values.remaining.map({ $0 > .zero }) ?? true else { throw Rejection(.deadlineExceeded) }
      switch await share(key, values, body) {
      case .ended(let result): return try result.get()
      case .outOfTime(let error):
        if values.remaining.map({ $0 <= .zero }) ?? false { throw error }
      case nil:
        try Task.checkCancellation()
        throw Rejection(.deadlineExceeded)
      }
    }
  }

  private func share(
    _ key: Key, _ values: AmbientValues, _ body: @escaping @Sendable () async throws -> Value
  ) async -> FlightEnding<Value>? {
    let joiner = FlightJoiner<Value>()
    let seat = board.withLock { $0.state.join(key, joiner) }
    if seat.starts {
      let chain = FlightChain(ObjectIdentifier(self), key, inside: FlightChain.current)
      FlightChain.$current.withValue(chain) { start(seat.flight, values, body) }
    } else {
      Ambient.record("single_flight.joined", .debug, label: label, [])
    }
    return await Ambient.holding(LedgerEntry("wait", "for a flight of \(label)")) {
      await joiner.wait(until: values.deadline, on: values.clock) { [self] in leave(seat) }
    }
  }

  private func leave(_ seat: SingleFlightState<Key, FlightJoiner<Value>>.Seat) {
    let orphan = board.withLock { board in
      board.state.leave(seat) ? board.tasks.removeValue(forKey: seat.flight) : nil
    }
    orphan?.cancel()
  }

  private func start(
    _ flight: Int, _ values: AmbientValues, _ body: @escaping @Sendable () async throws -> Value
  ) {
    let inside = values.with(attempt: nil, deadline: values.deadline)
    let task = Ambient.$values.withValue(inside) {
      Ambient.immediateTask(name: label) { [self] in await fly(flight, until: values.deadline, body) }
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
    _ flight: Int, until deadline: AmbientClock.Instant?, _ body: @Sendable () async throws -> Value
  ) async {
    let clock = Ambient.clock
    let ending: FlightEnding<Value>
    do {
      // All may have left before the work has begun.
      try Task.checkCancellation()
      let value = try await Ambient.holding(LedgerEntry("flight", label)) {
        if let deadline { try await racing(until: deadline, body) } else { try await body() }
      }
      ending = .ended(.success(value))
    } catch {
      let isOut = deadline.map { clock.now >= $0 } ?? false
      ending = isOut ? .outOfTime(error) : .ended(.failure(error))
    }
    let joiners = board.withLock { board in
      board.tasks[flight] = nil
      return board.state.end(flight)
    }
    for joiner in joiners { joiner.end(ending) }
  }
}
