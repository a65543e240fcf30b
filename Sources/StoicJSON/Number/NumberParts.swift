/// A decimal number in its one normal form: `digits` times ten to the power of `exponent`.
struct NumberParts: Hashable {
  /// Never set for zero.
  private(set) var isNegative = false
  /// ASCII digits without zeros at either end; empty for zero.
  private(set) var digits: [UInt8] = []
  /// The power of ten; nil when the text's exponent has more than 18 digits: too many to compute with.
  private(set) var exponent: Int? = 0

  /// Takes apart the text of a number that JSON's grammar accepts; linear in its length.
  init(_ text: some Collection<UInt8>) {
    var digits: [UInt8] = []
    var fractionDigits = 0
    var isNegative = false
    var isInFraction = false
    var end = text.startIndex
    while end != text.endIndex, text[end] | 0x20 != UInt8(ascii: "e") {
      let byte = text[end]
      text.formIndex(after: &end)
      switch byte {
      case UInt8(ascii: "-"): isNegative = true
      case UInt8(ascii: "."): isInFraction = true
      default:
        if isInFraction { fractionDigits += 1 }
        if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
      }
    }
    let exponent = Self.exponent(text[end...].dropFirst())
    self.init(isNegative: isNegative, digits: digits, exponent: exponent.map { $0 - fractionDigits })
  }

  /// Brings a number without zeros at the front to its normal form.
  init(isNegative: Bool, digits: some BidirectionalCollection<UInt8>, exponent: Int?) {
    let significant = digits.reversed().drop { $0 == UInt8(ascii: "0") }
    if significant.isEmpty { return }
    self.isNegative = isNegative
    self.digits = significant.reversed()
    self.exponent = exponent.map { $0 + digits.count - self.digits.count }
  }

  private static func exponent(_ text: some Collection<UInt8>) -> Int? {
    let magnitude = text.drop { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "0")
    }
    if magnitude.count > 18 { return nil }
    let value = magnitude.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return text.first == UInt8(ascii: "-") ? -value : value
  }
}

extension NumberParts {
  /// The number as an integer, or nil when it is none or does not fit.
  var int: Int? {
    if digits.isEmpty { return 0 }
    guard let exponent, exponent >= 0 else { return nil }
    let length = digits.count + exponent
    if length > 19 { return nil }
    var value = 0
    for position in 0..<length {
      let digit = position < digits.count ? Int(digits[position] - UInt8(ascii: "0")) : 0
      let (tenfold, overflowed) = value.multipliedReportingOverflow(by: 10)
      // Counting downwards reaches Int.min, whose magnitude is one more than that of Int.max.
      let (sum, exceeded) = tenfold.subtractingReportingOverflow(digit)
      if overflowed || exceeded { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == Int.min ? nil : -value
  }
}
