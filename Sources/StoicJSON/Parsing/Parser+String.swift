extension Parser {
  /// Reads a string from its opening to its closing quote.
  @inline(__always) mutating func string() throws(Failure) {
    let start = position &+ 1
    position = start
    while true {
      meter.add(1)
      let marks = Words.special(text.word(at: position))
      if marks == 0 {
        position &+= 8
        continue
      }
      position &+= Words.firstMark(marks)
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { break }
      if byte >= 0x80 {
        try skipNonASCII()
      } else if byte == UInt8(ascii: "\\") {
        return try stringWithEscapes(from: start)
      } else {
        throw failure(.controlCharacter)
      }
    }
    put(.string, at: start, length: position &- start)
    position &+= 1
  }

  /// Reads the rest of a string from its first escape on, and replaces escapes by what they mean.
  ///
  /// That is never longer than the escapes, so the text is moved within itself.
  @inline(never) private mutating func stringWithEscapes(from start: Int) throws(Failure) {
    var target = position
    while true {
      meter.add(1)
      let word = text.word(at: position)
      let marks = Words.special(word)
      let plain = marks == 0 ? 8 : Words.firstMark(marks)
      move(word, count: plain, to: &target)
      if marks == 0 { continue }
      let byte = text[position]
      if byte == UInt8(ascii: "\"") { break }
      if byte >= 0x80 {
        let first = position
        try skipNonASCII()
        text.move(from: first, to: target, count: position &- first)
        target &+= position &- first
      } else if byte == UInt8(ascii: "\\") {
        try escape(&target)
      } else {
        throw failure(.controlCharacter)
      }
    }
    put(.escapedString, at: start, length: target &- start)
    position &+= 1
  }

  /// Moves the first bytes of the word at the current position, and nothing behind them: what follows them
  /// has not been read.
  @inline(__always) private mutating func move(_ word: UInt64, count: Int, to target: inout Int) {
    let mask = Words.mask(count)
    text.store(word & mask | text.word(at: target) & ~mask, at: target)
    position &+= count
    target &+= count
  }

  private mutating func escape(_ target: inout Int) throws(Failure) {
    let byte = text[position &+ 1]
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text[target] = byte
    case UInt8(ascii: "b"): text[target] = 0x08
    case UInt8(ascii: "f"): text[target] = 0x0C
    case UInt8(ascii: "n"): text[target] = 0x0A
    case UInt8(ascii: "r"): text[target] = 0x0D
    case UInt8(ascii: "t"): text[target] = 0x09
    case UInt8(ascii: "u"):
      try unicodeEscape(&target)
      return
    default:
      throw position &+ 1 >= text.count
        ? failure(.unexpectedEnd, at: text.count) : failure(.invalidEscape, at: position)
    }
    position &+= 2
    target &+= 1
  }

  private mutating func unicodeEscape(_ target: inout Int) throws(Failure) {
    let start = position
    var value = try hexDigits(at: start, of: start)
    position &+= 6
    if value & 0xF800 == 0xD800 {
      guard value < 0xDC00, text[position] == UInt8(ascii: "\\"), text[position &+ 1] == UInt8(ascii: "u")
      else { throw failure(.loneSurrogate, at: start) }
      let low = try hexDigits(at: position, of: position)
      if low & 0xFC00 != 0xDC00 { throw failure(.loneSurrogate, at: start) }
      position &+= 6
      value = 0x10000 &+ (value & 0x3FF) &<< 10 &+ (low & 0x3FF)
    }
    encode(value, &target)
  }

  /// Writes a scalar as UTF-8.
  private func encode(_ value: UInt32, _ target: inout Int) {
    if value < 0x80 {
      put(value, &target)
    } else if value < 0x800 {
      put(0xC0 | value &>> 6, &target)
      put(0x80 | value & 0x3F, &target)
    } else {
      if value < 0x10000 {
        put(0xE0 | value &>> 12, &target)
      } else {
        put(0xF0 | value &>> 18, &target)
        put(0x80 | value &>> 12 & 0x3F, &target)
      }
      put(0x80 | value &>> 6 & 0x3F, &target)
      put(0x80 | value & 0x3F, &target)
    }
  }

  @inline(__always) private func put(_ bits: UInt32, _ target: inout Int) {
    text[target] = UInt8(truncatingIfNeeded: bits)
    target &+= 1
  }

  /// The value of the four digits of the escape at `offset`; `start` is blamed if they are none.
  private func hexDigits(at offset: Int, of start: Int) throws(Failure) -> UInt32 {
    var value: UInt32 = 0
    for position in offset + 2..<offset + 6 {
      let byte = text[position]
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte &- UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte &- UInt8(ascii: "a") &+ 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte &- UInt8(ascii: "A") &+ 10
      default:
        throw position >= text.count
          ? failure(.unexpectedEnd, at: text.count) : failure(.invalidEscape, at: start)
      }
      value = value &<< 4 | UInt32(digit)
    }
    return value
  }
}
