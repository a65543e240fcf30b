import Stoic
import StoicJSON
import Testing

@Suite("Properties of reading and writing")
struct RoundTripTests {
  @Test("What is written reads back as the same value, in every form", arguments: 0..<20 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    for _ in 0..<60 {
      let value = generator.value(levels: 4)
      for options in [[], .pretty, .sortedKeys, [.pretty, .sortedKeys]] as [JSON.WritingOptions] {
        let text = try value.serialized(options)
        let again = try JSON(parsing: text)
        #expect(again == value)
        #expect(again.hashValue == value.hashValue)
        #expect(try again.serialized(options) == text)
      }
    }
  }

  @Test(
    "The slow reference understands what is written in the same way", arguments: 100..<110 as Range<UInt64>)
  func reference(seed: UInt64) throws {
    var generator = SplitMix(seed: seed)
    for _ in 0..<40 {
      let text = try generator.value(levels: 4).serialized(.pretty)
      let reference = try #require(Reference(text))
      #expect(reference.agrees(with: try JSON(parsing: text)))
    }
  }

  @Test("Every part of a read value is reached by index, by key and by pointer alike")
  func navigation() throws {
    var generator = SplitMix(seed: 7)
    for _ in 0..<200 {
      let built = generator.value(levels: 4)
      let read = try JSON(parsing: built.serialized())
      if let array = read.array {
        for (index, element) in array.enumerated() {
          #expect(read[index] == element && read[pointer: "/\(index)"] == element)
        }
      }
      guard let object = read.object else { continue }
      for (index, member) in object.enumerated() {
        #expect(object[index].key == member.key && object[index].value == member.value)
        #expect(read[member.key] == member.value && built[member.key] == member.value)
        #expect(read[pointer: JSON.Pointer([member.key])] == member.value)
      }
    }
  }

  static let corpus = [
    #"{"id":1,"name":"Ada","tags":["a","b\n"],"score":-12.5e-3,"none":null,"ok":true,"no":false}"#,
    #"["\u00e9\ud83d\ude00\"\\\/\b\f\n\r\t","é€😀","",0,-0,1E+2,0.10]"#,
    " { \"a\" : [ [ ] , { } , [ [ 1 , 2 ] , { \"b\" : { } } ] ] ,\r\n\t\"c\" : \"\u{7FF}\u{FFFF}\u{10FFFF}\" } ",
    "[" + (0..<20).map { "{\"k\($0)\":[\($0)]}" }.joined(separator: ",") + "]",
    "{" + (0..<20).map { "\"key\($0)\":\($0)" }.joined(separator: ",") + "}",
    "\u{FEFF}\"x\"", "123456789012345678901234567890.125e-7",
  ]

  @Test("Every beginning of a text is judged as the reference judges it, in bounded work", arguments: corpus)
  func truncations(text: String) {
    let bytes = Array(text.utf8)
    for length in 0..<bytes.count {
      check(Array(bytes[..<length]))
    }
  }

  @Test("Every change of one byte is judged as the reference judges it, in bounded work", arguments: corpus)
  func corruptions(text: String) {
    let bytes = Array(text.utf8)
    // Optimised code tries every byte, the other those that mean something.
    #if DEBUG
    let replacements: [UInt8] = [
      0x00, 0x1F, 0x20, 0x22, 0x2C, 0x2D, 0x2E, 0x30, 0x39, 0x3A, 0x5B, 0x5C, 0x5D, 0x65, 0x75, 0x7B, 0x7D,
      0x7F, 0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xF0, 0xF4, 0xFF,
    ]
    #else
    let replacements = UInt8.min...(.max)
    #endif
    for position in bytes.indices {
      for replacement in replacements {
        var changed = bytes
        changed[position] = replacement
        check(changed)
      }
    }
  }

  @Test("Every byte missing or twice is judged as the reference judges it", arguments: corpus)
  func insertions(text: String) {
    let bytes = Array(text.utf8)
    for position in bytes.indices {
      check(Array(bytes[..<position] + bytes[(position + 1)...]))
      check(Array(bytes[...position] + bytes[position...]))
    }
  }

  private func check(_ bytes: [UInt8]) {
    let value = try? JSON(parsing: bytes)
    let isRight = Reference(bytes).map { reference in value.map(reference.agrees) ?? false } ?? (value == nil)
    #expect(isRight, "\(bytes)")
    #expect(JSON.parsingWork(bytes) <= 40 + 8 * bytes.count)
  }
}
