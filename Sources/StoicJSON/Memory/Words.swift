/// Eight bytes examined at once.
///
/// The marks of each question stand in the highest bit of a byte. The lowest mark is exact; a borrow may
/// set false ones above it, so only the lowest may be used, or whether there is any.
enum Words {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always) private static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(truncatingIfNeeded: byte) &* ones
  }

  /// Marks quotes, backslashes, control characters and what is not ASCII.
  @inline(__always) static func special(_ word: UInt64) -> UInt64 {
    (escapable(word) | word) & highBits
  }

  /// Marks quotes, backslashes and control characters; other marks are only meant for bytes of ASCII.
  @inline(__always) static func escapable(_ word: UInt64) -> UInt64 {
    let quotes = word ^ repeated(UInt8(ascii: "\""))
    let backslashes = word ^ repeated(UInt8(ascii: "\\"))
    let marks =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- repeated(0x20)) & ~word
    return marks & highBits
  }

  /// Marks what is not a decimal digit; every mark is exact.
  @inline(__always) static func nonDigits(_ word: UInt64) -> UInt64 {
    let values = word ^ repeated(UInt8(ascii: "0"))
    return ((values & ~highBits) &+ repeated(0x76) | values) & highBits
  }

  /// The place of the lowest marked byte, 0...8.
  @inline(__always) static func firstMark(_ marks: UInt64) -> Int {
    marks.trailingZeroBitCount &>> 3
  }

  /// A word whose lowest `count` bytes, 0...8, are all ones.
  @inline(__always) static func mask(_ count: Int) -> UInt64 {
    count >= 8 ? ~0 : (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
  }

  /// The high and the low half of a product, folded.
  @inline(__always) static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
