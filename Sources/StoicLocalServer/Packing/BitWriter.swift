/// Bits, lowest first in each byte, as a deflate stream has them (RFC 1951, 3.1.1).
struct BitWriter {
  private(set) var bytes: [UInt8] = []
  private var used = 8

  /// The bits that are free in the last byte.
  var free: Int { 8 - used }

  mutating func append(_ bits: Int, count: Int) {
    for place in 0..<count { append(bits >> place & 1) }
  }

  /// Appends a Huffman code, which goes the other way round.
  mutating func append(code: Int, count: Int) {
    for place in (0..<count).reversed() { append(code >> place & 1) }
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
