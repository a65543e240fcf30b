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
    /// The value has the right kind and lies outside the range that is asked for.
    public static let range = Code(rawValue: "range")
    /// A string is too short or too long, or an array or dictionary has too few or too many values.
    public static let length = Code(rawValue: "length")
    /// The value is a string of another form than the expected one: no date, no UUID, no URL, another
    /// pattern.
    public static let format = Code(rawValue: "format")
    /// The value does not keep a rule of the schema's author.
    public static let refinement = Code(rawValue: "refinement")
    /// An object has a member that no field names.
    public static let unknownKey = Code(rawValue: "unknown_key")
    /// A member is missing and has its default.
    public static let defaulted = Code(rawValue: "defaulted")
    /// A value did not fit and was replaced by another, or a case is unknown and has its substitute.
    public static let fallback = Code(rawValue: "fallback")
    /// An element or a member did not fit and was left out.
    public static let dropped = Code(rawValue: "dropped")
    /// A value of another kind was converted.
    public static let coerced = Code(rawValue: "coerced")
    /// The document is nested too deeply, or the schema names itself without going into the document.
    public static let tooDeep = Code(rawValue: "too_deep")
    /// Alternatives within alternatives would take more than linear time.
    public static let tooComplex = Code(rawValue: "too_complex")
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
