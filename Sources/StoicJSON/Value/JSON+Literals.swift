extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
  /// Creates a string from a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }
}

extension JSON: ExpressibleByIntegerLiteral {
  /// Creates a number from a literal.
  public init(integerLiteral value: Int) {
    self.init(value)
  }
}

extension JSON: ExpressibleByFloatLiteral {
  /// Creates a number from a literal; see ``init(_:)-(Double)`` for how it is written.
  public init(floatLiteral value: Double) {
    self.init(value)
  }
}

extension JSON: ExpressibleByBooleanLiteral {
  /// Creates a truth value from a literal.
  public init(booleanLiteral value: Bool) {
    self.init(value)
  }
}

extension JSON: ExpressibleByArrayLiteral {
  /// Creates an array from a literal.
  public init(arrayLiteral elements: JSON...) {
    self.init(elements)
  }
}

extension JSON: ExpressibleByDictionaryLiteral {
  /// Creates an object from a literal, in the order written.
  ///
  /// A repeated key does not trap: its last value counts, in the place of the first.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(elements.lazy.map { (key: $0, value: $1) })
  }
}
