/// One thing that a document and a schema disagree about.
///
/// An issue names places and kinds; it never holds a value from the document. (It is not called `Issue`,
/// which the tests of every user would confuse with the one of Swift Testing.)
public struct ValidationIssue: Sendable, Hashable {
  /// How much an issue matters.
  @nonexhaustive public enum Severity: String, Sendable, Hashable {
    /// The document does not fit; there is no value.
    case error
    /// The document fits, and something in it deserves attention.
    case warning
    /// The document did not fit to the letter and was understood all the same.
    case repair
  }

  /// Where in the document.
  public let path: Path

  /// What sort of issue, for programs.
  public let code: Code

  /// How much it matters.
  public let severity: Severity

  /// What was expected and what kind was found, for people.
  public let message: String

  /// The position in the text, in bytes from 0, where it is known; it is for syntax errors.
  public let offset: Int?

  package init(path: Path, code: Code, severity: Severity = .error, message: String, offset: Int? = nil) {
    self.path = path
    self.code = code
    self.severity = severity
    self.message = message
    self.offset = offset
  }
}

extension ValidationIssue: CustomStringConvertible {
  /// One line such as `$.users[3].name: expected string, found number`.
  public var description: String { "\(path): \(message)" }
}
