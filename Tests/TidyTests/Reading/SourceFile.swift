/// A Swift file as the rules see it.
struct SourceFile: Sendable {
  /// The path from the top of the repository, such as `Sources/Stoic/Retry/Retry.swift`.
  let path: String
  let lineCount: Int
  let tokens: [Token]
  let comments: [CommentLine]

  init(path: String, text: String) {
    self.path = path
    lineCount = text.utf8.count { $0 == UInt8(ascii: "\n") }
    let lexer = Lexer(text)
    tokens = lexer.tokens
    comments = lexer.comments
  }

  /// The module that a source belongs to, such as `Stoic`; nil outside `Sources`.
  var module: String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 && parts[0] == "Sources" ? String(parts[1]) : nil
  }

  /// Where a snippet of Swift stands, however it is spaced; generic arguments between its words are passed over.
  func places(of snippet: String) -> [Range<Int>] {
    let pattern = Lexer(snippet).tokens
    return tokens.indices.compactMap { start in
      guard tokens[start].kind == pattern[0].kind, tokens[start].text == pattern[0].text else { return nil }
      return match(pattern, at: start)
    }
  }

  private func match(_ pattern: [Token], at start: Int) -> Range<Int>? {
    var index = start
    for (offset, wanted) in pattern.enumerated() {
      if offset > 0, pattern[offset - 1].kind == .word, wanted.kind == .symbol {
        index = afterGenerics(index)
      }
      guard tokens.indices.contains(index), tokens[index].kind == wanted.kind,
        tokens[index].text == wanted.text
      else { return nil }
      index += 1
    }
    return start..<index
  }

  private func afterGenerics(_ start: Int) -> Int {
    guard tokens.indices.contains(start), tokens[start].isSymbol("<"), !tokens[start].isSpaced else {
      return start
    }
    return end(from: start, "<", ">")
  }

  /// The index after the bracket that closes the one at an index.
  func end(from start: Int, _ opening: String, _ closing: String) -> Int {
    var depth = 0
    for index in start..<tokens.count {
      if tokens[index].isSymbol(opening) { depth += 1 }
      if tokens[index].isSymbol(closing) { depth -= 1 }
      if depth == 0 { return index + 1 }
    }
    return tokens.count
  }
}
