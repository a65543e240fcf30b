extension JSON {
  /// Creates a string.
  public init(_ value: String) {
    var value = value
    value.makeContiguousUTF8()
    self.init(.string(value))
  }

  /// Creates a truth value.
  public init(_ value: Bool) {
    self.init(.bool(value))
  }

  /// Creates a number from an integer of any size.
  public init(_ value: some BinaryInteger) {
    if let value = Int(exactly: value) {
      self.init(.integer(value))
    } else if case .success(let number) = JSON.parse("\(value)".utf8) {
      self = number
    } else {
      // Digits are JSON: this never happens.
      self = .null
    }
  }

  /// Creates a number from a double, written with the fewest digits that give the same double again.
  ///
  /// A NaN or an infinity is kept, and makes `serialized()` throw: JSON cannot write it.
  public init(_ value: Double) {
    self.init(.double(value))
  }

  /// Creates an array.
  public init(_ elements: some Sequence<JSON>) {
    self.init(.array(Node(values: Array(elements))))
  }

  /// Creates an object with the members in this order.
  ///
  /// Of members with the same key the last value counts, in the place of the first. Linear in the number
  /// of members.
  public init(_ members: some Sequence<(key: String, value: JSON)>) {
    var keys = KeyList()
    var values: [JSON] = []
    for (key, value) in members {
      var key = key
      key.makeContiguousUTF8()
      if keys.append(key) {
        values.append(value)
      } else if let position = keys.position(of: key) {
        values[position] = value
      }
    }
    self.init(.object(Node(keys: keys, values: values)))
  }
}
