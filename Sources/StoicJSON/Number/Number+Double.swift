extension Number {
  var double: Double? {
    guard let value = nearestDouble, value.isFinite else { return nil }
    if value == 0 { return parts.digits.isEmpty ? value : nil }
    if value.magnitude >= 0x1p53, isWrittenAsInteger, !isKept(by: value) { return nil }
    return value
  }

  private var isWrittenAsInteger: Bool {
    text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
  }

  /// The standard library's conversion, on a text short enough for it to take no time.
  ///
  /// No two neighbouring doubles have a midpoint of more than 767 significant digits: what follows them
  /// decides only whether a number lies above such a point, and one further digit says so.
  private var nearestDouble: Double? {
    let enough = 800
    if text.utf8.count <= enough { return Double(text) }
    let parts = parts
    if parts.digits.isEmpty { return text.utf8.first == UInt8(ascii: "-") ? -0.0 : 0 }
    guard let exponent = parts.exponent else { return nil }
    let sign = parts.isNegative ? "-" : ""
    if parts.digits.count <= enough {
      return Double("\(sign)\(String(decoding: parts.digits, as: UTF8.self))e\(exponent)")
    }
    let kept = String(decoding: parts.digits.prefix(enough), as: UTF8.self)
    return Double("\(sign)\(kept)1e\(exponent + parts.digits.count - enough - 1)")
  }

  /// Whether the double is this integer, or this integer is how the double is usually written.
  ///
  /// JavaScript writes the double next to 123456789012345677877 as 123456789012345680000.
  private func isKept(by value: Double) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return digits.elementsEqual(integerDigits(of: value.magnitude)) || parts == NumberParts(value.description)
  }
}

/// The decimal digits of an integral double of at least 2^53, all of them.
private func integerDigits(of value: Double) -> [UInt8] {
  let base: UInt64 = 1_000_000_000
  var significand = value.significandBitPattern | 1 << 52
  var limbs: [UInt64] = []
  while significand > 0 {
    limbs.append(significand % base)
    significand /= base
  }
  var shift = Int(value.exponent) - 52
  while shift > 0 {
    let step = min(shift, 32)
    shift -= step
    var carry: UInt64 = 0
    for position in limbs.indices {
      let product = limbs[position] << UInt64(step) + carry
      limbs[position] = product % base
      carry = product / base
    }
    while carry > 0 {
      limbs.append(carry % base)
      carry /= base
    }
  }
  var digits: [UInt8] = []
  for limb in limbs {
    var rest = limb
    for _ in 0..<9 {
      digits.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
  }
  while digits.last == UInt8(ascii: "0") {
    digits.removeLast()
  }
  return digits.reversed()
}
