extension Parser {
  /// Reads a number by the grammar; what it is worth is computed when somebody asks.
  @inline(__always) mutating func number() throws(Failure) {
    let start = position
    if text[start] == UInt8(ascii: "-") { position &+= 1 }
    let first = position
    try digits(of: start)
    if text[first] == UInt8(ascii: "0"), position > first &+ 1 {
      throw failure(.invalidNumber, at: start)
    }
    var tag = Tag.integer
    if text[position] == UInt8(ascii: ".") {
      tag = .decimal
      position &+= 1
      try digits(of: start)
    }
    if text[position] | 0x20 == UInt8(ascii: "e") {
      tag = .decimal
      position &+= 1
      let sign = text[position]
      if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position &+= 1 }
      try digits(of: start)
    }
    put(tag, at: start, length: position &- start)
  }

  /// Passes one digit or more.
  @inline(__always) private mutating func digits(of start: Int) throws(Failure) {
    let first = position
    while true {
      meter.add(1)
      let marks = Words.nonDigits(text.word(at: position))
      if marks != 0 {
        position &+= Words.firstMark(marks)
        break
      }
      position &+= 8
    }
    if position == first {
      throw position >= text.count ? failure(.unexpectedEnd) : failure(.invalidNumber, at: start)
    }
  }
}
