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
    let kind = left.kind
    guard kind == right.kind else { return false }
    switch kind {
    case .null:
      return true
    case .boolean:
      return left.bool == right.bool
    case .number:
      return areEqualNumbers(left, right)
    case .string:
      return left.withText { left in right.withText { left.hasSameBytes(as: $0) } }
    case .array, .object:
      guard let left = Elements(left), let right = Elements(right), left.count == right.count else {
        return false
      }
      return left.isIdentical(to: right) || pairUp(left, right, &pairs)
    }
  }

  private static func areEqualNumbers(_ left: JSON, _ right: JSON) -> Bool {
    if case .integer(let left) = left.storage, case .integer(let right) = right.storage {
      return left == right
    }
    if case .parsed(let left) = left.storage, case .parsed(let right) = right.storage,
      left.text.hasSameBytes(as: right.text)
    {
      return true
    }
    guard let parts = left.numberParts, let other = right.numberParts else {
      return left.double?.isFinite == false && right.double?.isFinite == false
        && (left.double == right.double || left.double?.isNaN == true && right.double?.isNaN == true)
    }
    // Exponents too great to compute with: such numbers equal only their own text.
    return parts.exponent != nil && parts == other
  }

  private static func pairUp(_ left: Elements, _ right: Elements, _ pairs: inout [(JSON, JSON)]) -> Bool {
    var (left, right) = (left, right)
    let sought = right
    while true {
      if !left.isObject {
        guard let one = left.nextValue(), let other = right.nextValue() else { return true }
        pairs.append((one, other))
        continue
      }
      guard let one = left.next(), var other = right.next() else { return true }
      if !hasSameBytes(one.key, other.key) {
        guard let found = sought.value(for: one.key) else { return false }
        other.value = found
      }
      pairs.append((one.value, other.value))
    }
  }

  /// The UTF-8 of a string; nothing for any other kind.
  private func withText<Result>(_ body: (ByteView) -> Result) -> Result {
    if case .parsed(let value) = storage, value.tag == .string { return body(value.text) }
    return (string ?? "").withByteView(body)
  }

  /// Feeds the value to the hasher; what lies more than eight levels deep counts only by kind and size.
  public func hash(into hasher: inout Hasher) {
    hash(into: &hasher, levels: 8)
  }

  private func hash(into hasher: inout Hasher, levels: Int) {
    hasher.combine(kind)
    switch kind {
    case .null: break
    case .boolean: hasher.combine(bool)
    case .number: hashNumber(into: &hasher)
    case .string: hasher.combine(ByteKey(string ?? ""))
    case .array, .object:
      guard var elements = Elements(self) else { return }
      hasher.combine(elements.count)
      guard levels > 0 else { return }
      if !elements.isObject {
        while let value = elements.nextValue() {
          value.hash(into: &hasher, levels: levels - 1)
        }
        return
      }
      var sum = 0
      while let (name, value) = elements.next() {
        var member = Hasher()
        member.combine(ByteKey(name))
        value.hash(into: &member, levels: levels - 1)
        sum &+= member.finalize()
      }
      hasher.combine(sum)
    }
  }

  private func hashNumber(into hasher: inout Hasher) {
    guard let parts = numberParts else {
      hasher.combine(double?.isNaN == true ? 0 : double)
      return
    }
    if parts.exponent == nil {
      hasher.combine(numberText)
    } else {
      hasher.combine(parts)
    }
  }
}
