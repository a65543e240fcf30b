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

  /// The position in the text, in bytes from 0; nil when the document was a value that had not been read from
  /// a text.
  ///
  /// It is where the value begins; of a missing member, where its object does; of an unknown key, where the
  /// key does.
  public let offset: Int?

  private let wording: Wording

  /// What an issue says; a sentence is only made of it when somebody reads it.
  enum Wording: Sendable, Hashable {
    case kinds(expected: String, found: String)
    case sentence(String)
  }

  /// What was expected and what kind was found, for people.
  public var message: String {
    switch wording {
    case .kinds(let expected, let found): "expected \(expected), found \(found)"
    case .sentence(let text): text
    }
  }

  init(path: Path, code: Code, severity: Severity, wording: Wording, offset: Int?) {
    self.path = path
    self.code = code
    self.severity = severity
    self.wording = wording
    self.offset = offset
  }

  package init(path: Path, code: Code, severity: Severity = .error, message: String, offset: Int? = nil) {
    self.init(path: path, code: code, severity: severity, wording: .sentence(message), offset: offset)
  }
}

extension ValidationIssue: CustomStringConvertible {
  /// One line such as `$.users[3].name: expected string, found number`.
  public var description: String { "\(path): \(message)" }
}
