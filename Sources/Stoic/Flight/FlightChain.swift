/// The flights whose work the current task does, the innermost first: one that asks for itself would wait for itself.
package class FlightChain: @unchecked Sendable {
  // Unchecked because a class that is not final cannot be checked: all that it and its one subclass hold is constant.
  private let board: ObjectIdentifier
  private let outer: FlightChain?

  init(_ board: ObjectIdentifier, inside outer: FlightChain?) {
    self.board = board
    self.outer = outer
  }

  /// Whether the work is done for a key of a board.
  final func contains<Key: Hashable & Sendable>(_ board: ObjectIdentifier, _ key: Key) -> Bool {
    if self.board == board, let link = self as? FlightLink<Key>, link.key == key { return true }
    return outer?.contains(board, key) ?? false
  }
}

/// A flight in a chain, with what it is for.
final class FlightLink<Key: Hashable & Sendable>: FlightChain, @unchecked Sendable {
  // Unchecked as its superclass: the key is constant.
  let key: Key

  init(_ board: ObjectIdentifier, _ key: Key, inside outer: FlightChain?) {
    self.key = key
    super.init(board, inside: outer)
  }
}
