import StoicJSON

extension Schema
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
  /// A string that is the raw value of one of an enumeration's `allCases`, compared by UTF-8 bytes.
  ///
  /// Any other string is an issue with the code `.unknownCase`, whose message names the known ones.
  public static var enumeration: Schema {
    enumeration(unknownCase: nil)
  }

  /// A string that is the raw value of one of an enumeration's cases, and a case for any other string, as a
  /// repair.
  public static func enumeration(unknownCase substitute: Value) -> Schema where Value: Sendable {
    enumeration(unknownCase: { substitute })
  }

  private static func enumeration(unknownCase substitute: (@Sendable () -> Value)?) -> Schema {
    let names = Value.allCases.map(\.rawValue)
    let known = Set(names.map(ByteKey.init))
    return cases(
      ofKind: "string", names: names.map(quoted), raw: names.map { JSON($0) }, unknownCase: substitute,
      read: { json, context in
        if json.kind != .string { context.recordMismatch(expected: "string", found: json) }
        return json.string
      },
      find: { name in
        guard known.contains(ByteKey(name)) else { return nil }
        if let value = Value(rawValue: name), hasSameBytes(value.rawValue, name) { return value }
        // Of cases that differ only in their bytes, `init(rawValue:)` finds the first.
        return Value.allCases.first { hasSameBytes($0.rawValue, name) }
      }, write: { JSON($0) })
  }
}

extension Schema where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == Int {
  /// An integer that is the raw value of one of an enumeration's `allCases`.
  ///
  /// Any other integer is an issue with the code `.unknownCase`, whose message names the known ones.
  public static var enumeration: Schema {
    enumeration(unknownCase: nil)
  }

  /// An integer that is the raw value of one of an enumeration's cases, and a case for any other integer, as
  /// a repair.
  ///
  /// A number that is no integer, or none of 64 bits, is an issue all the same.
  public static func enumeration(unknownCase substitute: Value) -> Schema where Value: Sendable {
    enumeration(unknownCase: { substitute })
  }

  private static func enumeration(unknownCase substitute: (@Sendable () -> Value)?) -> Schema {
    let numbers = Value.allCases.map(\.rawValue)
    let known = Set(numbers)
    return cases(
      ofKind: "integer", names: numbers.map { "\($0)" }, raw: numbers.map { JSON($0) },
      unknownCase: substitute,
      read: { json, context in
        let number = json.int
        if number == nil {
          context.recordNumberMismatch(expected: "integer", holder: "64-bit integer", found: json)
        }
        return number
      },
      find: { known.contains($0) ? Value(rawValue: $0) : nil }, write: { JSON($0) })
  }
}

extension Schema where Value: RawRepresentable & SendableMetatype {
  /// - Parameters:
  ///   - read: The raw value of a document, or nil and an issue.
  ///   - find: The case with a raw value, or nil.
  fileprivate static func cases(
    ofKind kind: String, names: [String], raw: [JSON], unknownCase substitute: (@Sendable () -> Value)?,
    read: @escaping @Sendable (JSON, inout DecodingContext) -> Value.RawValue?,
    find: @escaping @Sendable (Value.RawValue) -> Value?,
    write: @escaping @Sendable (Value.RawValue) -> JSON
  ) -> Schema {
    var export: JSON = ["type": JSON(kind)]
    if substitute == nil {
      export = allOf(export, ["enum": JSON(raw)])
    } else if kind == "integer" {
      export = allOf(export, ["minimum": JSON(Int.min), "maximum": JSON(Int.max)])
    }
    return Schema(
      expected: kind, export: export,
      read: { json, context, place in
        guard let rawValue = read(json, &context) else { return false }
        if let value = find(rawValue) {
          place.put(value)
          return true
        }
        context.record(
          substitute == nil ? .unknownCase : .fallback, as: substitute == nil ? .error : .repair,
          offset: json.start, .kinds(expected: names.joinedAsChoice, found: "another \(kind)"))
        guard let substitute else { return false }
        place.put(substitute())
        return true
      },
      write: { write($0.rawValue) })
  }
}

/// Some names for a message.
func list(_ names: [String]) -> String {
  names.map(quoted).joinedAsChoice
}

private func quoted(_ name: String) -> String {
  "\"\(displayText(name, limit: 32))\""
}

extension [String] {
  /// At most eight of the texts, with "or" between them.
  fileprivate var joinedAsChoice: String {
    if isEmpty { return "nothing" }
    let shown = prefix(8).joined(separator: " or ")
    return count > 8 ? "\(shown) or one of \(count - 8) more" : shown
  }
}
