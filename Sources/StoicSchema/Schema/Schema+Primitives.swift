public import StoicJSON

extension Schema where Value == Double {
  /// A number that a double holds; see `JSON.double` for those that it does not.
  public static var double: Schema {
    Schema(
      expected: "number", export: ["type": "number"],
      read: { json, context, place in
        guard let value = json.double, value.isFinite else {
          context.recordNumberMismatch(expected: "number", holder: "double", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == Float {
  /// A number as the nearest float, under the same rules as ``double``.
  ///
  /// Not accepted are a number beyond the range of finite floats, one that is not zero and would become zero,
  /// and an integer that would turn into another one (`16777217`). A float is written with as few digits as
  /// give it back.
  public static var float: Schema {
    Schema(
      expected: "number", export: ["type": "number"],
      read: { json, context, place in
        guard let value = json.float else {
          context.recordNumberMismatch(expected: "number", holder: "float", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { $0.json })
  }
}

extension Float {
  var json: JSON {
    isFinite ? (try? JSON(parsing: "\(self)")) ?? JSON(Double(self)) : JSON(Double(self))
  }
}

extension JSON {
  fileprivate var float: Float? {
    // Not by way of a double: to round twice is not to round to the nearest.
    guard let text = numberText, let value = Float(text), value.isFinite else { return nil }
    if value == 0 { return self == 0 ? value : nil }
    // As with doubles: a fraction or an exponent says that not all digits are meant.
    let isInteger = !text.utf8.contains { ".eE".utf8.contains($0) }
    let isKept = self == value.json || double == Double(value)
    return isInteger && !isKept ? nil : value
  }
}

extension Schema where Value == String {
  /// A string.
  public static var string: Schema {
    Schema(
      expected: "string", export: ["type": "string"],
      read: { json, context, place in
        guard let value = json.string else {
          context.recordMismatch(expected: "string", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == Bool {
  /// `true` or `false`.
  public static var bool: Schema {
    Schema(
      expected: "boolean", export: ["type": "boolean"],
      read: { json, context, place in
        guard let value = json.bool else {
          context.recordMismatch(expected: "boolean", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == JSON {
  /// Any value at all, null included, kept as it is.
  public static var json: Schema {
    Schema(
      expected: "any value", export: [:],
      read: { json, _, place in
        place.put(json)
        return true
      },
      write: { $0 })
  }
}

extension DecodingContext {
  mutating func recordNumberMismatch(expected: String, holder: String, found json: JSON) {
    if json.kind == .number {
      record(
        .number, offset: json.start, .kinds(expected: expected, found: "number that no \(holder) equals"))
    } else {
      recordMismatch(expected: expected, found: json)
    }
  }
}
