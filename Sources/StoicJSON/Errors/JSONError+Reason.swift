extension JSONError {
  /// What can be wrong with a text; the raw values are stable.
  @nonexhaustive public enum Reason: String, Sendable, Hashable, CustomStringConvertible {
    /// The text ends inside a value, or before one.
    case unexpectedEnd = "unexpected_end"
    /// No value begins here; a trailing comma leads here too.
    case expectedValue = "expected_value"
    /// A member must begin with a string.
    case expectedKey = "expected_key"
    /// A key must be followed by a colon.
    case expectedColon = "expected_colon"
    /// An element or a member must be followed by a comma or the closing bracket.
    case expectedCommaOrEnd = "expected_comma_or_end"
    /// Something other than white space follows the value.
    case trailingContent = "trailing_content"
    /// A number breaks the grammar: `01`, `1.`, `+1`.
    case invalidNumber = "invalid_number"
    /// A backslash starts no escape that JSON knows.
    case invalidEscape = "invalid_escape"
    /// A control character below U+0020 stands in a string without an escape.
    case controlCharacter = "control_character"
    /// A `\u` escape names one half of a surrogate pair without the other.
    case loneSurrogate = "lone_surrogate"
    /// A string is not valid UTF-8.
    case invalidUTF8 = "invalid_utf8"
    /// The text begins as UTF-16 or UTF-32 does.
    case unsupportedEncoding = "unsupported_encoding"
    /// An object has a key twice, compared by UTF-8 bytes after unescaping.
    case duplicateKey = "duplicate_key"
    /// More than 512 arrays and objects enclose each other.
    case tooDeep = "too_deep"

    /// The reason in a few words.
    public var description: String {
      switch self {
      case .unexpectedEnd: "unexpected end of text"
      case .expectedValue: "expected a value"
      case .expectedKey: "expected a string as key"
      case .expectedColon: "expected a colon after the key"
      case .expectedCommaOrEnd: "expected a comma or a closing bracket"
      case .trailingContent: "expected nothing after the value"
      case .invalidNumber: "invalid number"
      case .invalidEscape: "invalid escape in a string"
      case .controlCharacter: "unescaped control character in a string"
      case .loneSurrogate: "lone surrogate in a string"
      case .invalidUTF8: "invalid UTF-8 in a string"
      case .unsupportedEncoding: "text is not UTF-8"
      case .duplicateKey: "duplicate key"
      case .tooDeep: "nested deeper than \(JSON.depthLimit) levels"
      }
    }
  }
}
