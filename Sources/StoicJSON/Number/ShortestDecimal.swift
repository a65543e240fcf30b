/// The decimal with the fewest digits that lies nearer to a double than to any other; of several the
/// nearest.
///
/// Schubfach, by Raffaello Giulietti: "The Schubfach way to render doubles" (2020). The candidates are
/// found with one multiplication by a power of ten for the double and for each of its two midpoints.
struct ShortestDecimal {
  /// The digits as a number that does not end in zero, unless it is zero.
  private(set) var significand: UInt64
  /// The power of ten that they are to be multiplied with.
  private(set) var exponent: Int

  /// Takes a finite double that is not negative.
  init(_ value: Double) {
    significand = 0
    exponent = 0
    if value == 0 { return }
    if value < 0x1p53, case let integer = UInt64(value), Double(integer) == value {
      significand = integer
    } else {
      find(value)
    }
    // Most doubles that people write end in many zeros.
    let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 100_000_000)
    if remainder == 0 {
      significand = quotient
      exponent += 8
    }
    while true {
      let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 10)
      if remainder != 0 { return }
      significand = quotient
      exponent += 1
    }
  }

  private mutating func find(_ value: Double) {
    let fraction = value.significandBitPattern
    let biased = Int(value.exponentBitPattern)
    let binary = biased == 0 ? fraction : fraction | 1 << 52
    let binaryExponent = max(biased, 1) - 1075
    // Below a power of two the doubles are twice as close.
    let isLowerCloser = fraction == 0 && biased > 1
    let power = (binaryExponent * 1_262_611 - (isLowerCloser ? 524_031 : 0)) >> 22
    let scale = Scale(-power, binaryExponent + PowerOfTen.binaryLogarithm(-power) + 1)

    // All of these are four times the number, so that halves and midpoints are whole.
    let isOdd = binary & 1
    let lower = scale.apply(4 * binary - (isLowerCloser ? 1 : 2)) + isOdd
    let scaled = scale.apply(4 * binary)
    let upper = scale.apply(4 * binary + 2) - isOdd

    let floor = scaled / 4
    if floor >= 10 {
      let tenth = floor / 10
      let isFloorInside = lower <= 40 * tenth
      let isCeilingInside = 40 * tenth + 40 <= upper
      if isFloorInside != isCeilingInside {
        significand = tenth + (isCeilingInside ? 1 : 0)
        exponent = power + 1
        return
      }
    }
    let isFloorInside = lower <= 4 * floor
    let isCeilingInside = 4 * floor + 4 <= upper
    let middle = 4 * floor + 2
    let isUp =
      isFloorInside != isCeilingInside
      ? isCeilingInside : scaled > middle || scaled == middle && floor & 1 == 1
    significand = floor + (isUp ? 1 : 0)
    exponent = power
  }
}

/// Multiplies by a power of ten, rounded up to 128 bits, and by a small power of two.
private struct Scale {
  private let high: UInt64
  private let low: UInt64
  private let shift: UInt64

  init(_ power: Int, _ shift: Int) {
    let power = PowerOfTen(power)
    let (low, overflowed) = power.low.addingReportingOverflow(power.isExact ? 0 : 1)
    self.low = low
    high = power.high + (overflowed ? 1 : 0)
    self.shift = UInt64(shift)
  }

  /// The product, cut to a whole number that is odd if anything was cut off.
  func apply(_ value: UInt64) -> UInt64 {
    let factor = value << shift
    let upper = factor.multipliedFullWidth(by: high)
    let carry = factor.multipliedFullWidth(by: low).high
    let (middle, overflowed) = upper.low.addingReportingOverflow(carry)
    return (upper.high + (overflowed ? 1 : 0)) | (middle > 1 ? 1 : 0)
  }
}
