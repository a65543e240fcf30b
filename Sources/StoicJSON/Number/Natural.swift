/// A natural number of any size, for the few questions that need exact answers.
struct Natural {
  /// The lowest limb first; the highest is never zero.
  private(set) var limbs: [UInt64]

  init(_ value: UInt64) {
    limbs = value == 0 ? [] : [value]
  }

  /// The number that ASCII digits write; quadratic in their count.
  init(digits: some Collection<UInt8>) {
    self.init(0)
    for digit in digits {
      multiply(by: 10, adding: UInt64(digit - UInt8(ascii: "0")))
    }
  }

  var bitWidth: Int {
    limbs.last.map { limbs.count * 64 - $0.leadingZeroBitCount } ?? 0
  }

  mutating func multiply(by factor: UInt64, adding summand: UInt64 = 0) {
    var carry = summand
    for index in limbs.indices {
      let (high, low) = limbs[index].multipliedFullWidth(by: factor)
      let (sum, overflowed) = low.addingReportingOverflow(carry)
      limbs[index] = sum
      carry = high + (overflowed ? 1 : 0)
    }
    if carry > 0 { limbs.append(carry) }
  }

  mutating func multiply(byFiveToThe power: Int) {
    // 5^27 is the greatest that fits a limb.
    for _ in 0..<power / 27 {
      multiply(by: 7_450_580_596_923_828_125)
    }
    for _ in 0..<power % 27 {
      multiply(by: 5)
    }
  }

  /// Divides, and returns the remainder.
  @discardableResult mutating func divide(by divisor: UInt64) -> UInt64 {
    var remainder: UInt64 = 0
    for index in limbs.indices.reversed() {
      (limbs[index], remainder) = divisor.dividingFullWidth((remainder, limbs[index]))
    }
    while limbs.last == 0 {
      limbs.removeLast()
    }
    return remainder
  }

  mutating func shiftLeft(by bits: Int) {
    if limbs.isEmpty { return }
    let (whole, rest) = bits.quotientAndRemainder(dividingBy: 64)
    if rest > 0 { multiply(by: 1 << UInt64(rest)) }
    limbs.insert(contentsOf: repeatElement(0, count: whole), at: 0)
  }

  /// The number in ASCII digits, the highest first; none for zero.
  var decimalDigits: [UInt8] {
    var digits: [UInt8] = []
    var rest = self
    while !rest.limbs.isEmpty {
      // Nineteen digits at a time, as many as fit a limb.
      var low = rest.divide(by: 10_000_000_000_000_000_000)
      for _ in 0..<19 {
        digits.append(UInt8(ascii: "0") + UInt8(low % 10))
        low /= 10
      }
    }
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
    }
    return digits.reversed()
  }

  /// The highest 128 bits, the number shifted to the left if it has fewer.
  var top: (high: UInt64, low: UInt64) {
    let last = limbs.count - 1
    func limb(_ index: Int) -> UInt64 { index >= 0 ? limbs[index] : 0 }
    let shift = UInt64(limb(last).leadingZeroBitCount)
    // The smart shift of a whole word gives zero.
    let high = limb(last) << shift | limb(last - 1) >> (64 - shift)
    let low = limb(last - 1) << shift | limb(last - 2) >> (64 - shift)
    return (high, low)
  }

  /// Which of two numbers is greater: the sign of their difference.
  static func compare(_ left: Natural, _ right: Natural) -> Int {
    if left.limbs.count != right.limbs.count { return left.limbs.count < right.limbs.count ? -1 : 1 }
    for (left, right) in zip(left.limbs.reversed(), right.limbs.reversed()) where left != right {
      return left < right ? -1 : 1
    }
    return 0
  }
}
