import Stoic
import StoicJSON
import Testing

@Suite("UTF-8 in strings, judged as the standard library judges it")
struct UTF8Tests {
  @Test("Every pair of bytes of which the first is not ASCII", arguments: [0, 6, 7])
  func pairs(offset: Int) {
    for first in 0x80...0xFF as ClosedRange<UInt8> {
      for second in 0x20...0xFF as ClosedRange<UInt8> where second != 0x22 && second != 0x5C {
        check([first, second], after: offset)
      }
    }
  }

  private static let tails: [[UInt8]] = [
    [], [0x80], [0xBF], [0x80, 0x80], [0xBF, 0xBF], [0x80, 0x7F], [0x80, 0x80, 0x80],
  ]

  @Test("Sequences at the borders of what is allowed, at every place in a word", arguments: 0..<17)
  func borders(offset: Int) {
    for lead in [0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5] as [UInt8] {
      for second in [0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0] as [UInt8] {
        for tail in Self.tails {
          check([lead, second] + tail, after: offset)
        }
      }
    }
  }

  @Test("Valid text with one byte changed")
  func changed() {
    var generator = SplitMix(seed: 8)
    for _ in 0..<10_000 {
      var bytes = Array(generator.string().utf8).filter { $0 > 0x1F && $0 != 0x22 && $0 != 0x5C }
      guard let position = bytes.indices.randomElement(using: &generator) else { continue }
      bytes[position] = UInt8.random(in: 0x80...0xFF, using: &generator)
      check(bytes, after: 0)
    }
  }

  private func check(_ sequence: [UInt8], after offset: Int) {
    let content = [UInt8](repeating: 0x61, count: offset) + sequence
    let string = try? JSON(parsing: [0x22] + content + [0x22]).string
    if string != String(validating: content, as: UTF8.self) { Issue.record("\(content)") }
  }
}
