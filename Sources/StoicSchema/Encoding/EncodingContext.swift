import StoicJSON

/// How deep the writing of a value has gone.
struct EncodingContext {
  private var depth = Depth()

  /// Writes something one level further in; beyond the limit of JSON nothing more is written.
  ///
  /// Schemas that refer to themselves without an end, and values deeper than a text may be, so come to an
  /// end.
  mutating func nested(_ body: (inout EncodingContext) -> JSON?) -> JSON? {
    guard depth.enter(limit: 2 * JSON.depthLimit) else { return Self.unwritable }
    defer { depth.leave() }
    return body(&self)
  }

  /// A value that is one level too deep to be written as text, which then says so.
  private static let unwritable = (0...JSON.depthLimit).reduce(JSON.null) { inner, _ in JSON([inner]) }
}
