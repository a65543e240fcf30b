import StoicLocalServer
import Testing

/// Seen through the streams that carry them: their last bytes.
@Suite("Checksums of packed bodies")
struct ChecksumTests {
  /// The checksum of a gzip stream, then that of a zlib stream.
  private func sums(of text: String) -> [[UInt8]] {
    [
      Array(LocalServer.Coding.gzip.pack(text).suffix(8).prefix(4).reversed()),
      LocalServer.Coding.deflate.pack(text).suffix(4),
    ]
  }

  private func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// CRC-32's usual check value, and zlib's words for the others.
  @Test(
    "They are those of the standards",
    arguments: [
      ("123456789", 0xCBF4_3926, 0x091E_01DE), ("hello", 0x3610_A686, 0x062C_0215), ("", 0, 1),
      ("Wikipedia", 0xADAA_C02E, 0x11E6_0398),
    ] as [(String, UInt32, UInt32)])
  func standard(_ text: String, _ crc: UInt32, _ adler: UInt32) {
    #expect(sums(of: text) == [bytes(crc), bytes(adler)])
  }

  /// Figures that zlib gives when it goes through all the bytes.
  @Test(
    "Those of one byte many times over are what going through them gives",
    arguments: [
      (0, 1 << 30, 0x5B64_C2B0, 0xC02D_0001), (0x61, 1 << 30, 0x0F98_B5AF, 0x7A6E_D546),
      (0xFF, 1 << 31 + 12_345, 0xCEFB_5E3E, 0x0A34_FBA0),
    ] as [(UInt8, Int, UInt32, UInt32)])
  func many(_ byte: UInt8, _ count: Int, _ crc: UInt32, _ adler: UInt32) {
    #expect(end(of: .gzip, byte, count, 8).prefix(4).reversed() == bytes(crc))
    #expect(end(of: .deflate, byte, count, 4) == bytes(adler))
  }

  @Test(
    "Those of one byte a few times over are those of the bytes",
    arguments: [0, 1, 0x61, 0x80, 0xFF] as [UInt8])
  func few(byte: UInt8) {
    for count in [0, 1, 2, 3, 257, 258, 259, 1000] {
      let bytes = [UInt8](repeating: byte, count: count)
      #expect(end(of: .gzip, byte, count, 8) == LocalServer.Coding.gzip.pack(bytes).suffix(8))
      #expect(end(of: .deflate, byte, count, 4) == LocalServer.Coding.deflate.pack(bytes).suffix(4))
    }
  }

  /// The last bytes of a packed run.
  private func end(of coding: LocalServer.Coding, _ byte: UInt8, _ count: Int, _ length: Int) -> [UInt8] {
    PackedBytes.all(.packed(repeating: byte, count: count, as: coding)).suffix(length)
  }
}
