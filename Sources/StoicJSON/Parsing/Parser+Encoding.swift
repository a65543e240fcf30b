extension Parser {
  /// Skips a byte order mark, and refuses what is not UTF-8 by its first bytes.
  mutating func checkEncoding() throws(Failure) {
    let view = text.view(at: 0, count: text.count)
    if view.startsWithByteOrderMark {
      position = 3
    } else if view.starts(with: [0xFE, 0xFF]) || view.starts(with: [0xFF, 0xFE]) || hasUTF16Zeros {
      throw failure(.unsupportedEncoding)
    }
  }

  /// Whether the first characters look like ASCII in UTF-16 or UTF-32 without a byte order mark.
  private var hasUTF16Zeros: Bool {
    guard text.count >= 2, text.count.isMultiple(of: 2) else { return false }
    if text[0] == 0 { return true }
    return text[1] == 0 && (text.count == 2 || text[3] == 0)
  }
}
