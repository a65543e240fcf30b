extension JSON {
  /// The member of an object with this key, compared by UTF-8 bytes; nil when missing or not an object.
  public subscript(key: String) -> JSON? {
    object?[key]
  }

  /// The element of an array at this index; nil when out of bounds or not an array.
  public subscript(index: Int) -> JSON? {
    guard case .array(let node) = storage, node.values.indices.contains(index) else { return nil }
    return node.values[index]
  }

  /// The string, or nil for any other kind.
  public var string: String? {
    guard case .string(let value) = storage else { return nil }
    return value
  }

  /// The number as an integer, or nil when it is none or does not fit.
  ///
  /// The value counts, not the spelling: `1e2` is 100, `1.0` is 1, `1.5` and `9223372036854775808` are nil.
  /// Linear in the length of the number.
  public var int: Int? {
    guard case .number(let number) = storage else { return nil }
    return number.int
  }

  /// The number as the nearest double, or nil when it is none or a double would change it.
  ///
  /// Nil are a number beyond the range of finite doubles (`1e400`), one that is not zero and would become
  /// zero (`1e-400`), and an integer that would turn into another one (`9007199254740993`). A fraction is
  /// rounded to the nearest double, as every reader does. Linear in the length of the number.
  public var double: Double? {
    switch storage {
    case .number(let number): number.double
    case .nonFinite(let value): value
    default: nil
    }
  }

  /// The number as it was written (`1.10` keeps its zero), or nil for any other kind.
  public var numberText: String? {
    guard case .number(let number) = storage else { return nil }
    return number.text
  }

  /// The truth value, or nil for any other kind.
  public var bool: Bool? {
    guard case .bool(let value) = storage else { return nil }
    return value
  }

  /// Whether the value is `null`.
  public var isNull: Bool {
    guard case .null = storage else { return false }
    return true
  }

  /// The elements of an array, or nil for any other kind.
  public var array: [JSON]? {
    guard case .array(let node) = storage else { return nil }
    return node.values
  }

  /// The members of an object in order, or nil for any other kind.
  public var object: Object? {
    guard case .object(let node) = storage else { return nil }
    return Object(node)
  }
}
