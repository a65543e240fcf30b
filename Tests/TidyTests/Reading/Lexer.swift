/// Splits Swift source into tokens and comments, so that a rule never takes a text or a comment for code.
///
/// It knows literals with interpolations, raw and multi-line literals, nested comments and `#/…/#`. It does not know a
/// regex literal between plain slashes: a quote inside one is read as the start of a text, up to the end of its line.
struct Lexer {
  private let source: [UInt8]
  private var position = 0
  private var line = 1
  private var isSpaced = true
  private(set) var tokens: [Token] = []
  private(set) var comments: [CommentLine] = []

  init(_ text: String) {
    source = Array(text.utf8)
    while position < source.count { step() }
  }

  private func byte(_ offset: Int = 0) -> UInt8 {
    position + offset < source.count ? source[position + offset] : 0
  }

  private func starts(_ text: String) -> Bool { source[position...].starts(with: text.utf8) }

  private func text(from start: Int) -> String {
    String(decoding: source[min(start, position)..<position], as: UTF8.self)
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < source.count {
      if source[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  private mutating func add(_ kind: Token.Kind, _ text: String, at line: Int) {
    tokens.append(Token(kind: kind, text: text, line: line, isSpaced: isSpaced))
    isSpaced = false
  }

  private mutating func step() {
    let start = position
    let first = line
    switch byte() {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
      advance()
      isSpaced = true
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
      while position < source.count, byte() != UInt8(ascii: "\n") { advance() }
      note(text(from: start), from: first, isDocumentation: source[start...].starts(with: "///".utf8))
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "*"):
      skipBlockComment()
      note(text(from: start), from: first, isDocumentation: source[start...].starts(with: "/**".utf8))
    case UInt8(ascii: "`"):
      repeat { advance() } while position < source.count && byte() != UInt8(ascii: "`")
      advance()
      add(.quotedWord, String(text(from: start).dropFirst().dropLast()), at: first)
    case UInt8(ascii: "\""), UInt8(ascii: "#"):
      if !literal() {
        advance()
        add(.symbol, text(from: start), at: first)
      }
    case let byte where isWordByte(byte):
      while isWordByte(self.byte()) { advance() }
      add(.word, text(from: start), at: first)
    default:
      advance()
      add(.symbol, text(from: start), at: first)
    }
  }

  private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts("/*") {
        depth += 1
        advance(2)
      } else if starts("*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && position < source.count
  }

  private mutating func note(_ text: String, from first: Int, isDocumentation: Bool) {
    for (offset, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      comments.append(
        CommentLine(text: String(line), line: first + offset, isDocumentation: isDocumentation))
    }
    isSpaced = true
  }

  /// Reads a string or `#/…/#` literal; false when none starts here.
  private mutating func literal() -> Bool {
    var hashes = 0
    while byte(hashes) == UInt8(ascii: "#") { hashes += 1 }
    let opening = byte(hashes)
    guard opening == UInt8(ascii: "\"") || (hashes > 0 && opening == UInt8(ascii: "/")) else { return false }
    let first = line
    advance(hashes)
    let isLong = opening == UInt8(ascii: "\"") && starts("\"\"\"") && !closesOnItsLine(hashes)
    let quote = [UInt8](repeating: opening, count: isLong ? 3 : 1)
    let closing = quote + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    advance(quote.count)
    var content: [UInt8] = []
    while position < source.count, !source[position...].starts(with: closing) {
      if !isLong, hashes == 0, byte() == UInt8(ascii: "\n") { break }
      if byte() == UInt8(ascii: "\\") {
        content += escape(hashes)
      } else {
        content.append(byte())
        advance()
      }
    }
    advance(byte() == UInt8(ascii: "\n") ? 0 : closing.count)
    add(.string, String(decoding: content, as: UTF8.self), at: first)
    return true
  }

  /// Whether what looks like a multi-line literal is a raw one that starts with a quote, as in `#"""#`.
  private func closesOnItsLine(_ hashes: Int) -> Bool {
    guard hashes > 0 else { return false }
    let closing = [UInt8(ascii: "\"")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let rest = source[(position + 1)...].prefix { $0 != UInt8(ascii: "\n") }
    return rest.indices.contains { rest[$0...].starts(with: closing) }
  }

  /// Reads a backslash of a literal and what it escapes; the tokens of an interpolation are code like any.
  private mutating func escape(_ hashes: Int) -> [UInt8] {
    let start = position
    let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    guard source[position...].starts(with: escape) else {
      advance()
      return [source[start]]
    }
    advance(escape.count)
    guard byte() == UInt8(ascii: "(") else {
      advance()
      return Array(source[min(position - 1, source.count - 1)..<position])
    }
    var depth = 0
    repeat {
      let before = tokens.count
      step()
      for token in tokens[before...] {
        if token.isSymbol("(") { depth += 1 }
        if token.isSymbol(")") { depth -= 1 }
      }
    } while depth > 0 && position < source.count
    return []
  }
}
