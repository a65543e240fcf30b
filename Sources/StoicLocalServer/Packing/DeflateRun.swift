/// One byte many times over as a deflate block that takes two bits for each 258 of them (RFC 1951, 3.2.7).
///
/// The block's own code gives a copy of 258 bytes and its distance a zero bit each. So the block is a few bytes, then
/// zeros, however many bytes it stands for, then a few bytes: nothing of it has to be held.
enum DeflateRun {
  private static let copyLength = 258
  private static let endOfBlock = 256
  private static let longestCopy = 285

  static func block(of byte: UInt8, count: Int) -> Stretch {
    var bits = BitWriter()
    appendHeader(for: byte, to: &bits)
    guard count > 0 else {
      bits.append(code: 0b11, count: 2)
      return Stretch(lead: bits.bytes)
    }
    bits.append(code: 0b10, count: 2)
    let zeros = (count - 1) / copyLength * 2
    let filling = min(zeros, bits.free)
    bits.append(0, count: filling)
    let left = zeros - filling
    guard left > 0 else {
      appendEnd(of: count, to: &bits)
      return Stretch(lead: bits.bytes)
    }
    var tail = BitWriter()
    tail.append(0, count: left % 8)
    appendEnd(of: count, to: &tail)
    return Stretch(lead: bits.bytes, byte: 0, count: left / 8, tail: tail.bytes)
  }

  /// The bytes that do not fill a copy, and the end of the block.
  private static func appendEnd(of count: Int, to bits: inout BitWriter) {
    for _ in 0..<(count - 1) % copyLength { bits.append(code: 0b10, count: 2) }
    bits.append(code: 0b11, count: 2)
  }

  /// A last block whose code is 0 for a copy of 258, 10 for the byte, 11 for the end, and 0 for the distance 1.
  private static func appendHeader(for byte: UInt8, to bits: inout BitWriter) {
    bits.append(1, count: 1)
    bits.append(2, count: 2)
    // 286 lengths of literals and copies, one of distances, 18 of the code that they are written in.
    bits.append(29, count: 5)
    bits.append(0, count: 5)
    bits.append(14, count: 4)
    for length in [0, 4, 1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 3] { bits.append(length, count: 3) }
    appendZeroLengths(Int(byte), to: &bits)
    bits.append(code: 0b10, count: 2)
    appendZeroLengths(endOfBlock - 1 - Int(byte), to: &bits)
    bits.append(code: 0b10, count: 2)
    appendZeroLengths(longestCopy - 1 - endOfBlock, to: &bits)
    bits.append(code: 0b110, count: 3)
    bits.append(code: 0b110, count: 3)
  }

  /// Code lengths of zero, as many at once as there are symbols for.
  private static func appendZeroLengths(_ count: Int, to bits: inout BitWriter) {
    var left = count
    while left > 0 {
      switch left {
      case 11...:
        let taken = min(left, 138)
        bits.append(code: 0b0, count: 1)
        bits.append(taken - 11, count: 7)
        left -= taken
      case 3...:
        bits.append(code: 0b1111, count: 4)
        bits.append(left - 3, count: 3)
        left = 0
      default:
        bits.append(code: 0b1110, count: 4)
        left -= 1
      }
    }
  }
}
