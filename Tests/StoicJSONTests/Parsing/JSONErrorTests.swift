import StoicJSON
import Testing

@Suite("Errors of reading")
struct JSONErrorTests {
  @Test(
    "Line and column are counted from 1, in scalars, and lines end with a line feed",
    arguments: [
      ("x", 1, 1), ("\nx", 2, 1), ("[1,\n  2,\n  x]", 3, 3), ("[\r\n x]", 2, 2), ("[\"é😀\" x]", 1, 7),
      ("\u{FEFF}x", 1, 1), ("\u{FEFF}\n x", 2, 2), ("[\n", 2, 1),
    ])
  func position(text: String, line: Int, column: Int) {
    let error = parsingError(text)
    #expect(error?.line == line)
    #expect(error?.column == column)
  }

  @Test(
    "The pointer names the innermost value that had begun",
    arguments: [
      ("x", ""), ("[1,x]", "/1"), ("[1 x]", ""), ("[[0,[x", "/0/1/0"), (#"{"a":x}"#, "/a"),
      (#"{"a":1,x}"#, ""),
      (#"{"a":[{"b":1},{"c":x}]}"#, "/a/1/c"), (#"{"a~b/c":[x]}"#, "/a~0b~1c/0"), (#"{"a":[1,2}"#, "/a"),
      (#"{"a" 1}"#, "/a"), ("[[]x]", ""), ("[] x", ""),
    ])
  func pointer(text: String, pointer: String) {
    #expect(parsingError(text)?.pointer == pointer)
  }

  @Test("The description holds reason and place, and no other word of the text")
  func description() {
    let error = parsingError("{\"user\":\n  {\"password\": \"hunter2\", \"n\": hunter3}}")
    #expect(error?.description == "expected a value at line 2, column 32 (offset 40), in /user/n")
  }

  @Test("A hostile key in the pointer is escaped and shortened")
  func hostileKey() throws {
    let key = "a\\n\\u202E\\\"…" + String(repeating: "b", count: 100_000)
    let error = try #require(parsingError("{\"\(key)\": x}"))
    #expect(error.pointer.utf8.count > 100_000)
    let halves = [
      #"a\u000a\u202e\"\u2026"#, String(repeating: "b", count: 54), "…", String(repeating: "b", count: 60),
    ]
    #expect(error.description.hasSuffix(", in /" + halves.joined()))
    #expect(!error.description.contains("\n"))
  }

  @Test(
    "A number that goes wrong after it has been read is the value that is blamed",
    arguments: [
      ("[1.2.3]", "/0"), ("[0,1.2.3]", "/1"), (#"{"a":1.2.3}"#, "/a"), (#"{"a":[0],"b":1.2.3}"#, "/b"),
      ("1.2.3", ""),
    ])
  func numberPointer(text: String, pointer: String) throws {
    let error = try #require(throws: JSONError.self) { try JSON(parsing: text) }
    #expect(error.reason == .invalidNumber && error.pointer == pointer)
  }

  @Test("Errors at keys that differ in their bytes differ, and no dump shows a key as it came")
  func keys() throws {
    let errors = try ["{\"\u{e9}\" :x}", "{\"e\u{301}\":x}"].map { text in
      try #require(throws: JSONError.self) { try JSON(parsing: text) }
    }
    #expect(errors[0].offset == errors[1].offset && errors[0] != errors[1])
    #expect(Set(errors).count == 2)
    let hostile = try #require(throws: JSONError.self) { try JSON(parsing: "{\"a\u{2028}b\":x}") }
    var dumped = ""
    dump(hostile, to: &dumped)
    #expect(!dumped.contains("\u{2028}"))
  }

  @Test("Every reason has a text and a stable raw value")
  func reasons() {
    #expect(JSONError.Reason(rawValue: "duplicate_key") == .duplicateKey)
    #expect(JSONError.Reason.tooDeep.description == "nested deeper than 512 levels")
  }
}
