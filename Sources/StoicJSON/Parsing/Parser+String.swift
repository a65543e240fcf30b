extension Parser {
  /// Reads a string from its opening to its closing quote, and validates it; a key is decoded at once.
  @inline(__always) mutating func string(isKey: Bool) throws(Failure) {
    let start = position &+ 1
    position = start
    var hasEscapes = false
    var bits: UInt64 = 0
    while true {
      meter.add(1)
      let word = text.word(at: position)
      let marks = Words.escapable(word)
      if marks == 0 {
        bits |= word
        position &+= 8
        continue
      }
      let plain = Words.firstMark(marks)
      bits |= word & Words.mask(plain)
      position &+= plain
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { break }
      if byte != UInt8(ascii: "\\") { throw stringFailure(failure(.controlCharacter), from: start) }
      hasEscapes = true
      try escape(from: start)
    }
    if bits & Words.highBits != 0 {
      meter.add((position &- start) &>> 3)
      if !isValidUTF8(from: start, to: position) { throw stringFailure(failure(.invalidUTF8), from: start) }
    }
    if !hasEscapes {
      put(.string, at: start, length: position &- start)
    } else if isKey {
      decodeKey(from: start)
    } else {
      put(.escapedString, at: start, length: position &- start)
    }
    position &+= 1
  }

  /// Passes an escape.
  @inline(__always) private mutating func escape(from start: Int) throws(Failure) {
    switch text[position &+ 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position &+= 2
    case UInt8(ascii: "u"):
      try unicodeEscape(from: start)
    default:
      let isCut = position &+ 1 >= text.count
      throw stringFailure(
        isCut ? failure(.unexpectedEnd, at: text.count) : failure(.invalidEscape, at: position), from: start)
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(Failure) {
    let first = position
    let high = EscapedText.hexDigits(text.halfWord(at: first &+ 2))
    if high > 0xFFFF { throw stringFailure(hexFailure(at: first), from: start) }
    position &+= 6
    if high & 0xF800 != 0xD800 { return }
    guard high < 0xDC00, text[position] == UInt8(ascii: "\\"), text[position &+ 1] == UInt8(ascii: "u") else {
      throw stringFailure(failure(.loneSurrogate, at: first), from: start)
    }
    let low = EscapedText.hexDigits(text.halfWord(at: position &+ 2))
    if low > 0xFFFF { throw stringFailure(hexFailure(at: position), from: start) }
    if low & 0xFC00 != 0xDC00 { throw stringFailure(failure(.loneSurrogate, at: first), from: start) }
    position &+= 6
  }

  /// The failure of an escape whose four digits are none.
  private func hexFailure(at offset: Int) -> Failure {
    let digits = text.view(at: offset + 2, count: min(4, text.count - offset - 2))
    return digits.count < 4 && digits.allSatisfy { EscapedText.hexDigit($0) < 16 }
      ? failure(.unexpectedEnd, at: text.count) : failure(.invalidEscape, at: offset)
  }

  /// Writes an entry for a key with escapes, whose text is replaced by what it means.
  ///
  /// That is never longer, so it fits where the key stood.
  private mutating func decodeKey(from start: Int) {
    var sink = ByteSink(capacity: position - start)
    EscapedText.decode(text.view(at: start, count: position - start), to: &sink)
    meter.add(sink.count / 8)
    text.replace(at: start, with: sink.view)
    put(.decodedString, at: start, length: sink.count)
  }
}
