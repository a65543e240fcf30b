/// Lets callers who ask for the same thing at the same time share one piece of work.
///
/// The first caller under a key does the work, in its own task; those who come meanwhile wait for its result, be it a
/// value or an error. When it has ended, the next caller does it again: nothing is cached.
///
/// - **Leaving.** A caller who waits and is cancelled, or whose deadline comes, leaves alone. When the one who does the work
///   is cancelled, nobody joins it from then on, and the one of those who wait with the most time does the work anew for the
///   rest.
/// - **Time.** Work that ends by the deadline of who does it is not the result of those who have more time: the one with the
///   most does it anew.
/// - **Flights within flights.** Work that asks its own board for its own key does the work itself, also in tasks that it
///   starts. Two flights whose work asks for each other wait for each other, until a deadline.
/// - **Budgets.** A retry with a budget belongs inside the flight: around it, each caller would pay in for the same work.
/// - **What the work sees.** All that is in force for the caller who does it, but for the attempt of a retry around it: a
///   retry inside a flight retries, whoever waits for it.
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
/// func download(_ user: Int) async throws -> [UInt8] { [UInt8(truncatingIfNeeded: user)] }
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

  /// Does the work of a key, or waits for a caller who does.
  ///
  /// - Parameters:
  ///   - key: what is asked for.
  ///   - body: the work; not escaping, on the caller's actor. Not run when the caller joins another.
  /// - Throws: what the work throws, the same to all who wait; ``Rejection`` with `.deadlineExceeded` when the caller's
  ///   own deadline comes; `CancellationError` when the caller is cancelled.
  public func run(_ key: Key, _ body: () async throws -> Value) async throws -> Value {
    let values = Ambient.values
    let link = FlightLink(board, key, inside: values.flight)
    if board.isOwn(link, in: values) { return try await body() }
    let inside = values.with(attempt: nil, deadline: values.deadline, flight: link)
    let outcome = try await board.share(link, until: values.deadline, in: values, inside: inside) {
      FlightValue(try await body())
    } joined: {
      Ambient.record("single_flight.joined", .debug, label: label, [])
    }
    // All that flies on this board is of this type.
    guard let outcome = outcome as? FlightValue<Value> else { return try await body() }
    return outcome.value
  }
}
