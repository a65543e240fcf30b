/// The text of a string between its quotes, with escapes that are known to be valid.
enum EscapedText {
  /// What the text means.
  static func string(_ bytes: ByteView) -> String {
    var sink = ByteSink(capacity: bytes.count)
    decode(bytes, to: &sink)
    return sink.view.validString
  }

  /// Writes what the text means, which is never longer.
  static func decode(_ bytes: ByteView, to sink: inout ByteSink) {
    sink.reserve(bytes.count + 8)
    var position = 0
    while true {
      position = sink.put(bytes, from: position, upTo: Words.backslashes)
      if position == bytes.count { return }
      position += decodeEscape(bytes, at: position, to: &sink)
    }
  }

  /// Writes what one escape means, two if they are a pair, and returns the length of it.
  private static func decodeEscape(_ bytes: ByteView, at position: Int, to sink: inout ByteSink) -> Int {
    let byte = bytes[position + 1]
    switch byte {
    case UInt8(ascii: "b"): sink.put(0x08)
    case UInt8(ascii: "f"): sink.put(0x0C)
    case UInt8(ascii: "n"): sink.put(0x0A)
    case UInt8(ascii: "r"): sink.put(0x0D)
    case UInt8(ascii: "t"): sink.put(0x09)
    case UInt8(ascii: "u"):
      let value = unit(bytes, at: position)
      if value & 0xF800 != 0xD800 {
        put(value, to: &sink)
        return 6
      }
      let low = unit(bytes, at: position + 6)
      put(0x10000 &+ (value & 0x3FF) &<< 10 &+ (low & 0x3FF), to: &sink)
      return 12
    default: sink.put(byte)
    }
    return 2
  }

  private static func unit(_ bytes: ByteView, at position: Int) -> UInt32 {
    hexDigits(UInt32(truncatingIfNeeded: bytes.partialWord(at: position + 2)))
  }

  /// Writes a scalar as UTF-8.
  private static func put(_ value: UInt32, to sink: inout ByteSink) {
    if value < 0x80 {
      putByte(value, to: &sink)
    } else if value < 0x800 {
      putByte(0xC0 | value &>> 6, to: &sink)
      putByte(0x80 | value & 0x3F, to: &sink)
    } else {
      if value < 0x10000 {
        putByte(0xE0 | value &>> 12, to: &sink)
      } else {
        putByte(0xF0 | value &>> 18, to: &sink)
        putByte(0x80 | value &>> 12 & 0x3F, to: &sink)
      }
      putByte(0x80 | value &>> 6 & 0x3F, to: &sink)
      putByte(0x80 | value & 0x3F, to: &sink)
    }
  }

  private static func putByte(_ bits: UInt32, to sink: inout ByteSink) {
    sink.put(UInt8(truncatingIfNeeded: bits))
  }

  /// The value of four hexadecimal digits, the first in the lowest bits; above 0xFFFF when one is none.
  @inline(__always) static func hexDigits(_ bytes: UInt32) -> UInt32 {
    hexDigit(UInt8(truncatingIfNeeded: bytes)) &<< 12 | hexDigit(UInt8(truncatingIfNeeded: bytes &>> 8)) &<< 8
      | hexDigit(UInt8(truncatingIfNeeded: bytes &>> 16)) &<< 4
      | hexDigit(UInt8(truncatingIfNeeded: bytes &>> 24))
  }

  /// The value of a hexadecimal digit; 0x10000 when it is none.
  static func hexDigit(_ byte: UInt8) -> UInt32 {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte &- UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte &- UInt8(ascii: "a") &+ 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte &- UInt8(ascii: "A") &+ 10)
    default: 0x10000
    }
  }
}
