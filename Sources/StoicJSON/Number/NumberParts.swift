/// A decimal number in its one normal form: `digits` times ten to the power of `exponent`.
struct NumberParts: Hashable {
  /// Never set for zero.
  private(set) var isNegative = false
  /// ASCII digits without zeros at either end; empty for zero.
  private(set) var digits: [UInt8] = []
  /// The power of ten; nil when the text's exponent has more than 18 digits: too many to compute with.
  private(set) var exponent: Int? = 0

  /// Takes apart the text of a number that JSON's grammar accepts; linear in its length.
  init(_ text: String) {
    var digits: [UInt8] = []
    var fractionDigits = 0
    var isInFraction = false
    var rest = text.utf8[...]
    if rest.first == UInt8(ascii: "-") {
      isNegative = true
      rest.removeFirst()
    }
    while let byte = rest.first, byte | 0x20 != UInt8(ascii: "e") {
      rest.removeFirst()
      if byte == UInt8(ascii: ".") {
        isInFraction = true
        continue
      }
      if isInFraction { fractionDigits += 1 }
      if byte != UInt8(ascii: "0") || !digits.isEmpty { digits.append(byte) }
    }
    let written = digits.count
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
    }
    if digits.isEmpty {
      isNegative = false
      return
    }
    self.digits = digits
    readExponent(rest.dropFirst(), adding: written - digits.count - fractionDigits)
  }

  private mutating func readExponent(_ text: Substring.UTF8View, adding shift: Int) {
    let magnitude = text.drop { byte in
      byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "0")
    }
    if magnitude.count > 18 {
      exponent = nil
      return
    }
    let value = magnitude.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    exponent = (text.first == UInt8(ascii: "-") ? -value : value) + shift
  }
}
