/// Compressed bodies for tests, made without a compressor.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  /// Bytes as a whole gzip stream of one stored block; at most 65,535 of them.
  ///
  /// - Parameter checksum: a wrong one.
  static func stored(_ bytes: [UInt8], checksum: UInt32? = nil) -> [UInt8] {
    let count = UInt16(bytes.count)
    let block = [1] + littleEndian(count) + littleEndian(~count) + bytes
    return header + block + littleEndian(checksum ?? self.checksum(of: bytes)) + littleEndian(UInt32(count))
  }

  /// The start of a gzip stream that unpacks to many zeros, 13 bits for each 258 of them.
  ///
  /// A block of the fixed code (RFC 1951, section 3.2.6): a zero, then copies of length 258 at distance 1.
  static func bomb(copies: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.append(0b011, count: 3)
    bits.append(reversed: 0b0011_0000, count: 8)
    for _ in 0..<copies {
      bits.append(reversed: 0b1100_0101, count: 8)
      bits.append(0, count: 5)
    }
    return header + bits.bytes
  }

  private static func littleEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
    (0..<Integer.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> Integer($0 * 8)) }
  }

  /// CRC-32 as gzip uses it (RFC 1952, section 8).
  private static func checksum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
  }
}

/// Bits, lowest first in each byte.
private struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  mutating func append(_ bits: Int, count: Int) {
    for place in 0..<count { append(bits >> place & 1) }
  }

  /// A Huffman code goes the other way round.
  mutating func append(reversed bits: Int, count: Int) {
    for place in (0..<count).reversed() { append(bits >> place & 1) }
  }

  private mutating func append(_ bit: Int) {
    if used == 8 {
      bytes.append(0)
      used = 0
    }
    bytes[bytes.count - 1] |= UInt8(bit) << used
    used += 1
  }
}
