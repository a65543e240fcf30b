extension ValidationIssue {
  /// A stable name for a sort of issue; new ones may appear.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let rawValue: String

    /// Creates a code with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The name.
    public var description: String { rawValue }

    /// A required member is not there.
    public static let missing = Code(rawValue: "missing")
    /// The value is null where null is not allowed.
    public static let null = Code(rawValue: "null")
    /// The value is of another kind.
    public static let type = Code(rawValue: "type")
    /// The value is a number that the expected type cannot hold without changing it.
    public static let number = Code(rawValue: "number")
    /// The value is a string that is none of the known ones.
    public static let unknownCase = Code(rawValue: "unknown_case")
    /// Two keys differ in their bytes and are the same Swift string, so a dictionary cannot hold both.
    public static let equivalentKeys = Code(rawValue: "equivalent_keys")
    /// The text is not JSON.
    public static let syntax = Code(rawValue: "syntax")
    /// The document came as another media type than JSON.
    public static let mediaType = Code(rawValue: "media_type")
    /// The text begins with a byte order mark, which was skipped.
    public static let byteOrderMark = Code(rawValue: "byte_order_mark")
  }
}
