/// The smallest piece of a source that a rule looks at.
struct Token: Hashable, Sendable {
  enum Kind: Sendable {
    /// An identifier, a keyword or a number.
    case word
    /// An identifier between backticks, which stand in no text.
    case quotedWord
    /// One character that is none of the others.
    case symbol
    /// What a literal says: escaped characters as themselves, interpolations left out.
    case string
  }

  let kind: Kind
  let text: String
  let line: Int
  /// Whether white space or a comment stands before it.
  let isSpaced: Bool

  func isSymbol(_ symbol: String) -> Bool { kind == .symbol && text == symbol }
  func isWord(_ word: String) -> Bool { kind == .word && text == word }
}

/// One line of a comment.
struct CommentLine: Sendable {
  let text: String
  let line: Int
  /// Whether it belongs to `///` or `/** */`.
  let isDocumentation: Bool
}
