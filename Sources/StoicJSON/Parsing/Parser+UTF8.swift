extension Parser {
  /// Whether the bytes of a string are valid UTF-8, its closing quote included.
  ///
  /// No sequence reaches over an opening quote, so what comes before the string does no harm.
  func isValidUTF8(from start: Int, to quote: Int) -> Bool {
    var position = start
    var marks: UInt64 = 0
    while position &+ 8 <= quote {
      marks |= invalidMarks(at: position)
      position &+= 8
    }
    // What comes after the quote is no part of the string.
    return (marks | invalidMarks(at: position) & Words.mask(quote &- position &+ 1)) & Words.highBits == 0
  }

  @inline(__always) private func invalidMarks(at position: Int) -> UInt64 {
    Words.invalidUTF8(
      text.word(at: position), text.word(at: position &- 1), text.word(at: position &- 2),
      text.word(at: position &- 3))
  }

  /// The failure that a string is refused for: invalid UTF-8 before the place of another failure comes
  /// first.
  @inline(never) func stringFailure(_ other: Failure, from start: Int) -> Failure {
    var offset = start
    while offset < other.offset {
      let length = text[offset] < 0x80 ? 1 : sequenceLength(text.halfWord(at: offset))
      if length == 0 { return failure(.invalidUTF8, at: offset) }
      offset += length
    }
    return other
  }

  /// The length of the sequence that begins with these bytes, or 0 when it is not valid.
  ///
  /// The lowest byte comes first in the text.
  private func sequenceLength(_ bytes: UInt32) -> Int {
    if bytes & 0x00C0_C0F0 == 0x0080_80E0 {
      // Neither below U+0800 nor among the surrogates: five bits decide.
      let decisive = bytes & 0x200F
      return decisive != 0 && decisive != 0x200D ? 3 : 0
    }
    if bytes & 0xC0E0 == 0x80C0 {
      return bytes & 0x1E != 0 ? 2 : 0
    }
    if bytes & 0xC0C0_C0F8 == 0x8080_80F0 {
      // From U+10000 to U+10FFFF.
      let decisive = bytes & 0x3007
      return decisive != 0 && (decisive & 0x0004 == 0 || decisive == 0x0004) ? 4 : 0
    }
    return 0
  }
}
