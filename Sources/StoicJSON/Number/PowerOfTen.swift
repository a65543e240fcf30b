/// A power of ten, cut to 128 significant bits.
///
/// 10^n lies between `high:low` and that plus one, times 2^`exponent`; it is `high:low` exactly when 5^n
/// is a whole number of at most 128 bits.
struct PowerOfTen {
  let high: UInt64
  let low: UInt64
  let exponent: Int
  let isExact: Bool

  /// Reading a double needs -342...308, writing one -292...324.
  static let range = -342...324

  /// The power, which must be in `range`.
  init(_ power: Int) {
    let index = 2 * (power - Self.range.lowerBound)
    high = Self.significands[index]
    low = Self.significands[index + 1]
    exponent = Self.binaryLogarithm(power) - 127
    isExact = 0...55 ~= power
  }

  /// The whole part of the binary logarithm of 10^n; exact for |n| up to 1,233.
  @inline(__always) static func binaryLogarithm(_ power: Int) -> Int {
    (power &* 1_741_647) &>> 19
  }

  /// The high and low words of every power in `range`, computed once.
  ///
  /// The negative ones are 2^1024 divided by five again and again: to drop the remainder each time gives
  /// the same as to drop one at the end, and 230 bits are left after the last.
  private static let significands: [UInt64] = {
    var upwards: [UInt64] = []
    var power = Natural(1)
    for _ in 0...range.upperBound {
      upwards += [power.top.high, power.top.low]
      power.multiply(by: 5)
    }
    var downwards: [UInt64] = []
    power = Natural(1)
    power.shiftLeft(by: 1024)
    for _ in 1 ... -range.lowerBound {
      power.divide(by: 5)
      downwards += [power.top.low, power.top.high]
    }
    return downwards.reversed() + upwards
  }()
}
