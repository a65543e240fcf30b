extension JSON: Hashable {
  /// Whether both values mean the same; linear in their size.
  ///
  /// Members of objects are compared in any order, numbers by their exact decimal value, strings and keys
  /// by their UTF-8 bytes. A NaN equals a NaN, so that every value equals itself.
  public static func == (left: JSON, right: JSON) -> Bool {
    var pairs: [(JSON, JSON)] = []
    var pair = (left, right)
    while true {
      guard areAlike(pair.0, pair.1, &pairs) else { return false }
      guard let next = pairs.popLast() else { return true }
      pair = next
    }
  }

  /// Compares what is not nested, and leaves the nested values in `pairs`.
  private static func areAlike(_ left: JSON, _ right: JSON, _ pairs: inout [(JSON, JSON)]) -> Bool {
    switch (left.storage, right.storage) {
    case (.null, .null):
      return true
    case (.bool(let left), .bool(let right)):
      return left == right
    case (.number(let left), .number(let right)):
      return left == right
    case (.nonFinite(let left), .nonFinite(let right)):
      return left == right || left.isNaN && right.isNaN
    case (.string(let left), .string(let right)):
      return hasSameBytes(left, right)
    case (.array(let left), .array(let right)):
      guard left.values.count == right.values.count else { return false }
      if left !== right { pairs.append(contentsOf: zip(left.values, right.values)) }
      return true
    case (.object(let left), .object(let right)):
      guard left.values.count == right.values.count else { return false }
      return left === right || pairUp(left, right, &pairs)
    default:
      return false
    }
  }

  private static func pairUp(_ left: Node, _ right: Node, _ pairs: inout [(JSON, JSON)]) -> Bool {
    for (position, name) in left.keys.names.enumerated() {
      var other = position
      if !hasSameBytes(right.keys.names[position], name) {
        guard let found = right.keys.position(of: name) else { return false }
        other = found
      }
      pairs.append((left.values[position], right.values[other]))
    }
    return true
  }

  /// Feeds the value to the hasher; what lies more than eight levels deep counts only by kind and size.
  public func hash(into hasher: inout Hasher) {
    hash(into: &hasher, levels: 8)
  }

  private func hash(into hasher: inout Hasher, levels: Int) {
    hasher.combine(kind)
    switch storage {
    case .null: break
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .nonFinite(let value): hasher.combine(value.isNaN ? 0 : value)
    case .string(let value): hasher.combine(ByteKey(value))
    case .array(let node):
      hasher.combine(node.values.count)
      guard levels > 0 else { return }
      for value in node.values {
        value.hash(into: &hasher, levels: levels - 1)
      }
    case .object(let node):
      hasher.combine(node.values.count)
      guard levels > 0 else { return }
      var sum = 0
      for (name, value) in zip(node.keys.names, node.values) {
        var member = Hasher()
        member.combine(ByteKey(name))
        value.hash(into: &member, levels: levels - 1)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    }
  }
}
