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
    sink.put(digits: magnitude, count: digitCount(magnitude))
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
      sink.put(digits: digits, count: count)
    } else if point < count {
      let (whole, fraction) = digits.quotientAndRemainder(dividingBy: powers[count - point])
      sink.put(digits: whole, count: point)
      sink.put(UInt8(ascii: "."))
      sink.put(digits: fraction, count: count - point)
    } else {
      sink.put(digits: digits, count: count)
      putZeros(point - count, to: &sink)
    }
  }

  private static func writeWithExponent(
    _ digits: UInt64, _ count: Int, _ exponent: Int, hasPlus: Bool, to sink: inout ByteSink
  ) {
    let (first, rest) = digits.quotientAndRemainder(dividingBy: powers[count - 1])
    sink.put(digits: first, count: 1)
    if count > 1 {
      sink.put(UInt8(ascii: "."))
      sink.put(digits: rest, count: count - 1)
    }
    sink.put(UInt8(ascii: "e"))
    if exponent < 0 {
      sink.put(UInt8(ascii: "-"))
    } else if hasPlus {
      sink.put(UInt8(ascii: "+"))
    }
    let magnitude = UInt64(exponent.magnitude)
    sink.put(digits: magnitude, count: digitCount(magnitude))
  }

  private static func putZeros(_ count: Int, to sink: inout ByteSink) {
    for _ in 0..<count {
      sink.put(UInt8(ascii: "0"))
    }
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
