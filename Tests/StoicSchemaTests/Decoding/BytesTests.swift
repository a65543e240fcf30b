import StoicJSON
import StoicSchema
import Testing

@Suite("Decoding text")
struct BytesTests {
  @Test("A syntax error is one issue with its code, path and offset, and no word of the text")
  func syntax() throws {
    let failure = try #require(validationFailure(of: User.schema, in: "{\"tags\": [\"a\",\n hunter2]}"))
    #expect(failure.issues.map(\.code) == [.syntax])
    #expect(failure.issues.map(\.offset) == [16])
    #expect(failure.issues.map(\.path.description) == ["$.tags[1]"])
    #expect(failure.issues.map(\.message) == ["expected a value at line 2, column 2"])
    #expect(failure.total == 1)
  }

  @Test("SC-09: An empty text does not fit an object")
  func empty() {
    #expect(issues(of: User.schema, in: "") == ["syntax $"])
    #expect(issues(of: Schema.json, in: " ") == ["syntax $"])
  }

  @Test(
    "What the parser refuses is a syntax issue",
    arguments: [#"{"id":1,"id":1}"#, #"["\uD800"]"#, String(repeating: "[", count: 600), "[1,]"])
  func refused(text: String) {
    #expect(validationFailure(of: Schema.json, in: text)?.issues.map(\.code) == [.syntax])
  }

  @Test("SC-09: A byte order mark is a repair, and the value is there")
  func byteOrderMark() throws {
    let bytes = [0xEF, 0xBB, 0xBF] + Array(#"{"id":1}"#.utf8)
    let report = Note.schema.decodeReporting(bytes)
    #expect(report.value == Note(id: 1, note: nil))
    #expect(report.repairs.map(\.code) == [.byteOrderMark])
    #expect(report.repairs.map(\.severity) == [.repair])
    #expect(report.totalRepairs == 1)
    #expect(report.errors.isEmpty && report.warnings.isEmpty && report.totalErrors == 0)
    #expect(try Note.schema.decode(bytes) == Note(id: 1, note: nil))
  }

  @Test("A failure holds errors only, the report the repairs as well")
  func repairAndError() {
    let bytes = [0xEF, 0xBB, 0xBF] + Array("{}".utf8)
    let report = Note.schema.decodeReporting(bytes)
    #expect(report.value == nil)
    #expect(report.errors.map(\.code) == [.missing])
    #expect(report.repairs.count == 1)
    #expect(validationFailure(of: Note.schema, in: "\u{FEFF}{}")?.issues.map(\.code) == [.missing])
    #expect(validationFailure(of: Note.schema, in: "\u{FEFF}{}")?.total == 1)
  }

  @Test("A report without issues holds the value and nothing else")
  func clean() {
    let report = Note.schema.decodeReporting(["id": 1, "note": "x"])
    #expect(report.value == Note(id: 1, note: "x"))
    #expect(report.errors.isEmpty && report.warnings.isEmpty && report.repairs.isEmpty)
    #expect(report == Note.schema.decodeReporting(Array(#"{"id":1,"note":"x"}"#.utf8)))
  }
}
