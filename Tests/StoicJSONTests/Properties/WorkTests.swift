import StoicJSON
import Testing

/// Steps are counted, so these tests mean the same on a slow machine.
@Suite("Reading is linear: the steps for twice the input are twice as many")
struct WorkTests {
  static let inputs: [(String, @Sendable (Int) -> String)] = [
    ("a long string", { "\"" + String(repeating: "a", count: $0) + "\"" }),
    ("a long string beyond ASCII", { "\"" + String(repeating: "é€😀", count: $0) + "\"" }),
    ("a string of escapes", { "\"" + String(repeating: "\\u0041\\n", count: $0) + "\"" }),
    ("a long number", { String(repeating: "9", count: $0) }),
    (
      "a long fraction",
      { "0." + String(repeating: "3", count: $0) + "e-" + String(repeating: "1", count: $0) }
    ),
    ("a wide array", { "[" + String(repeating: "0,", count: $0) + "0]" }),
    ("a wide array of arrays", { "[" + String(repeating: "[0],", count: $0) + "0]" }),
    ("much white space", { String(repeating: " \n", count: $0) + "0" }),
    ("a wide object", { object((0..<$0).map { "k\($0)" }) }),
    (
      "a wide object of keys with the same ends",
      { object((0..<$0).map { "prefixes\($0 + 1_000_000)suffixes" }) }
    ),
    (
      "a wide object of keys that differ in length",
      { object((0..<min($0, 800)).map { String(repeating: "x", count: $0) }) }
    ),
    ("a wide object of keys with escapes", { object((0..<$0).map { "\\u0041\($0)" }) }),
    (
      "many small objects with the same ends",
      { count in
        let one = object((10..<26).map { "prefixes\($0)suffixes" })
        return "[" + [String](repeating: one, count: count / 16 + 1).joined(separator: ",") + "]"
      }
    ),
    ("a wide object with its first key again at the end", { object((0..<$0).map { "k\($0)" } + ["k0"]) }),
    ("many brackets", { String(repeating: "[", count: $0) }),
    (
      "nested objects",
      { count in
        String(repeating: #"{"a":"#, count: min(count, 512)) + "0"
          + String(repeating: "}", count: min(count, 512))
      }
    ),
  ]

  private static func object(_ keys: [String]) -> String {
    "{" + keys.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
  }

  @Test("Steps grow no faster than the text", arguments: inputs.indices)
  func linear(index: Int) {
    let (name, make) = Self.inputs[index]
    for count in [100, 1_000, 10_000] {
      let small = Array(make(count).utf8)
      let large = Array(make(2 * count).utf8)
      let work = JSON.parsingWork(small)
      let doubled = JSON.parsingWork(large)
      // Tables come in powers of two, so a step up may cost a little more than its share.
      let share = (doubled - 100) * small.count
      #expect(2 * share <= 3 * work * large.count, "\(name): \(work) steps, then \(doubled)")
      #expect(doubled <= 6 * large.count + 100, "\(name): \(doubled) steps for \(large.count) bytes")
    }
  }

  @Test("Merging duplicate keys is linear too")
  func duplicates() {
    let keys = (0..<10_000).map { "k\($0 % 100)" }
    let text = Array(Self.object(keys).utf8)
    #expect(JSON.parsingWork(text, .duplicateKeys) <= 6 * text.count)
  }
}
