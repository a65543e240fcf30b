extension Parser {
  /// Reads a number by the grammar; what it is worth is computed when somebody asks.
  mutating func number() throws(JSONError) -> Number {
    let start = position
    skip(UInt8(ascii: "-"))
    if !skip(UInt8(ascii: "0")) { try digits(of: start) }
    if skip(UInt8(ascii: ".")) { try digits(of: start) }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "-")) { skip(UInt8(ascii: "+")) }
      try digits(of: start)
    }
    // Only `01` and `1.2.3` lead here: what else may follow a number is for the caller to judge.
    if let byte = peek(), isDigit(byte) || byte == UInt8(ascii: ".") {
      throw failure(.invalidNumber, at: start)
    }
    let text = UnsafeBufferPointer(rebasing: bytes[start..<position])
    return Number(text: String(decoding: text, as: UTF8.self))
  }

  private mutating func digits(of start: Int) throws(JSONError) {
    let first = position
    while let byte = peek(), isDigit(byte) {
      position += 1
    }
    if position == first {
      throw position == bytes.count ? failureHere(.unexpectedEnd) : failure(.invalidNumber, at: start)
    }
  }

  @discardableResult private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    position += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
