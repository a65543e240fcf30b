import StoicJSON

extension Schema {
  /// A value that may be null, and whose member must be there all the same; nil is written as null.
  public static func nullable<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(wrapped, missing: nil, absent: .null)
  }

  /// A value that may be null, or whose member may be missing; a member that is nil is left out.
  ///
  /// Where nothing can be left out, as in an array, nil is written as null.
  public static func optional<Wrapped>(_ wrapped: Schema<Wrapped>) -> Schema where Value == Wrapped? {
    optional(wrapped, missing: { nil }, absent: nil)
  }

  private static func optional<Wrapped>(
    _ wrapped: Schema<Wrapped>, missing: (@Sendable () -> Wrapped?)?, absent: JSON?
  ) -> Schema where Value == Wrapped? {
    Schema(
      expected: "\(wrapped.expected) or null", export: nullableExport(of: wrapped.export), missing: missing,
      read: { json, context in
        if json.isNull { return .some(nil) }
        return wrapped.read(json, &context).map { .some($0) }
      },
      write: { value in
        guard let value else { return absent }
        return wrapped.encode(value)
      })
  }
}
