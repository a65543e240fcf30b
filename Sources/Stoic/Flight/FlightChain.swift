/// What a flight is for, and the flights whose work starts it, the innermost first.
///
/// A task that does the work of a flight carries its chain: one that asks for itself would wait for itself. The board
/// keeps the same object as the flight's key.
package class FlightChain: @unchecked Sendable {
  // Unchecked because a class that is not final cannot be checked: all that it and its one subclass hold is constant.
  private let board: ObjectIdentifier
  private let outer: FlightChain?
  /// The key's hash.
  let hash: Int

  fileprivate init(_ board: ObjectIdentifier, hash: Int, inside outer: FlightChain?) {
    self.board = board
    self.hash = hash
    self.outer = outer
  }

  /// Whether both are for the same key of the same board.
  final func isSame(as other: FlightChain) -> Bool {
    hash == other.hash && board == other.board && hasKey(of: other)
  }

  /// Whether this or a flight around it is for the same as another.
  final func contains(_ other: FlightChain) -> Bool {
    isSame(as: other) || (outer?.contains(other) ?? false)
  }

  fileprivate func hasKey(of other: FlightChain) -> Bool { false }
}

/// A chain that begins with a key.
final class FlightLink<Key: Hashable & Sendable>: FlightChain, @unchecked Sendable {
  // Unchecked as its superclass: the key is constant.
  private let key: Key

  init(_ board: FlightBoard, _ key: Key, inside outer: FlightChain?) {
    self.key = key
    super.init(ObjectIdentifier(board), hash: key.hashValue, inside: outer)
  }

  fileprivate override func hasKey(of other: FlightChain) -> Bool {
    // One board has keys of one type.
    (other as? FlightLink<Key>)?.key == key
  }
}
