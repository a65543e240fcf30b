import StoicJSON
import Testing

@Suite("Objects that are read")
struct ObjectParsingTests {
  @Test("Members keep their order")
  func order() throws {
    let value = try JSON(parsing: #"{"z":1,"a":2,"m":{"y":3,"b":4}}"#)
    #expect(value.object?.keys == ["z", "a", "m"])
    #expect(value["m"]?.object?.map(\.key) == ["y", "b"])
    #expect(value.description == #"{"z":1,"a":2,"m":{"y":3,"b":4}}"#)
  }

  @Test(
    "A duplicate key is refused at its second place, however it is escaped",
    arguments: [
      (#"{"a":1,"a":2}"#, 7, "/a"), (#"{"a":1,"\u0061":2}"#, 7, "/a"), (#"{"\u00e9":1,"é":2}"#, 12, "/é"),
      (#"[{"":1,"b":0,"":1}]"#, 13, "/0/"), (#"{"x":{"a/b":1,"a/b":1}}"#, 14, "/x/a~1b"),
    ])
  func duplicates(text: String, offset: Int, pointer: String) {
    let error = parsingError(text)
    #expect(error?.reason == .duplicateKey)
    #expect(error?.offset == offset)
    #expect(error?.pointer == pointer)
  }

  @Test("A duplicate is found among few and among many keys", arguments: [2, 8, 9, 10, 1000])
  func duplicateAmongMany(count: Int) {
    for repeated in [0, count / 2, count - 1] {
      let members = (0..<count).map { "\"k\($0)\":0" } + ["\"k\(repeated)\":1"]
      #expect(parsingError("{" + members.joined(separator: ",") + "}")?.reason == .duplicateKey)
    }
  }

  @Test(
    "Of a duplicate key and another mistake the first is reported, whichever object is still open",
    arguments: [
      (#"{"a":1,"a":x}"#, .duplicateKey, 7), (#"{"a":1,"a":{"b":1,"b":2}}"#, .duplicateKey, 7),
      (#"{"a":{"b":1,"b":2},"a":1}"#, .duplicateKey, 12), (#"{"a":1,"a""#, .duplicateKey, 7),
      (#"[{"a":1,"b":[{"a":1,"a":[tru"#, .duplicateKey, 20), (#"{"a":x,"a":1}"#, .expectedValue, 5),
      (#"{"a":1,"a\q":1}"#, .invalidEscape, 9),
    ] as [(String, JSONError.Reason, Int)])
  func firstMistake(text: String, reason: JSONError.Reason, offset: Int) {
    #expect(parsingError(text)?.reason == reason)
    #expect(parsingError(text)?.offset == offset)
  }

  @Test(
    "Members beyond the scan are found by their hash, whatever their keys look like",
    arguments: [16, 17, 300])
  func wideObject(count: Int) throws {
    let keys = (0..<count).map { "prefixes\($0 + 1000)suffixes" }
    let text = "{" + keys.enumerated().map { "\"\($1)\":[\($0)]" }.joined(separator: ",") + "}"
    let value = try JSON(parsing: text)
    for (index, key) in keys.enumerated() {
      #expect(value[key]?[0]?.int == index)
      #expect(value.object?[index].key == key)
    }
    #expect(value["prefixes999suffixes"] == nil)
    #expect(value.description == text)
  }

  @Test(
    "A duplicate key is accepted on request: the last value counts, in the first place",
    arguments: [
      (#"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#), (#"{"a":1,"\u0061":{"a":2,"a":[]}}"#, #"{"a":{"a":[]}}"#),
      (#"{"a":1,"a":2,"a":3,"c":4}"#, #"{"a":3,"c":4}"#),
    ])
  func allowedDuplicates(text: String, expected: String) throws {
    #expect(try JSON(parsing: text, allowing: .duplicateKeys).description == expected)
  }

  @Test("An error inside a repeated member points at it")
  func errorInRepeatedMember() {
    let text = #"{"a":1,"b":2,"a":[x]}"#
    #expect(parsingError(Array(text.utf8), allowing: .duplicateKeys)?.pointer == "/a/0")
  }

  @Test("The same key in different objects is no duplicate")
  func sameKeyElsewhere() throws {
    #expect(try JSON(parsing: #"{"a":{"a":1},"b":{"a":[{"a":2}]}}"#)["b"]?["a"]?[0]?["a"] == 2)
  }

  @Test("JS-10: Keys that Swift's strings call equal are two keys")
  func canonicalEquivalence() throws {
    let value = try JSON(parsing: #"{"caf\u00e9": 1, "cafe\u0301": 2, "K": 3, "\u212A": 4}"#)
    #expect(value.object?.count == 4)
    #expect(value["caf\u{E9}"]?.int == 1)
    #expect(value["cafe\u{301}"]?.int == 2)
    #expect(value["K"]?.int == 3)
    #expect(value["\u{212A}"]?.int == 4)
  }

  @Test("JS-14: NUL and empty keys are kept exactly")
  func nulAndEmpty() throws {
    let value = try JSON(parsing: #"{"":1,"\u0000":2,"a\u0000b":3}"#)
    #expect(value.object?.keys == ["", "\u{0}", "a\u{0}b"])
    #expect([value[""]?.int, value["\u{0}"]?.int, value["a\u{0}b"]?.int, value["a"]?.int] == [1, 2, 3, nil])
  }
}
