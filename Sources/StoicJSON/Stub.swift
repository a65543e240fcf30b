// Stands in until the JSON module is merged.
/// Stand-in.
public struct JSON: Hashable, Sendable {
  /// Stand-in.
  public init(parsing: some Collection<UInt8>) throws {}
  /// Stand-in.
  public func serialized() throws -> [UInt8] { [] }
}
