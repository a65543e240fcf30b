import StoicJSON

/// How deep the writing of a value has gone.
struct EncodingContext {
  private var depth = 0

  /// Writes something one level further in; beyond the limit of JSON nothing more is written.
  ///
  /// Schemas that refer to themselves without an end, and values deeper than a text may be, so come to an end.
  mutating func nested(_ body: (inout EncodingContext) -> JSON?) -> JSON? {
    if depth == 2 * JSON.depthLimit { return Self.unwritable }
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  /// A value that is one level too deep to be written as text, which then says so.
  private static let unwritable = (0...JSON.depthLimit).reduce(JSON.null) { inner, _ in JSON([inner]) }
}
