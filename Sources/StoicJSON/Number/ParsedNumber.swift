/// What a number with this text converts to; every answer is exact or nil, in time linear in its length.
struct ParsedNumber {
  private let text: ByteView
  private let isInteger: Bool

  init(_ text: ByteView, isInteger: Bool) {
    self.text = text
    self.isInteger = isInteger
  }

  var parts: NumberParts { NumberParts(text) }

  var int: Int? {
    if isInteger, text.count <= 18 {
      let isNegative = text[0] == UInt8(ascii: "-")
      var value = 0
      for position in (isNegative ? 1 : 0)..<text.count {
        value = value &* 10 &+ Int(truncatingIfNeeded: text[position] &- UInt8(ascii: "0"))
      }
      return isNegative ? -value : value
    }
    return parts.int
  }

  var double: Double? {
    if isInteger, text.count <= 15 {
      // Below 2^53 every integer is a double; only zero can lose its sign on the way.
      return int.map { $0 == 0 && text[0] == UInt8(ascii: "-") ? -0.0 : Double($0) }
    }
    let number = ScannedNumber(text)
    let value = number.nearestDouble(text)
    if !value.isFinite { return nil }
    if value == 0 { return number.significand == 0 ? value : nil }
    if isInteger, value.magnitude >= 0x1p53, !isKept(by: value, number) { return nil }
    return value
  }

  /// The nearest double, found by comparing whole numbers alone.
  var doubleByComparison: Double { ScannedNumber(text).exactMagnitude(text) }

  /// Whether the double is this integer, or this integer is how the double is usually written.
  ///
  /// JavaScript writes the double next to 123456789012345677877 as 123456789012345680000.
  private func isKept(by value: Double, _ number: ScannedNumber) -> Bool {
    // A double from 2^53 up has no fraction.
    if number.exponent == 0, value.magnitude < 0x1p64, UInt64(value.magnitude) == number.significand {
      return true
    }
    return parts == NumberParts(shortest: value) || parts == NumberParts(integer: value)
  }
}

extension NumberParts {
  /// The shortest decimal that reads back as this double, which is finite.
  init(shortest value: Double) {
    let decimal = ShortestDecimal(value.magnitude)
    self.init(isNegative: value < 0, digits: "\(decimal.significand)".utf8, exponent: decimal.exponent)
  }

  /// An integral double, all of its digits.
  init(integer value: Double) {
    var digits = Natural(value.significandBitPattern | 1 << 52)
    digits.shiftLeft(by: Int(value.exponent) - 52)
    self.init(isNegative: value < 0, digits: digits.decimalDigits, exponent: 0)
  }
}
