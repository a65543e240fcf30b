public import StoicJSON

extension Schema where Value == Int {
  /// An integer that fits 64 bits, in any spelling: `100`, `100.0` and `1e2` are the same.
  public static var int: Schema {
    Schema(
      expected: "integer", export: ["type": "integer"],
      read: { json, context in
        if let value = json.int { return value }
        context.recordNumberMismatch(expected: "integer", holder: "64-bit integer", found: json)
        return nil
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == Double {
  /// A number that a double holds; see `JSON.double` for those that it does not.
  public static var double: Schema {
    Schema(
      expected: "number", export: ["type": "number"],
      read: { json, context in
        if let value = json.double { return value }
        context.recordNumberMismatch(expected: "number", holder: "double", found: json)
        return nil
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == String {
  /// A string.
  public static var string: Schema {
    Schema(
      expected: "string", export: ["type": "string"],
      read: { json, context in
        if let value = json.string { return value }
        context.recordMismatch(expected: "string", found: json)
        return nil
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == Bool {
  /// `true` or `false`.
  public static var bool: Schema {
    Schema(
      expected: "boolean", export: ["type": "boolean"],
      read: { json, context in
        if let value = json.bool { return value }
        context.recordMismatch(expected: "boolean", found: json)
        return nil
      },
      write: { JSON($0) })
  }
}

extension Schema where Value == JSON {
  /// Any value at all, null included, kept as it is.
  public static var json: Schema {
    Schema(expected: "any value", export: [:], read: { json, _ in json }, write: { $0 })
  }
}

extension DecodingContext {
  fileprivate mutating func recordNumberMismatch(expected: String, holder: String, found json: JSON) {
    if json.kind == .number {
      record(.number, "expected \(expected), found number that no \(holder) equals")
    } else {
      recordMismatch(expected: expected, found: json)
    }
  }
}
