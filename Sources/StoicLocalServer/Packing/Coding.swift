extension LocalServer {
  /// A content coding to pack bodies in, right or wrong (RFC 9110, 8.4.1).
  ///
  /// It makes valid streams and compresses nothing: bytes are packed as stored blocks, so they grow by a few; one byte
  /// many times over is packed at two bits for each 258 of them. For a coding that is not here, or a stream as some
  /// compressor makes it, give the body's bytes and the `Content-Encoding` yourself.
  ///
  /// A packed body is bytes, so it is cut, joined and damaged as an array is: `dropLast` leaves a stream cut short, a
  /// second packed array behind it makes a gzip body of two members, a byte behind it is rubbish at the end.
  public enum Coding: Sendable, CaseIterable {
    /// One gzip member (RFC 1952), called `gzip`.
    case gzip
    /// A zlib stream (RFC 1950), called `deflate`, as RFC 9110 has it.
    case deflate
    /// A deflate stream (RFC 1951) without zlib around it, called `deflate` by servers that have it wrong.
    case bareDeflate

    /// Something wrong with a stream, in a place of its own.
    public enum Fault: Sendable, CaseIterable {
      /// The first bytes are not those of the coding.
      case header
      /// The compression method is one that does not exist.
      case method
      /// The first block is of the reserved type.
      case block
      /// The first block's length and its complement do not fit.
      case length
      /// The checksum is not that of the bytes.
      case checksum
      /// The count of bytes at the end is off by one.
      case size
    }

    /// What stands in `Content-Encoding`.
    public var name: String { self == .gzip ? "gzip" : "deflate" }

    /// The faults that a stream of this coding has a place for.
    public var faults: [Fault] {
      switch self {
      case .gzip: Fault.allCases
      case .deflate: Fault.allCases.filter { $0 != .size }
      case .bareDeflate: [.block, .length]
      }
    }

    /// Packs bytes as one whole stream, five bytes for each 65,535 of them and up to 18 around them longer.
    ///
    /// - Parameter fault: what is wrong with it; one that is not among `faults` changes nothing.
    public func pack(_ bytes: [UInt8], fault: Fault? = nil) -> [UInt8] {
      var blocks: [UInt8] = []
      var rest = bytes[...]
      repeat {
        let stretch = rest.prefix(Int(UInt16.max))
        rest = rest.dropFirst(stretch.count)
        let count = UInt16(stretch.count)
        blocks += [rest.isEmpty ? 1 : 0] + count.littleEndianBytes + (~count).littleEndianBytes + stretch
      } while !rest.isEmpty
      if fault == .block { blocks[0] |= 0b110 }
      if fault == .length { blocks[3] ^= 1 }
      let sum = self == .gzip ? Checksum.crc(of: bytes) : Checksum.adler(of: bytes)
      return header(fault) + blocks + end(sum: sum, count: bytes.count, fault)
    }

    /// Packs the text's UTF-8 as one whole stream.
    ///
    /// - Parameter fault: what is wrong with it; one that is not among `faults` changes nothing.
    public func pack(_ text: String, fault: Fault? = nil) -> [UInt8] { pack(Array(text.utf8), fault: fault) }

    /// Packs one byte many times over as one whole stream, which fits the memory as long as the stream does.
    package func pack(_ byte: UInt8, times count: Int) -> [UInt8] {
      let stream = pack(repeating: byte, count: max(0, count))
      return Array(stream.bytes(0..<stream.length))
    }

    /// Packs one byte many times over as one whole stream, without making them.
    func pack(repeating byte: UInt8, count: Int) -> Stretch {
      let sum =
        self == .gzip ? Checksum.crc(of: byte, count: count) : Checksum.adler(of: byte, count: count)
      return DeflateRun.block(of: byte, count: count)
        .enclosed(by: header(nil), end(sum: sum, count: count, nil))
    }

    private func header(_ fault: Fault?) -> [UInt8] {
      var header: [UInt8]
      switch self {
      // The method, no flags, no time, no hints, an unknown system.
      case .gzip: header = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
      // The method with a window of 32 KiB; both bytes together are a multiple of 31.
      case .deflate: header = [0x78, 0x01]
      case .bareDeflate: return []
      }
      if fault == .header { header[1] ^= 1 }
      if fault == .method { header = self == .gzip ? [0x1F, 0x8B, 7] + header[3...] : [0x77, 0x09] }
      return header
    }

    private func end(sum: UInt32, count: Int, _ fault: Fault?) -> [UInt8] {
      let sum = fault == .checksum ? ~sum : sum
      let size = UInt32(truncatingIfNeeded: fault == .size ? count &+ 1 : count)
      switch self {
      case .gzip: return sum.littleEndianBytes + size.littleEndianBytes
      case .deflate: return sum.littleEndianBytes.reversed()
      case .bareDeflate: return []
      }
    }
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] {
    (0..<Self.bitWidth / 8).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }
}
