/// What a flight is for, and the flights whose work starts it, the innermost first.
///
/// A task that does the work of a flight carries its chain: one that asks for itself would wait for itself. The board
/// keeps the same object as the flight's key. Flights whose work has ended are left out, so that work which goes on and on
/// in tasks that it leaves behind carries no more than what still flies.
package class FlightChain: @unchecked Sendable {
  // Unchecked because it has subclasses, which add nothing that changes; what changes here is behind the lock.
  private struct Place {
    var outer: FlightChain?
    var hasEnded = false
  }

  /// Whose flight it is.
  package final let board: FlightBoard
  /// The key's hash.
  package final let hash: Int
  private let place: Lock<Place>

  fileprivate init(_ board: FlightBoard, hash: Int, inside outer: FlightChain?) {
    self.board = board
    self.hash = hash
    let outer = outer?.alive
    outer?.prune()
    place = Lock(Place(outer: outer))
  }

  /// Whether another flight of the board has the same key.
  fileprivate func hasKey(of other: FlightChain) -> Bool { self === other }

  /// Whether both are for the same key of the same board.
  final func isSame(as other: FlightChain) -> Bool {
    hash == other.hash && board === other.board && hasKey(of: other)
  }

  /// The innermost of this and the flights around it that is for the same as another.
  final func link(for other: FlightChain) -> FlightChain? {
    var link: FlightChain? = self
    while let here = link, !here.isSame(as: other) { link = here.outer }
    return link
  }

  /// Notes that the work has ended.
  final func end() { place.withLock { $0.hasEnded = true } }

  private final var outer: FlightChain? { place.withLock { $0.outer } }

  /// The innermost of this and the flights around it whose work goes on.
  private final var alive: FlightChain? {
    var link: FlightChain? = self
    while let here = link, here.place.withLock({ $0.hasEnded }) { link = here.outer }
    return link
  }

  /// Lets go of those around it that have ended.
  private final func prune() {
    let kept = outer?.alive
    // What is let go of is the caller's, and leaves the lock before.
    let dropped = place.withLock { place in
      defer { place.outer = kept }
      return place.outer
    }
    withExtendedLifetime(dropped) {}
  }
}

/// The chain of a key of any type.
package final class FlightLink<Key: Hashable & Sendable>: FlightChain, @unchecked Sendable {
  // Unchecked as its superclass is; the key is a constant.
  private let key: Key

  package init(_ board: FlightBoard, _ key: Key, inside outer: FlightChain?) {
    self.key = key
    super.init(board, hash: key.hashValue, inside: outer)
  }

  fileprivate override func hasKey(of other: FlightChain) -> Bool {
    // One board has keys of one type.
    (other as? FlightLink<Key>)?.key == key
  }
}
