import StoicJSON

/// A range whose ends a schema can export: `1...9`, `0..<1`, `1...`, `...9`, `..<1`.
///
/// It is there for the ranges of the standard library, not to be adopted.
public protocol SchemaRange<Bound> {
  /// What the range is made of.
  associatedtype Bound: Comparable

  /// The ends of the range.
  var schemaLimits: SchemaLimits<Bound> { get }
}

/// The ends of a range, each of which may be missing.
public struct SchemaLimits<Bound: Comparable> {
  let lower: Bound?
  let upper: Bound?
  let includesUpper: Bool

  func contains(_ value: Bound) -> Bool {
    if let lower, !(value >= lower) { return false }
    guard let upper else { return true }
    return includesUpper ? value <= upper : value < upper
  }
}

extension SchemaLimits: Sendable where Bound: Sendable {}

extension ClosedRange: SchemaRange {
  /// Both ends.
  public var schemaLimits: SchemaLimits<Bound> {
    SchemaLimits(lower: lowerBound, upper: upperBound, includesUpper: true)
  }
}

extension Range: SchemaRange {
  /// Both ends, the upper one not included.
  public var schemaLimits: SchemaLimits<Bound> {
    SchemaLimits(lower: lowerBound, upper: upperBound, includesUpper: false)
  }
}

extension PartialRangeFrom: SchemaRange {
  /// The lower end.
  public var schemaLimits: SchemaLimits<Bound> {
    SchemaLimits(lower: lowerBound, upper: nil, includesUpper: true)
  }
}

extension PartialRangeThrough: SchemaRange {
  /// The upper end.
  public var schemaLimits: SchemaLimits<Bound> {
    SchemaLimits(lower: nil, upper: upperBound, includesUpper: true)
  }
}

extension PartialRangeUpTo: SchemaRange {
  /// The upper end, not included.
  public var schemaLimits: SchemaLimits<Bound> {
    SchemaLimits(lower: nil, upper: upperBound, includesUpper: false)
  }
}

extension SchemaLimits {
  /// The range in words; the ends are the schema's, not the document's.
  func words(_ text: (Bound) -> String) -> String {
    let end = includesUpper ? "at most" : "less than"
    switch (lower.map(text), upper.map(text)) {
    case (let lower?, let upper?): return "at least \(lower) and \(end) \(upper)"
    case (let lower?, nil): return "at least \(lower)"
    case (nil, let upper?): return "\(end) \(upper)"
    case (nil, nil): return "any"
    }
  }

  /// The range as members of a JSON Schema; nil when it says that nothing fits.
  func export(_ json: (Bound) -> JSON) -> JSON {
    var members: [(key: String, value: JSON)] = []
    if let lower { members.append(("minimum", json(lower))) }
    if let upper { members.append((includesUpper ? "maximum" : "exclusiveMaximum", json(upper))) }
    return JSON(members)
  }
}

extension SchemaLimits<Int> {
  /// The range of a count as members of a JSON Schema, whose counts are neither negative nor exclusive.
  ///
  /// A negative upper end is a range that no count is in.
  ///
  /// - Parameter others: How many there always are that do not count.
  func export(of counted: String, besides others: Int = 0) -> JSON {
    func sum(_ count: Int) -> JSON { JSON(min(count, Int.max - others) + others) }
    var members: [(key: String, value: JSON)] = []
    if let lower, lower > 0 { members.append(("min\(counted)", sum(lower))) }
    if let upper {
      let last = includesUpper ? upper : upper &- 1
      if last < 0 || upper == .min { return ["not": [:]] }
      members.append(("max\(counted)", sum(last)))
    }
    return JSON(members)
  }
}
