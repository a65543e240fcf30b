import StoicJSON

extension Schema
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
  /// A string that is the raw value of one of an enumeration's cases, compared by UTF-8 bytes.
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
    let export: JSON = ["type": "string"]
    return Schema(
      expected: "string",
      export: substitute == nil ? allOf(export, ["enum": JSON(names.map { JSON($0) })]) : export,
      read: { json, context, place in
        guard let name = json.string else {
          context.recordMismatch(expected: "string", found: json)
          return false
        }
        if let value = Value(rawValue: name), hasSameBytes(value.rawValue, name) {
          place.put(value)
          return true
        }
        context.record(
          substitute == nil ? .unknownCase : .fallback, as: substitute == nil ? .error : .repair,
          offset: json.start, .kinds(expected: list(names), found: "another string"))
        guard let substitute else { return false }
        place.put(substitute())
        return true
      },
      write: { JSON($0.rawValue) })
  }
}

extension Schema where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == Int {
  /// An integer that is the raw value of one of an enumeration's cases.
  ///
  /// Any other integer is an issue with the code `.unknownCase`, whose message names the known ones.
  public static var enumeration: Schema {
    let numbers = Value.allCases.map(\.rawValue)
    return Schema(
      expected: "integer", export: ["type": "integer", "enum": JSON(numbers.map { JSON($0) })],
      read: { json, context, place in
        guard let number = json.int else {
          context.recordNumberMismatch(expected: "integer", holder: "64-bit integer", found: json)
          return false
        }
        guard let value = Value(rawValue: number), value.rawValue == number else {
          context.record(
            .unknownCase, offset: json.start,
            .kinds(expected: numbers.map { "\($0)" }.joinedAsChoice, found: "another integer"))
          return false
        }
        place.put(value)
        return true
      },
      write: { JSON($0.rawValue) })
  }
}

/// Some names for a message.
func list(_ names: [String]) -> String {
  names.map { "\"\(displayText($0, limit: 32))\"" }.joinedAsChoice
}

extension [String] {
  /// At most eight of the texts, with "or" between them.
  fileprivate var joinedAsChoice: String {
    let shown = prefix(8).joined(separator: " or ")
    return count > 8 ? "\(shown) or one of \(count - 8) more" : shown
  }
}
