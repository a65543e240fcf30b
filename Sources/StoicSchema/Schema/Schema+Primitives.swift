public import StoicJSON

extension Schema where Value == Double {
  /// A number that a double holds; see `JSON.double` for those that it does not.
  public static var double: Schema {
    Schema(
      expected: "number", export: ["type": "number"],
      read: { json, context, place in
        guard let value = json.double else {
          context.recordNumberMismatch(expected: "number", holder: "double", found: json)
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0) })
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
