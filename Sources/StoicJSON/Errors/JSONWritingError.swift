/// Why a value cannot be written as JSON, and which part of it.
public struct JSONWritingError: Error, Sendable, Hashable {
  /// What can keep a value from being written; the raw values are stable.
  @nonexhaustive public enum Reason: String, Sendable, Hashable, CustomStringConvertible {
    /// The value holds a NaN or an infinity, which JSON does not have.
    case nonFiniteNumber = "non_finite_number"
    /// Canonical text was asked for, and no double holds a number without changing it.
    case unrepresentableNumber = "unrepresentable_number"
    /// More than 512 arrays and objects enclose each other.
    case tooDeep = "too_deep"

    /// The reason in a few words.
    public var description: String {
      switch self {
      case .nonFiniteNumber: "a number is not finite"
      case .unrepresentableNumber: "a number is not a double"
      case .tooDeep: "nested deeper than \(JSON.depthLimit) levels"
      }
    }
  }

  /// What is wrong.
  public let reason: Reason

  /// The JSON Pointer (RFC 6901) of the part that cannot be written, unshortened.
  public let pointer: String
}

extension JSONWritingError: CustomReflectable {
  /// The description and nothing else: keys of the value are shown escaped and shortened.
  public var customMirror: Mirror { Mirror(self, children: ["error": description]) }
}

extension JSONWritingError: CustomStringConvertible {
  /// One line such as `a number is not finite, in /prices/0`.
  public var description: String {
    pointer.isEmpty ? reason.description : "\(reason), in \(displayText(pointer, limit: 120))"
  }
}
