extension JSON {
  /// The member of an object with this key, compared by UTF-8 bytes; nil when missing or not an object.
  ///
  /// Constant time, with a scan of up to sixteen keys.
  public subscript(key: String) -> JSON? {
    guard let members = Elements(self), members.isObject else { return nil }
    return members.value(for: key)
  }

  /// The element of an array at this index; nil when out of bounds or not an array.
  public subscript(index: Int) -> JSON? {
    guard let elements = Elements(self), !elements.isObject, index >= 0, index < elements.count else {
      return nil
    }
    return elements[index].value
  }

  /// The string, or nil for any other kind.
  public var string: String? {
    switch storage {
    case .string(let value): value
    case .parsed(let value) where value.tag == .string || value.tag == .escapedString: value.string
    default: nil
    }
  }

  /// The number as an integer, or nil when it is none or does not fit.
  ///
  /// The value counts, not the spelling: `1e2` is 100, `1.0` is 1, `1.5` and `9223372036854775808` are nil.
  /// Linear in the length of the number.
  public var int: Int? {
    switch storage {
    case .integer(let value): value
    case .double(let value): exactInteger(value)
    default: parsedNumber?.int
    }
  }

  /// The number as the nearest double, or nil when it is none or a double would change it.
  ///
  /// Nil are a number beyond the range of finite doubles (`1e400`), one that is not zero and would become
  /// zero (`1e-400`), and an integer that would turn into another one (`9007199254740993`). A fraction is
  /// rounded to the nearest double, as every reader does. Linear in the length of the number.
  public var double: Double? {
    switch storage {
    case .integer(let value):
      value.magnitude < 1 << 53
        ? Double(value) : "\(value)".withByteView { ParsedNumber($0, isInteger: true).double }
    case .double(let value): value
    default: parsedNumber?.double
    }
  }

  /// The number as it was written (`1.10` keeps its zero), or nil for any other kind.
  public var numberText: String? {
    switch storage {
    case .integer(let value): "\(value)"
    case .double(let value): value.isFinite ? value.shortestText : nil
    case .parsed(let value) where value.tag == .integer || value.tag == .decimal: value.string
    default: nil
    }
  }

  /// The truth value, or nil for any other kind.
  public var bool: Bool? {
    switch storage {
    case .bool(let value): value
    case .parsed(let value) where value.tag == .true: true
    case .parsed(let value) where value.tag == .false: false
    default: nil
    }
  }

  /// Whether the value is `null`.
  public var isNull: Bool {
    switch storage {
    case .null: true
    case .parsed(let value): value.tag == .null
    default: false
    }
  }

  /// The elements of an array, or nil for any other kind.
  ///
  /// Linear in their number when the array was read, constant when it was built.
  public var array: [JSON]? {
    if case .array(let node) = storage { return node.values }
    guard var elements = Elements(self), !elements.isObject else { return nil }
    var values: [JSON] = []
    values.reserveCapacity(elements.count)
    while let value = elements.nextValue() {
      values.append(value)
    }
    return values
  }

  /// The members of an object in order, or nil for any other kind.
  public var object: Object? {
    Object(self)
  }
}

extension JSON {
  private var parsedNumber: ParsedNumber? {
    guard case .parsed(let value) = storage else { return nil }
    switch value.tag {
    case .integer: return ParsedNumber(value.text, isInteger: true)
    case .decimal: return ParsedNumber(value.text, isInteger: false)
    default: return nil
    }
  }

  /// The number in its one normal form; nil when it is none, or not finite.
  var numberParts: NumberParts? {
    switch storage {
    case .integer(let value): NumberParts("\(value)".utf8)
    case .double(let value): value.isFinite ? NumberParts(shortest: value) : nil
    default: parsedNumber?.parts
    }
  }

  /// The nearest double, found the slow way: with whole numbers of any size and nothing else.
  package var doubleByComparison: Double? {
    parsedNumber?.doubleByComparison
  }

  /// Where the value began in the text that it was read from, in bytes; nil when it was built.
  ///
  /// It is the first byte of the value, for a string the one after its quote.
  package var offset: Int? {
    guard case .parsed(let value) = storage else { return nil }
    return value.document.offset(at: value.position)
  }
}

/// The integer that a double is, where its shortest text says the same one.
///
/// From 2^53 on the shortest text of a double can be another integer than the double itself; JSON would then be read back
/// as that one, so neither is given.
private func exactInteger(_ value: Double) -> Int? {
  guard let integer = Int(exactly: value), NumberParts(shortest: value).int == integer else { return nil }
  return integer
}
