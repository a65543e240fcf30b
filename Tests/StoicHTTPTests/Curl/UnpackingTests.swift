#if os(Linux) || os(macOS)
import Foundation
import Stoic
import StoicHTTP
import Testing

@Suite("Packed bodies unpacked step by step", .timeLimit(.minutes(30)))
struct UnpackingTests {
  private let packer: SystemPacker

  init() throws { packer = try #require(SystemPacker()) }

  /// Unpacks what comes in pieces; nil when it is broken or not whole.
  private func unpacked(_ packed: [UInt8], _ codings: [PackedStage.Coding], pieces: Int) -> [UInt8]? {
    var unpacking = Unpacking(codings)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: packed.count, by: pieces) {
      unpacking.push(Array(packed[start..<min(packed.count, start + pieces)]))
      var isDry = false
      while !isDry {
        switch unpacking.pull() {
        case .made(let count): bytes += unpacking.output[..<count]
        case .needsInput: isDry = true
        case .broken: return nil
        }
      }
    }
    return unpacking.isWhole ? bytes : nil
  }

  @Test(
    "A body that fills the room for it to the byte is unpacked to its end",
    arguments: SystemPacker.Form.allCases,
    [1, 1 << 20])
  func brim(_ form: SystemPacker.Form, _ pieces: Int) {
    for length in Array(32_768...33_368) + [65_535, 65_536, 65_537, 65_636, 98_304, 98_562] {
      let zeros = [UInt8](repeating: 0, count: length)
      let packed = packer.pack(zeros, as: form)
      #expect(!packed.isEmpty && unpacked(packed, [form.coding], pieces: pieces) == zeros, "\(length)")
      guard length % 8 == 1 else { continue }
      let twice = packer.pack(packed, as: .bareDeflate)
      #expect(unpacked(twice, [form.coding, .deflate], pieces: pieces) == zeros, "\(length), twice")
    }
  }

  @Test(
    "A stage that fills its room to the byte hands all of it to the next",
    arguments: SystemPacker.Form.allCases,
    [1, 1 << 20])
  func brimBetween(_ form: SystemPacker.Form, _ pieces: Int) {
    // The name of the file in gzip's header (RFC 1952, section 2.3.1) gives what is between any length, and it ends in
    // repetitions.
    let gzip = packer.pack(Array("hello".utf8), as: .gzip)
    let files = 40
    let end = [0] + gzip.dropFirst(10) + (1..<files).flatMap { _ in gzip }
    var start = Array(gzip.prefix(10))
    start[3] |= 8
    let text = Array(String(repeating: "hello", count: files).utf8)
    for length in Array(32_760...32_780) + Array(stride(from: 32_781, to: 33_200, by: 7)) {
      let name = Array(repeating: UInt8(ascii: "a"), count: length - start.count - end.count)
      let packed = packer.pack(start + name + end, as: form)
      #expect(unpacked(packed, [.gzip, form.coding], pieces: pieces) == text, "\(length)")
    }
  }

  @Test(
    "Texts of any kind are unpacked, whatever packed them and however they come",
    arguments: SystemPacker.Form.allCases, [1, 1_000, 1 << 20])
  func texts(_ form: SystemPacker.Form, _ pieces: Int) {
    for seed in 0..<6 {
      var generator = SplitMix(seed: UInt64(seed))
      let letters = generator.next() % 6 + 1
      let count = 30_000 + Int(generator.next() % 40_000)
      let text = (0..<count).map { _ in UInt8(97 + generator.next() % letters) }
      let packed = packer.pack(text, as: form, level: Int32(seed + 3))
      #expect(unpacked(packed, [form.coding], pieces: pieces) == text, "\(seed)")
    }
  }
}
#endif
