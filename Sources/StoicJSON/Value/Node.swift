/// The contents of one array or object.
///
/// It is a class so that a deep value can be freed with a loop: Swift frees nested values by recursion,
/// which a few ten thousand levels turn into a stack overflow.
final class Node {
  /// An object's keys; empty for an array.
  let keys: KeyList
  /// An array's elements, or an object's values in the order of `keys`.
  ///
  /// Nobody can read while `deinit` changes them, so accesses need no check.
  @exclusivity(unchecked) private(set) var values: [JSON]
  /// One more than the greatest height among `values`.
  let height: Int
  /// About how many bytes it takes to write it all without white space; at most ``longestExpectation``.
  let expectedLength: Int

  /// Room that is worth asking for before anything is written.
  ///
  /// Shared parts are written as often as they occur, so the true length can be beyond any number; and an error may
  /// come before the first byte.
  static let longestExpectation = 1 << 24

  /// Below this height recursion is cheap and safe, so `deinit` has nothing to do.
  private static let safeHeight = 32

  init(keys: KeyList = KeyList(), values: [JSON]) {
    self.keys = keys
    self.values = values
    var tallest = 0
    var length = 2
    for value in values {
      tallest = max(tallest, value.height)
      length = min(length + min(value.expectedLength, Self.longestExpectation) + 1, Self.longestExpectation)
    }
    for name in keys.names {
      length = min(length + name.utf8.count + 3, Self.longestExpectation)
    }
    height = tallest + 1
    expectedLength = length
  }

  deinit {
    guard height > Self.safeHeight else { return }
    var pending: [Node] = []
    Self.move(&values, to: &pending)
    while var node = pending.popLast() {
      if isKnownUniquelyReferenced(&node) {
        Self.move(&node.values, to: &pending)
      }
    }
  }

  private static func move(_ values: inout [JSON], to pending: inout [Node]) {
    for value in values {
      if let node = value.node, node.height > safeHeight {
        pending.append(node)
      }
    }
    values = []
  }
}

extension JSON {
  fileprivate var node: Node? {
    switch storage {
    case .array(let node), .object(let node): node
    default: nil
    }
  }
}

// `values` changes only in `deinit` and only in nodes that nothing else refers to: no two threads can meet.
extension Node: @unchecked Sendable {}
