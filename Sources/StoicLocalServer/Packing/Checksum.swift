/// The checksums at the end of packed bodies, of bytes and of one byte many times over.
enum Checksum {
  private static let polynomial: UInt32 = 0xEDB8_8320
  /// What each byte does to a CRC.
  private static let table = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { sum, _ in times(sum) }
  }
  private static let adlerModulus: UInt64 = 65_521

  /// CRC-32 (RFC 1952, 8).
  static func crc(of bytes: [UInt8]) -> UInt32 {
    var sum = UInt32.max
    for byte in bytes { sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return ~sum
  }

  /// The same without going through them: a checksum of two texts in a row follows from those of each.
  static func crc(of byte: UInt8, count: Int) -> UInt32 {
    let single = crc(of: [byte])
    // The sum of a stretch, and the power of x that its bits stand for.
    var (sum, power) = (UInt32(0), UInt32(1) << 31)
    for place in (0..<Int.bitWidth - 1).reversed() {
      sum ^= product(power, sum)
      power = product(power, power)
      if count >> place & 1 == 1 {
        sum = product(1 << 23, sum) ^ single
        power = product(1 << 23, power)
      }
    }
    return sum
  }

  /// Adler-32 (RFC 1950, 8.2).
  static func adler(of bytes: [UInt8]) -> UInt32 {
    var (low, high) = (UInt64(1), UInt64(0))
    for byte in bytes {
      low = (low + UInt64(byte)) % adlerModulus
      high = (high + low) % adlerModulus
    }
    return UInt32(high << 16 | low)
  }

  /// The same without going through them: both sums have a closed form.
  static func adler(of byte: UInt8, count: Int) -> UInt32 {
    let count = UInt64(count)
    let next = count + 1
    let pairs =
      count.isMultiple(of: 2)
      ? count / 2 % adlerModulus * (next % adlerModulus) : count % adlerModulus * (next / 2 % adlerModulus)
    let low = (1 + count % adlerModulus * UInt64(byte)) % adlerModulus
    let high = (count % adlerModulus + pairs % adlerModulus * UInt64(byte)) % adlerModulus
    return UInt32(high << 16 | low)
  }

  /// The product of two polynomials modulo the CRC's, their highest power in the lowest bit.
  private static func product(_ one: UInt32, _ other: UInt32) -> UInt32 {
    var (product, shifted) = (UInt32(0), other)
    for place in (0..<32).reversed() {
      if one >> UInt32(place) & 1 == 1 { product ^= shifted }
      shifted = times(shifted)
    }
    return product
  }

  /// A polynomial times x.
  private static func times(_ one: UInt32) -> UInt32 {
    one & 1 == 1 ? one >> 1 ^ polynomial : one >> 1
  }
}
