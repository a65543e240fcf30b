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
  private let board = FlightBoard()

  /// Whose flights they are, for events.
  public let label: String

  /// Makes an empty board of flights.
  public init(label: String = "flight") {
    self.label = label
  }

  /// How many flights can be joined now.
  public var inFlight: Int { board.inFlight }

  /// Joins the flight of a key, or starts one.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - body: the work, in a task of its own that starts at once, where the caller runs; not run when the caller joins.
  /// - Throws: what the flight throws, the same to all who wait; ``Rejection`` with `.deadlineExceeded` when the caller's
  ///   own deadline comes; `CancellationError` when the caller is cancelled.
  public func run(_ key: Key, _ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    let values = Ambient.values
    return try await share(key, until: values.deadline, in: values) { chain in
      try await Ambient.$values.withValue(values.with(attempt: nil, deadline: values.deadline, flight: chain))
      {
        guard let deadline = values.deadline else { return try await body() }
        return try await racing(until: deadline, body)
      }
    } joined: {
      Ambient.record("single_flight.joined", .debug, label: label, [])
    }
  }

  /// Joins the flight of a key, or starts one whose work keeps its deadline itself.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - deadline: the caller's, which the work has to end by if the caller starts it.
  ///   - values: what is in force for the caller.
  ///   - body: the work; it puts the chain of flights in force that it is given, and no attempt.
  ///   - joined: called when the caller joins.
  package func share(
    _ key: Key, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ body: @escaping @Sendable (FlightChain?) async throws -> Value, joined: () -> Void
  ) async throws -> Value {
    let link = FlightLink(board, key, inside: values.flight)
    if let chain = values.flight, chain.contains(link) { return try await body(chain) }
    while true {
      try Task.checkCancellation()
      guard deadline.map({ values.clock.now < $0 }) ?? true else { throw Rejection(.deadlineExceeded) }
      let joiner = FlightJoiner()
      let seat = board.seat(for: link, joiner)
      if seat.starts { start(seat.flight, link, until: deadline, in: values, body) } else { joined() }
      await wait(joiner, seat, until: deadline, in: values)
      let (ending, hasLeft) = joiner.outcome
      switch ending {
      case .ended(let outcome):
        guard let result = (outcome as? FlightResult<Value>)?.result else { continue }
        if !hasLeft { return try result.get() }
        // The last one has waited for the end: what the work says of it is more than that it was cancelled.
        if case .failure(let error) = result, !(error is CancellationError) { throw error }
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

  private func wait(
    _ joiner: FlightJoiner, _ seat: FlightBoard.State.Seat, until deadline: AmbientClock.Instant?,
    in values: AmbientValues
  ) async {
    // The work may have ended without being suspended once.
    if joiner.isDone { return }
    let hold = values.hold(LedgerEntry("wait", "for a flight of \(label)"))
    // The starter's deadline is the flight's, which ends by it and can tell what was done until then.
    await joiner.wait(until: seat.starts ? nil : deadline, on: values.clock) { [board] in
      if seat.starts, deadline.map({ values.clock.now >= $0 }) ?? false { return }
      board.leave(seat, joiner)
    }
    hold?.release()
  }

  private func start(
    _ flight: Int, _ link: FlightChain, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    _ body: @escaping @Sendable (FlightChain?) async throws -> Value
  ) {
    // A name costs something, and is for those who read a simulation's report.
    let task = Ambient.immediateTask(name: values.ledger == nil ? nil : label, in: values) { [board, label] in
      let hold = values.hold(LedgerEntry("flight", label))
      let ending = await Self.ending(of: body, link, until: deadline, on: values.clock)
      hold?.release()
      board.end(flight, ending)
    }
    board.started(flight, task)
  }

  private static func ending(
    of body: @Sendable (FlightChain?) async throws -> Value, _ link: FlightChain,
    until deadline: AmbientClock.Instant?, on clock: AmbientClock
  ) async -> FlightEnding {
    do {
      // All may have left before the work has begun.
      try Task.checkCancellation()
      return .ended(FlightResult(.success(try await body(link))))
    } catch {
      // The lent time is over, or would have been before the work could go on.
      let isRefusal = (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded
      if let deadline, isRefusal || clock.now >= deadline { return .outOfTime(error, lent: deadline) }
      return .ended(FlightResult<Value>(.failure(error)))
    }
  }
}
