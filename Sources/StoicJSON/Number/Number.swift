/// A JSON number as its text, which the grammar of RFC 8259 has accepted.
struct Number: Sendable {
  let text: String
}

extension Number: Hashable {
  /// Compares exact decimal values, so that `1.0` equals `1` and `-0` equals `0`.
  static func == (left: Number, right: Number) -> Bool {
    if hasSameBytes(left.text, right.text) { return true }
    let parts = left.parts
    // Exponents too great to compute with: such numbers equal only their own text.
    return parts.exponent != nil && parts == right.parts
  }

  func hash(into hasher: inout Hasher) {
    let parts = parts
    if parts.exponent == nil {
      hasher.combine(text)
    } else {
      hasher.combine(parts)
    }
  }

  var parts: NumberParts { NumberParts(text) }
}

extension Number {
  var int: Int? {
    if text.utf8.count <= 18, let value = Int(text) { return value }
    let parts = parts
    if parts.digits.isEmpty { return 0 }
    guard let exponent = parts.exponent, exponent >= 0 else { return nil }
    let length = parts.digits.count + exponent
    if length > 19 { return nil }
    var value = 0
    for position in 0..<length {
      let digit = position < parts.digits.count ? Int(parts.digits[position] - UInt8(ascii: "0")) : 0
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      // Counting downwards reaches Int.min, whose magnitude is one more than that of Int.max.
      let (sum, exceeded) = tenfold.subtractingReportingOverflow(digit)
      if overflowed || exceeded { return nil }
      value = sum
    }
    if parts.isNegative { return value }
    return value == Int.min ? nil : -value
  }
}
