import StoicLocalServer
import Testing

@Suite("Packed bodies", .timeLimit(.minutes(30)))
struct CodingTests {
  typealias Coding = LocalServer.Coding

  @Test(
    "The codings differ in what stands around the same blocks", arguments: [0, 1, 5, 65_535, 65_536, 200_000])
  func around(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let blocks = Coding.bareDeflate.pack(bytes)
    #expect(Coding.gzip.pack(bytes).dropFirst(10).dropLast(8) == blocks[...])
    #expect(Coding.deflate.pack(bytes).dropFirst(2).dropLast(4) == blocks[...])
    #expect(Coding.gzip.pack(bytes).prefix(10) == [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
    #expect(Coding.deflate.pack(bytes).prefix(2) == [0x78, 1])
    #expect(blocks.count == count + max(1, (count + 65_534) / 65_535) * 5)
    let run = Coding.allCases.map { PackedBytes.all(.packed(repeating: 7, count: count, as: $0)) }
    #expect(run[0].dropFirst(10).dropLast(8) == run[2][...])
    #expect(run[1].dropFirst(2).dropLast(4) == run[2][...])
  }

  @Test("They are called what HTTP calls them")
  func names() {
    #expect(Coding.allCases.map(\.name) == ["gzip", "deflate", "deflate"])
  }

  @Test("A fault changes the bytes it speaks of and no other", arguments: Coding.allCases)
  func faults(coding: Coding) {
    let whole = coding.pack("hello")
    for fault in Coding.Fault.allCases {
      let places = zip(whole, coding.pack("hello", fault: fault)).enumerated()
        .filter { $0.element.0 != $0.element.1 }.map(\.offset)
      let block = coding == .gzip ? 10 : coding == .deflate ? 2 : 0
      let expected: [Int] =
        switch fault {
        case _ where !coding.faults.contains(fault): []
        case .header: [1]
        case .method: coding == .gzip ? [2] : [0, 1]
        case .block: [block]
        case .length: [block + 3]
        case .checksum: Array(block + 10..<block + 14)
        case .size: [block + 14]
        }
      #expect(places == expected, "\(fault)")
      #expect(coding.pack("hello", fault: fault).count == whole.count)
    }
    #expect(coding.faults.count == [6, 5, 2][Coding.allCases.firstIndex(of: coding) ?? 0])
  }

  @Test("A gigabyte of one byte is a megabyte on the wire, with its exact length")
  func bomb() {
    let piece = LocalServer.Piece.packed(repeating: 0, count: 1 << 30, as: .gzip)
    #expect(PackedBytes.all(piece).count == 1_040_480)
    let response = LocalServer.Response(status: 200, body: [piece])
    var writer = ResponseWriter(response, method: "HEAD", keepsAlive: true)
    var outbox = Outbox()
    _ = writer.next(into: &outbox)
    let head = outbox.withUnsentBytes { String(decoding: $0, as: UTF8.self) }
    #expect(head == "HTTP/1.1 200 \r\nContent-Length: 1040480\r\n\r\n")
  }

  @Test(
    "As many bytes as there are integers are packed at once, fewer than none are none",
    arguments: Coding.allCases)
  func bounds(coding: Coding) {
    let piece = LocalServer.Piece.packed(repeating: 1, count: Int.max, as: coding)
    var writer = ResponseWriter(.raw([piece]), method: "GET", keepsAlive: true)
    var outbox = Outbox()
    for _ in 0..<50 {
      guard case .send = writer.next(into: &outbox) else {
        Issue.record("the body ended")
        return
      }
      #expect(outbox.withUnsentBytes { $0.count } == Outbox.capacity)
      _ = outbox.markSent(Outbox.capacity)
    }
    let none = PackedBytes.all(.packed(repeating: 1, count: -1, as: coding))
    #expect(none == PackedBytes.all(.packed(repeating: 1, count: 0, as: coding)))
  }

  /// Blocks that zlib unpacks to the byte.
  @Test(
    "One byte many times over is the block that its own code makes of it",
    arguments: [
      (0, 0, [237, 192, 193, 16, 0, 0, 0, 128, 176, 252, 169, 19, 217, 6]),
      (97, 1, [237, 192, 193, 16, 0, 0, 0, 128, 48, 214, 252, 37, 18, 217, 26]),
      (97, 3, [237, 192, 193, 16, 0, 0, 0, 128, 48, 214, 252, 37, 18, 217, 170, 1]),
      (
        1, 5000,
        [
          237, 192, 193, 16, 0, 0, 0, 128, 176, 203, 95, 58, 145, 45, 0, 0, 0, 0, 160, 170, 170, 170, 170,
          170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170,
          1,
        ]
      ),
      (
        255, 12000,
        [
          237, 192, 193, 16, 0, 0, 0, 128, 48, 127, 234, 18, 217, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 170,
          170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170,
          170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 170, 106,
        ]
      ),
      (244, 261, [237, 192, 193, 16, 0, 0, 0, 128, 48, 127, 223, 0, 18, 217, 162, 6]),
    ] as [(UInt8, Int, [UInt8])])
  func runs(_ byte: UInt8, _ count: Int, _ block: [UInt8]) {
    #expect(PackedBytes.all(.packed(repeating: byte, count: count, as: .bareDeflate)) == block)
  }

  @Test("Bytes are stored blocks of 65,535 at most, the last one marked")
  func stored() {
    let packed = Coding.bareDeflate.pack([UInt8](repeating: 7, count: 65_536))
    #expect(packed.prefix(5) == [0, 0xFF, 0xFF, 0, 0])
    #expect(packed.suffix(6) == [1, 1, 0, 0xFE, 0xFF, 7])
    #expect(packed.count == 65_536 + 10)
  }
}
