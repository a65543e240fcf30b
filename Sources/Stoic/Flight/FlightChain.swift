/// What a flight is for, and the flights whose work starts it, the innermost first.
///
/// A task that does the work of a flight carries its chain: one that asks for itself would wait for itself. The board
/// keeps the same object as the flight's key.
package protocol FlightChain: AnyObject, Sendable {
  /// Whose flight it is.
  var board: FlightBoard { get }
  /// The flight around it.
  var outer: (any FlightChain)? { get }
  /// The key's hash.
  var hash: Int { get }

  /// Whether another flight of the board has the same key.
  func hasKey(of other: any FlightChain) -> Bool
}

extension FlightChain {
  /// Whether both are for the same key of the same board.
  func isSame(as other: any FlightChain) -> Bool {
    hash == other.hash && board === other.board && hasKey(of: other)
  }

  /// The innermost of this and the flights around it that is for the same as another.
  func link(for other: any FlightChain) -> (any FlightChain)? {
    isSame(as: other) ? self : outer?.link(for: other)
  }
}

/// The chain of a key of any type.
final class FlightLink<Key: Hashable & Sendable>: FlightChain {
  let board: FlightBoard
  let outer: (any FlightChain)?
  let hash: Int
  private let key: Key

  init(_ board: FlightBoard, _ key: Key, inside outer: (any FlightChain)?) {
    self.board = board
    self.outer = outer
    self.key = key
    hash = key.hashValue
  }

  func hasKey(of other: any FlightChain) -> Bool {
    // One board has keys of one type.
    (other as? FlightLink<Key>)?.key == key
  }
}
