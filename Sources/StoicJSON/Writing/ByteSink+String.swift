extension ByteSink {
  /// Writes a string in quotes.
  mutating func putQuoted(_ text: String) {
    text.utf8.withByteView(&self) { sink, bytes in
      sink.putQuoted(bytes)
    }
  }

  /// Writes a string in quotes, with the escapes that RFC 8259 demands and no others.
  @inline(__always) mutating func putQuoted(_ bytes: ByteView) {
    reserve(bytes.count + 18)
    put(UInt8(ascii: "\""))
    var position = 0
    while true {
      position = put(bytes, from: position, upTo: Words.escapable)
      if position == bytes.count { break }
      reserve(bytes.count &- position &+ 24)
      putEscaped(bytes[position])
      position &+= 1
    }
    put(UInt8(ascii: "\""))
  }

  private mutating func putEscaped(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: put(UInt8(ascii: "b"))
    case 0x09: put(UInt8(ascii: "t"))
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0C: put(UInt8(ascii: "f"))
    case 0x0D: put(UInt8(ascii: "r"))
    case 0..<0x20:
      put(UInt8(ascii: "u"))
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "0"))
      put(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let digit = byte & 0x0F
      put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: put(byte)
    }
  }
}
