/// A part of a regular expression.
indirect enum PatternNode {
  case empty
  case scalars(ScalarSet)
  case sequence([PatternNode])
  case choice([PatternNode])
  /// From `least` to `most` times; nil is any number.
  case repeated(PatternNode, least: Int, most: Int?)
}

/// Some Unicode scalars.
struct ScalarSet: Hashable {
  /// Ranges in order that neither touch nor overlap.
  private(set) var ranges: [ClosedRange<UInt32>]
  private(set) var isNegated: Bool

  init(_ ranges: [ClosedRange<UInt32>], isNegated: Bool = false) {
    var merged: [ClosedRange<UInt32>] = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, range.lowerBound <= last.upperBound &+ 1 {
        merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        merged.append(range)
      }
    }
    self.ranges = merged
    self.isNegated = isNegated
  }

  init(_ scalar: Unicode.Scalar) {
    self.init([scalar.value...scalar.value])
  }

  var negated: ScalarSet { ScalarSet(ranges, isNegated: !isNegated) }

  static let digits = ScalarSet([0x30...0x39])
  static let words = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])
  static let spaces = ScalarSet([0x09...0x0D, 0x20...0x20])
  static let lineEnds = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029])

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    ranges.contains { $0 ~= scalar.value } != isNegated
  }
}

extension PatternNode {
  /// The expression in syntax that every dialect of regular expressions reads alike.
  var text: String {
    switch self {
    case .empty: "(?:)"
    case .scalars(let set): set.text
    case .sequence(let nodes): nodes.map { $0.isChoice ? "(?:\($0.text))" : $0.text }.joined()
    case .choice(let nodes): nodes.map(\.text).joined(separator: "|")
    case .repeated(let node, let least, let most):
      (node.isSingle ? node.text : "(?:\(node.text))") + Self.quantifier(least, most)
    }
  }

  private var isChoice: Bool {
    if case .choice = self { true } else { false }
  }

  private var isSingle: Bool {
    if case .scalars = self { true } else { false }
  }

  private static func quantifier(_ least: Int, _ most: Int?) -> String {
    switch (least, most) {
    case (0, nil): "*"
    case (1, nil): "+"
    case (0, 1): "?"
    case (_, nil): "{\(least),}"
    case (_, let most?): least == most ? "{\(least)}" : "{\(least),\(most)}"
    }
  }
}

extension ScalarSet {
  fileprivate var text: String {
    if !isNegated, ranges.count == 1, ranges[0].count == 1 {
      return Self.escaped(ranges[0].lowerBound, #"^$\.*+?()[]{}|/"#)
    }
    // An empty class is not read alike everywhere, and neither is its opposite.
    if ranges.isEmpty { return isNegated ? #"[\s\S]"# : #"[^\s\S]"# }
    let parts = ranges.map { range in
      let first = Self.escaped(range.lowerBound, #"\]^-["#)
      let last = Self.escaped(range.upperBound, #"\]^-["#)
      return range.count == 1 ? first : range.count == 2 ? first + last : "\(first)-\(last)"
    }
    return "[\(isNegated ? "^" : "")\(parts.joined())]"
  }

  private static func escaped(_ value: UInt32, _ special: String) -> String {
    guard let scalar = Unicode.Scalar(value) else { return "" }
    switch scalar {
    case "\n": return #"\n"#
    case "\r": return #"\r"#
    case "\t": return #"\t"#
    default: return special.unicodeScalars.contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
  }
}
