/// Reads a regular expression.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var position = 0
  private var depth = 0
  /// How deep groups may be nested, and how often something may be repeated by a number.
  private static let depthLimit = 50
  private static let repetitionLimit = 1_000

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  mutating func parse() throws(PatternError) -> PatternNode {
    let node = try choice()
    if position < scalars.count { throw error("expected no closing parenthesis") }
    return node
  }

  private var next: Unicode.Scalar? {
    position < scalars.count ? scalars[position] : nil
  }

  private mutating func take() -> Unicode.Scalar? {
    defer { position += 1 }
    return next
  }

  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard next == scalar else { return false }
    position += 1
    return true
  }

  private func error(_ text: String) -> PatternError {
    PatternError(description: "\(text) at scalar \(min(position, scalars.count))")
  }

  private mutating func choice() throws(PatternError) -> PatternNode {
    var branches = [try sequence()]
    while skip("|") { branches.append(try sequence()) }
    return branches.count == 1 ? branches[0] : .choice(branches)
  }

  private mutating func sequence() throws(PatternError) -> PatternNode {
    var nodes: [PatternNode] = []
    while let scalar = next, scalar != "|", scalar != ")" {
      nodes.append(try quantified(try atom()))
    }
    return nodes.isEmpty ? .empty : nodes.count == 1 ? nodes[0] : .sequence(nodes)
  }

  private mutating func atom() throws(PatternError) -> PatternNode {
    switch take() {
    case "(":
      if skip("?"), !skip(":") { throw error("expected a plain group") }
      if depth == Self.depthLimit { throw error("expected fewer groups inside one another") }
      depth += 1
      let node = try choice()
      depth -= 1
      if !skip(")") { throw error("expected a closing parenthesis") }
      return node
    case "[": return .scalars(try scalarClass())
    case ".": return .scalars(ScalarSet.lineEnds.negated)
    case "\\": return .scalars(try escape())
    case "^", "$":
      position -= 1
      throw error("expected no anchor, since the whole string has to match,")
    case "*", "+", "?", "{", "}", "]":
      position -= 1
      throw error("expected a backslash before a special character")
    case let scalar?: return .scalars(ScalarSet(scalar))
    case nil: throw error("expected more")
    }
  }

  private mutating func quantified(_ node: PatternNode) throws(PatternError) -> PatternNode {
    let result: PatternNode
    if skip("*") {
      result = .repeated(node, least: 0, most: nil)
    } else if skip("+") {
      result = .repeated(node, least: 1, most: nil)
    } else if skip("?") {
      result = .repeated(node, least: 0, most: 1)
    } else if skip("{") {
      let least = try number()
      var most: Int? = least
      if skip(",") { most = next == "}" ? nil : try number() }
      guard skip("}"), most.map({ $0 >= least }) ?? true else {
        throw error("expected a number of repetitions such as {2} or {2,5}")
      }
      result = .repeated(node, least: least, most: most)
    } else {
      return node
    }
    if let next, "*+?{".unicodeScalars.contains(next) { throw error("expected no second quantifier") }
    return result
  }

  private mutating func number() throws(PatternError) -> Int {
    var value: Int?
    while let digit = next, "0"..."9" ~= digit, (value ?? 0) <= Self.repetitionLimit {
      value = (value ?? 0) * 10 + Int(digit.value - 0x30)
      position += 1
    }
    guard let value, value <= Self.repetitionLimit else {
      throw error("expected a number up to \(Self.repetitionLimit)")
    }
    return value
  }

  private mutating func escape() throws(PatternError) -> ScalarSet {
    switch take() {
    case "d": return .digits
    case "D": return ScalarSet.digits.negated
    case "w": return .words
    case "W": return ScalarSet.words.negated
    case "s": return .spaces
    case "S": return ScalarSet.spaces.negated
    case "n": return ScalarSet("\n")
    case "r": return ScalarSet("\r")
    case "t": return ScalarSet("\t")
    case "f": return ScalarSet("\u{C}")
    case "v": return ScalarSet("\u{B}")
    case let scalar?
    where scalar.isASCII && scalar.value > 0x20 && scalar.value < 0x7F
      && !scalar.properties.isAlphabetic && !("0"..."9" ~= scalar):
      return ScalarSet(scalar)
    default:
      position -= 1
      throw error("expected a known escape")
    }
  }

  private mutating func scalarClass() throws(PatternError) -> ScalarSet {
    let isNegated = skip("^")
    var ranges: [ClosedRange<UInt32>] = []
    while true {
      guard next != nil else { throw error("expected the end of a class") }
      if skip("]") { break }
      let first = try classItem()
      if next == "-", position + 1 < scalars.count, scalars[position + 1] != "]" {
        position += 1
        let last = try classItem()
        guard first.count == 1, last.count == 1, first[0].count == 1, last[0].count == 1,
          first[0].lowerBound <= last[0].lowerBound
        else { throw error("expected a range from a lower to a higher scalar") }
        ranges.append(first[0].lowerBound...last[0].lowerBound)
      } else {
        ranges += first
      }
    }
    return ScalarSet(ranges, isNegated: isNegated)
  }

  private mutating func classItem() throws(PatternError) -> [ClosedRange<UInt32>] {
    if skip("\\") {
      let set = try escape()
      if set.isNegated { throw error("expected no opposite of a class inside a class") }
      return set.ranges
    }
    guard let scalar = take(), scalar != "[" else { throw error("expected a backslash before [") }
    return [scalar.value...scalar.value]
  }
}
