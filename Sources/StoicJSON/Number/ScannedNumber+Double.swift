extension ScannedNumber {
  /// The double nearest to the number, the even one of two; infinite when the number is too great.
  ///
  /// The text is that from which the number was scanned.
  func nearestDouble(_ text: ByteView) -> Double {
    let magnitude = quickMagnitude ?? exactMagnitude(text)
    return isNegative ? -magnitude : magnitude
  }

  /// The nearest double when nineteen digits and a power of ten of 128 bits decide which it is.
  ///
  /// Eisel and Lemire's way, without their proof that the product decides nearly always: the number lies
  /// between two products, and when both round to the same double that is the answer.
  private var quickMagnitude: Double? {
    if significand == 0 { return 0 }
    if !isCut, significand <= 1 << 53, -22...22 ~= exponent {
      // Both are doubles, so one operation rounds once.
      let value = Double(significand)
      return exponent < 0
        ? value / Self.exactPowers[-exponent] : value * Self.exactPowers[exponent]
    }
    // Less than half of the least double; more than the greatest.
    if exponent < PowerOfTen.range.lowerBound { return 0 }
    if exponent > 308 { return .infinity }
    let power = PowerOfTen(exponent)
    let lower = ScaledProduct(significand, power)
    let upper = ScaledProduct(isCut ? significand + 1 : significand, power, isUpperBound: !power.isExact)
    let bits = lower.nearestDouble
    return bits == upper.nearestDouble ? Double(bitPattern: bits) : nil
  }

  private static let exactPowers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  /// The nearest double by comparing whole numbers.
  ///
  /// No two neighbouring doubles have a midpoint of more than 767 significant digits: what follows them
  /// decides only whether a number lies above such a point, and one further digit says so.
  func exactMagnitude(_ text: ByteView) -> Double {
    let enough = 800
    let parts = NumberParts(text)
    guard significand != 0, let exponent = parts.exponent else { return quickMagnitude ?? 0 }
    var digits = Array(parts.digits.prefix(enough))
    if parts.digits.count > enough { digits.append(UInt8(ascii: "1")) }
    let power = exponent + parts.digits.count - digits.count
    if self.exponent < PowerOfTen.range.lowerBound { return 0 }
    if self.exponent > 308 { return .infinity }

    // The double below the number is that below its lower product, or the one before that.
    let below = ScaledProduct(significand, PowerOfTen(self.exponent)).doubleBelow
    if below == Double.infinity.bitPattern { return .infinity }
    let value = Double(bitPattern: below)
    let isNormal = value >= .leastNormalMagnitude
    let significand = value.significandBitPattern | (isNormal ? 1 << 52 : 0)
    let binaryExponent = (isNormal ? Int(value.exponentBitPattern) : 1) - 1075

    // The number against the midpoint, both multiplied by what makes them whole.
    var number = Natural(digits: digits)
    var midpoint = Natural(2 * significand + 1)
    number.multiply(byFiveToThe: max(0, power))
    midpoint.multiply(byFiveToThe: max(0, -power))
    let shift = power - (binaryExponent - 1)
    number.shiftLeft(by: max(0, shift))
    midpoint.shiftLeft(by: max(0, -shift))
    let order = Natural.compare(number, midpoint)
    let isUp = order > 0 || order == 0 && !significand.isMultiple(of: 2)
    return Double(bitPattern: below + (isUp ? 1 : 0))
  }
}
