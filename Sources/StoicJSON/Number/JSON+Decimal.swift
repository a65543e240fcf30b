extension JSON {
  /// A number as decimal digits without zeros at either end, times a power of ten; nil for any other kind,
  /// for what is not finite, and for an exponent of more than 18 digits.
  package var decimalDigits: (isNegative: Bool, digits: [UInt8], exponent: Int)? {
    guard let parts = numberParts, let exponent = parts.exponent else { return nil }
    return (parts.isNegative, parts.digits, exponent)
  }
}
