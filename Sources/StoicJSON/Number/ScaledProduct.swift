/// A significand of up to 64 bits times a power of ten: 192 bits, the highest set, and what they amount to.
struct ScaledProduct {
  private var high: UInt64
  private var middle: UInt64
  private var low: UInt64
  /// The binary logarithm, rounded down.
  private var exponent: Int

  /// The product with the power as it is kept, or with the next greater one when that is to be a bound.
  ///
  /// The significand must not be zero.
  init(_ significand: UInt64, _ power: PowerOfTen, isUpperBound: Bool = false) {
    let zeros = significand.leadingZeroBitCount
    let factor = significand &<< UInt64(truncatingIfNeeded: zeros)
    let upper = factor.multipliedFullWidth(by: power.high)
    let lower = factor.multipliedFullWidth(by: power.low)
    high = upper.high
    middle = upper.low
    low = lower.low
    exponent = power.exponent - zeros + 191
    addToMiddle(lower.high)
    if isUpperBound {
      let (sum, overflowed) = low.addingReportingOverflow(factor)
      low = sum
      if overflowed { addToMiddle(1) }
    }
    if high &>> 63 == 0 {
      high = high &<< 1 | middle &>> 63
      middle = middle &<< 1 | low &>> 63
      low &<<= 1
      exponent -= 1
    }
  }

  private mutating func addToMiddle(_ summand: UInt64) {
    let (sum, overflowed) = middle.addingReportingOverflow(summand)
    middle = sum
    if overflowed { high &+= 1 }
  }

  /// The greatest double that is not above the product, as bits.
  var doubleBelow: UInt64 { double(isRounded: false) }

  /// The double nearest to the product, the even one of two, as bits.
  var nearestDouble: UInt64 { double(isRounded: true) }

  private func double(isRounded: Bool) -> UInt64 {
    if exponent > 1023 { return Double.infinity.bitPattern }
    // Subnormal doubles keep fewer than 53 bits of the highest 64.
    let dropped = 11 + max(0, -1022 - exponent)
    if dropped > 64 { return 0 }
    let significand = high >> UInt64(dropped)
    let isAtLeastHalf = high &>> UInt64(truncatingIfNeeded: dropped - 1) & 1 == 1
    let rest = high & (1 &<< UInt64(truncatingIfNeeded: dropped - 1) &- 1) | middle | low
    let isUp = isRounded && isAtLeastHalf && (rest != 0 || !significand.isMultiple(of: 2))
    // The leading bit of a normal significand adds one to the exponent; so does a carry.
    let biased = exponent < -1022 ? 0 : UInt64(exponent + 1022) << 52
    return biased + significand + (isUp ? 1 : 0)
  }
}
