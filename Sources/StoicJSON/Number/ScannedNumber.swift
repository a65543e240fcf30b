/// A decimal number as its text says it, its significand cut to nineteen digits.
struct ScannedNumber {
  private(set) var isNegative = false
  /// The digits that count, up to nineteen.
  private(set) var significand: UInt64 = 0
  /// The power of ten that the significand is to be multiplied with.
  private(set) var exponent = 0
  /// Whether digits other than zero were cut off.
  private(set) var isCut = false

  /// Reads a number that JSON's grammar accepts.
  init(_ text: ByteView) {
    var position = 0
    if text[0] == UInt8(ascii: "-") {
      isNegative = true
      position = 1
    }
    var digits = 0
    var isInFraction = false
    while position < text.count {
      let byte = text[position]
      let digit = byte &- UInt8(ascii: "0")
      if digit > 9 {
        if byte != UInt8(ascii: ".") { break }
        isInFraction = true
      } else if digits < 19 {
        significand = significand &* 10 &+ UInt64(truncatingIfNeeded: digit)
        if significand != 0 { digits &+= 1 }
        if isInFraction { exponent &-= 1 }
      } else {
        if digit != 0 { isCut = true }
        if !isInFraction { exponent &+= 1 }
      }
      position &+= 1
    }
    if position < text.count { readExponent(text, from: position &+ 1) }
  }

  /// Exponents that no text's length can make up for stop at 10^17.
  private mutating func readExponent(_ text: ByteView, from start: Int) {
    var position = start
    let sign = text[position]
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { position &+= 1 }
    var value = 0
    while position < text.count {
      if value < 10_000_000_000_000_000 {
        value = value &* 10 &+ Int(truncatingIfNeeded: text[position] &- UInt8(ascii: "0"))
      }
      position &+= 1
    }
    exponent &+= sign == UInt8(ascii: "-") ? -value : value
  }
}
