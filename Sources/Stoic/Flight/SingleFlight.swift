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
  private let board: FlightBoard

  /// Whose flights they are, for events.
  public var label: String { board.label }

  /// Makes an empty board of flights.
  public init(label: String = "flight") {
    board = FlightBoard(label: label)
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
    let link = FlightLink(board, key, inside: values.flight)
    if board.isOwn(link, in: values) { return try await body() }
    let outcome = try await board.share(link, until: values.deadline, in: values) {
      let inside = values.with(attempt: nil, deadline: values.deadline, flight: link)
      return try await Ambient.$values.withValue(inside) {
        guard let deadline = values.deadline else { return FlightValue(try await body()) }
        return FlightValue(try await racing(until: deadline, body))
      }
    } joined: {
      Ambient.record("single_flight.joined", .debug, label: label, [])
    }
    // All that flies on this board is of this type.
    guard let outcome = outcome as? FlightValue<Value> else { return try await body() }
    return outcome.value
  }
}
