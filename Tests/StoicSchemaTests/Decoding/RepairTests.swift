import StoicJSON
import StoicSchema
import Testing

@Suite("Repairs and warnings")
struct RepairTests {
  struct Settings: Equatable {
    let size: Int
    let tags: [String]

    static let schema: Schema<Settings> = .object(
      Settings.init, .field("size", \.size, .int, default: 10), .field("tags", \.tags, .lossyArray(.string)))
  }

  @Test("A default takes the place of a missing member and not of a null one")
  func defaults() throws {
    #expect(value(of: Settings.schema, in: #"{"tags":[]}"#) == Settings(size: 10, tags: []))
    #expect(findings(of: Settings.schema, in: #" {"tags":[]}"#) == ["repair defaulted $.size @1"])
    #expect(findings(of: Settings.schema, in: #"{"tags":[],"size":null}"#) == ["error null $.size @18"])
    #expect(Settings.schema.encode(Settings(size: 10, tags: [])).description == #"{"size":10,"tags":[]}"#)
  }

  @Test("A lossy array leaves out what does not fit, and lists it")
  func lossyArray() {
    let text = #"{"size":1,"tags":["a",2,"b",null,["hunter2"]]}"#
    #expect(value(of: Settings.schema, in: text)?.tags == ["a", "b"])
    #expect(
      findings(of: Settings.schema, in: text)
        == ["repair dropped $.tags[1] @22", "repair dropped $.tags[3] @28", "repair dropped $.tags[4] @33"])
    let report = Settings.schema.decodeReporting(Array(text.utf8))
    #expect(report.repairs.first?.message == "left out: expected string, found number")
    #expect(issues(of: Schema.lossyArray(.int), in: "{}") == ["type $"])
    let nested = Schema<[Note]>.lossyArray(Note.schema).decodeReporting([["id": "hunter2"]])
    #expect(nested.repairs.map(\.message) == ["left out: expected integer, found string at $.id"])
  }

  @Test("A lossy dictionary leaves out what does not fit, and lists it")
  func lossyDictionary() {
    let schema: Schema<[String: Int]> = .lossyDictionary(.int)
    #expect(value(of: schema, in: #"{"a":1,"b":"x"}"#) == ["a": 1])
    #expect(findings(of: schema, in: #"{"a":1,"b":"x"}"#) == ["repair dropped $.b @11"])
    #expect(value(of: schema, in: "{\"\u{E9}\":1,\"e\u{301}\":2}") == ["\u{E9}": 1])
    #expect(
      findings(of: schema, in: "{\"\u{E9}\":1,\"e\u{301}\":2}") == [
        "repair dropped $[\"e\u{301}\"] @8"
      ])
  }

  @Test("A fallback takes the place of what does not fit")
  func fallback() {
    let schema: Schema<[Int]> = .array(Schema.int.fallback(to: -1))
    #expect(value(of: schema, in: #"[1,"x",{}]"#) == [1, -1, -1])
    #expect(findings(of: schema, in: #"[1,"x"]"#) == ["repair fallback $[1] @3"])
    #expect(
      schema.decodeReporting(["x"]).repairs.first?.message
        == "expected integer, found string; a substitute is used")
    struct Box {
      let x: Int
    }
    let box: Schema<Box> = .object(Box.init, .field("x", \.x, Schema.int.fallback(to: -1)))
    #expect(issues(of: box, in: "{}") == ["missing $.x"])
  }

  @Test("An unknown case can have a substitute")
  func unknownCase() {
    let schema = Schema<Status>.enumeration(unknownCase: .new)
    #expect(value(of: schema, in: #""refunded""#) == .new)
    #expect(findings(of: schema, in: #""refunded""#) == ["repair fallback $ @0"])
    #expect(issues(of: schema, in: "1") == ["type $"])
    #expect(value(of: schema, in: #""paid""#) == .paid)
  }

  enum Level: Int, CaseIterable {
    case low = 1
    case high = 2
  }

  @Test("An enumeration can be one of integers")
  func integerCases() {
    #expect(value(of: Schema<Level>.enumeration, in: "2.0") == .high)
    #expect(messages(of: Schema<Level>.enumeration, in: "7") == ["expected 1 or 2, found another integer"])
    #expect(issues(of: Schema<Level>.enumeration, in: "\"1\"") == ["type $"])
    #expect(Schema<Level>.enumeration.encode(.high) == 2)
  }

  @Test("An unknown integer can have a substitute")
  func unknownInteger() {
    let schema = Schema<Level>.enumeration(unknownCase: .low)
    #expect(value(of: schema, in: "2") == .high)
    #expect(value(of: schema, in: "7") == .low)
    #expect(findings(of: schema, in: "7") == ["repair fallback $ @0"])
    #expect(findings(of: schema, in: "2").isEmpty)
    #expect(issues(of: schema, in: "1.5") == ["number $"])
    #expect(issues(of: schema, in: "9223372036854775808") == ["number $"])
    #expect(issues(of: schema, in: #""7""#) == ["type $"])
  }

  enum Accent: String, CaseIterable {
    case composed = "\u{E9}"
    case decomposed = "e\u{301}"
  }

  enum Few: Int, CaseIterable {
    case one = 1
    case two = 2

    static var allCases: [Few] { [.one] }
  }

  enum Nobody: String, CaseIterable {
    case hidden

    static var allCases: [Nobody] { [] }
  }

  @Test("The cases of an enumeration are those that it lists, told apart by their bytes")
  func oddCases() {
    #expect(value(of: Schema<Accent>.enumeration, in: "\"\u{E9}\"") == .composed)
    #expect(value(of: Schema<Accent>.enumeration, in: "\"e\u{301}\"") == .decomposed)
    #expect(issues(of: Schema<Few>.enumeration, in: "2") == ["unknown_case $"])
    #expect(issues(of: Schema<Nobody>.enumeration, in: #""hidden""#) == ["unknown_case $"])
    #expect(
      messages(of: Schema<Nobody>.enumeration, in: #""x""#) == ["expected nothing, found another string"])
  }

  @Test(
    "Coercions are made on request and listed",
    arguments: [
      ("\"42\"", 42), ("42", 42), ("\"-7\"", -7), ("\"042\"", nil), ("\"1.0\"", nil), ("\"1e2\"", nil),
      ("\" 1\"", nil),
      ("\"1234567890123456789\"", nil), ("true", nil), ("\"\"", nil),
    ] as [(String, Int?)])
  func integers(text: String, expected: Int?) {
    #expect(value(of: .coercedInt, in: text) == expected)
    let isCoerced = expected != nil && text.hasPrefix("\"")
    #expect(findings(of: .coercedInt, in: text).contains("repair coerced $ @0") == isCoerced)
  }

  @Test("Numbers, truth values and strings can be coerced")
  func coercions() {
    #expect(value(of: .coercedDouble, in: "\"1.5\"") == 1.5)
    #expect(value(of: .coercedDouble, in: "\"1e5\"") == nil)
    #expect(value(of: .coercedBool, in: "\"true\"") == true)
    #expect(value(of: .coercedBool, in: "0") == false)
    #expect(value(of: .coercedBool, in: "1.0") == true)
    #expect(value(of: .coercedBool, in: "2") == nil)
    #expect(value(of: .coercedBool, in: "\"yes\"") == nil)
    #expect(value(of: .coercedBool, in: "\"1\"") == nil)
    #expect(value(of: .coercedString, in: "1.50") == "1.50")
    #expect(value(of: .coercedString, in: "true") == "true")
    #expect(messages(of: .coercedString, in: "[]") == ["expected string, found array"])
    #expect(Schema.coercedInt.decodeReporting("42").repairs.map(\.message) == ["read string as integer"])
  }

  struct Profile: Equatable {
    let name: Patch<String>
    let age: Patch<Int>

    static let schema: Schema<Profile> = .object(
      Profile.init, .patch("name", \.name, .string), .patch("age", \.age, .int))
  }

  @Test(
    "A patch tells missing, null and a value apart, both ways",
    arguments: [
      ("{}", .keep, .keep), (#"{"name":null}"#, .clear, .keep),
      (#"{"name":"x","age":3}"#, .set("x"), .set(3)),
    ] as [(String, Patch<String>, Patch<Int>)])
  func patch(text: String, name: Patch<String>, age: Patch<Int>) {
    #expect(value(of: Profile.schema, in: text) == Profile(name: name, age: age))
    #expect(Profile.schema.encode(Profile(name: name, age: age)).description == text)
    #expect(messages(of: Profile.schema, in: #"{"age":"x"}"#) == ["expected integer or null, found string"])
  }

  private static func user(_ policy: UnknownKeys) -> Schema<User> {
    .object(
      User.init, unknownKeys: policy,
      .field("id", \.id, .int), .field("name", \.name, .string), .field("tags", \.tags, .array(.string)),
      .optional("nick", \.nick, .string))
  }

  @Test("An unknown key is nothing, a warning or an error, and the nearest name is told")
  func unknownKeys() throws {
    let text = #"{"id":1,"naem":"x","name":"x","tags":[],"elsewhere":1,"tag":[],"Nick":2}"#
    #expect(findings(of: Self.user(.ignore), in: text).isEmpty)
    let warned = Self.user(.warn).decodeReporting(Array(text.utf8))
    #expect(warned.value != nil)
    #expect(
      warned.warnings.map(\.description) == [
        #"$.naem: expected no such key; the nearest known one is "name""#,
        "$.elsewhere: expected no such key",
        #"$.tag: expected no such key; the nearest known one is "tags""#,
        #"$.Nick: expected no such key; the nearest known one is "nick""#,
      ])
    #expect(warned.warnings.map(\.offset) == [8, 40, 54, 63])
    #expect(warned.totalWarnings == 4)
    #expect(issues(of: Self.user(.refuse), in: text).count == 4)
  }

  @Test(
    "The nearest name is the first of those with the fewest edits, and short names allow one",
    arguments: [
      ("ax", "aa"), ("axe", nil), ("ba", "aa"), ("a", "aa"), ("xy", nil), ("lonq_naemx", nil),
      ("long_naem", "long_name"), ("lnog_nmae", "long_name"), ("logn_name", "long_name"),
      (String(repeating: "k", count: 64), "kkkkkkkkkkkkkkkk…kkkkkkkkkkkkkkkk"),
      (String(repeating: "k", count: 65), nil), (String(repeating: "k", count: 60), nil), ("", nil),
    ] as [(String, String?)])
  func nearest(key: String, name: String?) {
    let long = String(repeating: "k", count: 63)
    struct Four {
      let first, second, third, fourth: Int?
    }
    let schema: Schema<Four> = .object(
      Four.init, unknownKeys: .warn, .optional("aa", \.first, .int), .optional("ab", \.second, .int),
      .optional("long_name", \.third, .int), .optional(long, \.fourth, .int))
    let message = schema.decodeReporting(JSON([(key: key, value: JSON(1))])).warnings.map(\.message)
    let told = name.map { "; the nearest known one is \"\($0)\"" } ?? ""
    #expect(message == ["expected no such key\(told)"])
  }

  @Test("Looking for the nearest name is bounded, whatever the keys")
  func hostileKeys() {
    let members = (0..<50_000).map { (key: String(repeating: "n", count: $0 % 70) + "\($0)", value: JSON(1)) }
    let report = Self.user(.refuse).decodeReporting(
      JSON(members + [(String(repeating: "x", count: 1_000_000), 1)]))
    #expect(report.totalErrors == 50_004)
    #expect(report.errors.count == 100)
  }
}
