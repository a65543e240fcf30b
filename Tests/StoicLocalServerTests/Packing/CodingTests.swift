import Foundation
import StoicLocalServer
import Testing

@Suite("Packed bodies", .timeLimit(.minutes(10)))
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

  #if os(Linux) || os(macOS)
  @Test("The system's own tool unpacks them", .enabled(if: Unpacker.exists))
  func unpacked() async throws {
    for count in [0, 1, 5, 65_535, 65_536, 200_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      #expect(try await Unpacker.unpack(Coding.gzip.pack(bytes)) == bytes)
    }
    for byte: UInt8 in [0, 1, 2, 3, 11, 97, 117, 118, 127, 138, 139, 150, 244, 245, 253, 254, 255] {
      for count in byte == 97 ? [0, 1, 2, 257, 258, 259, 260, 516, 517, 1033, 1034, 1_000_000] : [700] {
        let packed = PackedBytes.all(.packed(repeating: byte, count: count, as: .gzip))
        let unpacked = try await Unpacker.unpack(packed)
        // Compared outside, so that a difference is not printed byte by byte.
        let isSame = unpacked == [UInt8](repeating: byte, count: count)
        #expect(isSame, "\(count) of \(byte)")
      }
    }
    let members = Coding.gzip.pack("hello, ") + Coding.gzip.pack("world")
    #expect(try await Unpacker.unpack(members) == Array("hello, world".utf8))
  }

  @Test("The system's own tool finds every fault, and a cut", .enabled(if: Unpacker.exists))
  func refused() async throws {
    for fault in Coding.gzip.faults {
      #expect(try await Unpacker.unpack(Coding.gzip.pack("hello", fault: fault)) == nil, "\(fault)")
    }
    let whole = Coding.gzip.pack("hello")
    for count in 1..<whole.count {
      #expect(try await Unpacker.unpack(Array(whole.prefix(count))) == nil, "\(count) bytes")
    }
  }
  #endif
}

#if os(Linux) || os(macOS)
/// The system's `gzip`, which shares no code with what is tested.
private enum Unpacker {
  private static let path = ["/usr/bin/gzip", "/bin/gzip"].first(where: FileManager.default.isExecutableFile)

  static var exists: Bool { path != nil }

  /// The unpacked bytes; nil when the tool says that something is wrong.
  static func unpack(_ bytes: [UInt8]) async throws -> [UInt8]? {
    let path = try #require(path)
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(with: Result { try run(path, bytes) })
      }
    }
  }

  private static func run(_ path: String, _ bytes: [UInt8]) throws -> [UInt8]? {
    let file = FileManager.default.temporaryDirectory.appending(path: "packed-\(UUID().uuidString)")
    try Data(bytes).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(filePath: path)
    process.arguments = ["-dc"]
    process.standardInput = try FileHandle(forReadingFrom: file)
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let unpacked = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? [UInt8](unpacked) : nil
  }
}
#endif
