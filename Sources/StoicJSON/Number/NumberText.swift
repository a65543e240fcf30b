extension Double {
  /// The shortest JSON number that reads back as this double, which must be finite.
  var shortestText: String {
    var sink = ByteSink(capacity: NumberText.maximalLength)
    NumberText.write(self, canonically: false, to: &sink)
    return sink.view.string
  }
}

/// How numbers are written.
enum NumberText {
  /// No number takes more bytes than this.
  static var maximalLength: Int { 40 }

  /// Writes an integer.
  static func write(_ value: Int, to sink: inout ByteSink) {
    sink.reserve(maximalLength)
    if value < 0 { sink.put(UInt8(ascii: "-")) }
    let magnitude = UInt64(value.magnitude)
    put(magnitude, count: digitCount(magnitude), to: &sink)
  }

  /// Writes a finite double with as few digits as tell it from its neighbours.
  ///
  /// The canonical form is that of JavaScript, as RFC 8785 wants: an exponent from 10^21 up and below
  /// 10^-6, always with a sign, and no sign before a zero. The other form has an exponent above 2^53, where
  /// the digits would no longer mean the integer they seem to, and below 10^-4.
  static func write(_ value: Double, canonically isCanonical: Bool, to sink: inout ByteSink) {
    sink.reserve(maximalLength)
    if value < 0 || value == 0 && value.sign == .minus && !isCanonical { sink.put(UInt8(ascii: "-")) }
    let decimal = ShortestDecimal(value.magnitude)
    let digits = decimal.significand
    let count = digitCount(digits)
    /// How many digits stand before the point.
    let point = count + decimal.exponent
    let isPlain = isCanonical ? point > -6 && point <= 21 : point > -4 && value.magnitude <= 0x1p53
    if !isPlain {
      writeWithExponent(digits, count, point - 1, hasPlus: isCanonical, to: &sink)
    } else if point <= 0 {
      sink.put(UInt8(ascii: "0"))
      sink.put(UInt8(ascii: "."))
      putZeros(-point, to: &sink)
      put(digits, count: count, to: &sink)
    } else if point < count {
      let (whole, fraction) = digits.quotientAndRemainder(dividingBy: powers[count - point])
      put(whole, count: point, to: &sink)
      sink.put(UInt8(ascii: "."))
      put(fraction, count: count - point, to: &sink)
    } else {
      put(digits, count: count, to: &sink)
      putZeros(point - count, to: &sink)
    }
  }

  private static func writeWithExponent(
    _ digits: UInt64, _ count: Int, _ exponent: Int, hasPlus: Bool, to sink: inout ByteSink
  ) {
    let (first, rest) = digits.quotientAndRemainder(dividingBy: powers[count - 1])
    put(first, count: 1, to: &sink)
    if count > 1 {
      sink.put(UInt8(ascii: "."))
      put(rest, count: count - 1, to: &sink)
    }
    sink.put(UInt8(ascii: "e"))
    if exponent < 0 {
      sink.put(UInt8(ascii: "-"))
    } else if hasPlus {
      sink.put(UInt8(ascii: "+"))
    }
    let magnitude = UInt64(exponent.magnitude)
    put(magnitude, count: digitCount(magnitude), to: &sink)
  }

  private static func putZeros(_ count: Int, to sink: inout ByteSink) {
    for _ in 0..<count {
      sink.put(UInt8(ascii: "0"))
    }
  }

  /// Writes the lowest `count` decimal digits of a number, up to twenty.
  private static func put(_ number: UInt64, count: Int, to sink: inout ByteSink) {
    if count > 8 {
      let (high, low) = number.quotientAndRemainder(dividingBy: 100_000_000)
      put(high, count: count &- 8, to: &sink)
      sink.put(eightDigits(low), count: 8)
    } else {
      sink.put(eightDigits(number) &>> UInt64(truncatingIfNeeded: 64 &- count &* 8), count: count)
    }
  }

  /// The digits of a number below 10^8 as bytes, the first in the lowest bits, by halves: the quotients by
  /// 10,000, by 100 and by 10 are those of fixed-point factors, exact in these ranges.
  @inline(__always) private static func eightDigits(_ number: UInt64) -> UInt64 {
    let upper = (number &* 109_951_163) &>> 40
    let halves = upper | (number &- upper &* 10_000) &<< 32
    let hundreds = (halves &* 10_486) &>> 20 & 0x0000_007F_0000_007F
    let pairs = hundreds | (halves &- hundreds &* 100) &<< 16
    let tens = (pairs &* 103) &>> 10 & 0x000F_000F_000F_000F
    return (tens | (pairs &- tens &* 10) &<< 8) | 0x3030_3030_3030_3030
  }

  /// How many decimal digits a number has, at least one.
  private static func digitCount(_ value: UInt64) -> Int {
    // 1,233 / 4,096 is a little more than the logarithm of two.
    let estimate = ((64 &- (value | 1).leadingZeroBitCount) &* 1_233) &>> 12
    return estimate &+ (value | 1 >= powers[estimate] ? 1 : 0)
  }

  /// The powers of ten that a word holds.
  private static let powers: [UInt64] = (0..<20).map { exponent in
    (0..<exponent).reduce(1) { power, _ in power * 10 }
  }
}
