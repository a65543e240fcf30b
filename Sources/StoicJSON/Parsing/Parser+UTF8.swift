extension Parser {
  /// Passes sequences of more than one byte, as many as follow each other; the first byte is 0x80 or more.
  ///
  /// Four bytes are looked at as one number whose lowest byte comes first in the text. The table of valid
  /// sequences is that of RFC 3629: no longer form than needed, no surrogate, nothing beyond U+10FFFF.
  @inline(__always) mutating func skipNonASCII() throws(Failure) {
    repeat {
      meter.add(1)
      let length = sequenceLength(text.halfWord(at: position))
      if length == 0 { throw failure(.invalidUTF8) }
      position &+= length
    } while text[position] >= 0x80
  }

  @inline(__always) private func sequenceLength(_ bytes: UInt32) -> Int {
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
