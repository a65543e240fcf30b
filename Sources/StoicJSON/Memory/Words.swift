/// Eight bytes examined at once.
///
/// The marks of each question stand in the highest bit of a byte. The lowest mark is exact; a borrow may
/// set false ones above it, so only the lowest may be used, or whether there is any.
enum Words {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  static var highBits: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always) private static func repeated(_ byte: UInt8) -> UInt64 {
    UInt64(truncatingIfNeeded: byte) &* ones
  }

  /// Marks quotes, backslashes and control characters.
  @inline(__always) static func escapable(_ word: UInt64) -> UInt64 {
    let quotes = word ^ repeated(UInt8(ascii: "\""))
    let backslashes = word ^ repeated(UInt8(ascii: "\\"))
    let marks =
      (quotes &- ones) & ~quotes | (backslashes &- ones) & ~backslashes
      | (word &- repeated(0x20)) & ~word
    return marks & highBits
  }

  /// Marks backslashes.
  @inline(__always) static func backslashes(_ word: UInt64) -> UInt64 {
    let backslashes = word ^ repeated(UInt8(ascii: "\\"))
    return (backslashes &- ones) & ~backslashes & highBits
  }

  /// Marks what is not a decimal digit; every mark is exact.
  @inline(__always) static func nonDigits(_ word: UInt64) -> UInt64 {
    let values = word ^ repeated(UInt8(ascii: "0"))
    return ((values & ~highBits) &+ repeated(0x76) | values) & highBits
  }

  /// Marks bytes that break UTF-8 together with the three that come before each; every mark is exact, and
  /// the lower bits of the result mean nothing.
  ///
  /// A byte must be a continuation if, and only if, one of the three asks for it. The table of valid
  /// sequences is that of RFC 3629: no longer form than needed, no surrogate, nothing beyond U+10FFFF.
  @inline(__always) static func invalidUTF8(
    _ word: UInt64, _ previous: UInt64, _ second: UInt64, _ third: UInt64
  ) -> UInt64 {
    // A shift to the left brings a lower bit of each byte to its highest.
    let isLead = previous & previous &<< 1
    let isLead3 = isLead & previous &<< 2
    let isLead4 = isLead3 & previous &<< 3
    let mustContinue =
      isLead | second & second &<< 1 & second &<< 2 | third & third &<< 1 & third &<< 2 & third &<< 3
    let continues = word & ~(word &<< 1)

    let low = previous & repeated(0x0F)
    let isAbove9F = word &<< 2
    let isAbove8F = isAbove9F | word &<< 3
    let isE = isLead3 & ~isLead4
    let afterE = zeros(low) & ~isAbove9F | zeros(low ^ repeated(0x0D)) & isAbove9F
    let isAboveF4 = low &+ repeated(0x7B)
    let afterF =
      zeros(low) & ~isAbove8F | zeros(low ^ repeated(0x04)) & isAbove8F | isAboveF4
    let isC0 = isLead & ~(previous &<< 2) & ~(previous &<< 3) & zeros(low & repeated(0x0E))
    return mustContinue ^ continues | isE & afterE | isLead4 & afterF | isC0
  }

  /// Marks the zeros among bytes below 0x80.
  @inline(__always) private static func zeros(_ word: UInt64) -> UInt64 {
    highBits &- word
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
