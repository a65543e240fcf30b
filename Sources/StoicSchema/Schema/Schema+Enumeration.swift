import StoicJSON

extension Schema
where Value: RawRepresentable & CaseIterable & SendableMetatype, Value.RawValue == String {
  /// A string that is the raw value of one of an enumeration's cases, compared by UTF-8 bytes.
  ///
  /// Any other string is an issue with the code `.unknownCase`, whose message names the known ones.
  public static var enumeration: Schema {
    let names = Value.allCases.map(\.rawValue)
    return Schema(
      expected: "string", export: ["type": "string", "enum": JSON(names.map { JSON($0) })],
      read: { json, context in
        guard let name = json.string else {
          context.recordMismatch(expected: "string", found: json)
          return nil
        }
        if let value = Value(rawValue: name), hasSameBytes(value.rawValue, name) { return value }
        context.record(.unknownCase, "expected \(list(names)), found another string")
        return nil
      },
      write: { JSON($0.rawValue) })
  }
}

private func list(_ names: [String]) -> String {
  let shown = names.prefix(8).map { "\"\(displayText($0, limit: 32))\"" }.joined(separator: " or ")
  return names.count > 8 ? "\(shown) or one of \(names.count - 8) more" : shown
}
