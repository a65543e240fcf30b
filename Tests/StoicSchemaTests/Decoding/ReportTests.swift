import StoicJSON
import StoicSchema
import Testing

@Suite("Reports")
struct ReportTests {
  private struct Part {
    let a: Int
    let b: Int
    let c: [Int]

    static let schema: Schema<Part> = .object(
      Part.init, unknownKeys: .warn, .field("a", \.a, .int), .field("b", \.b, .int, default: 1),
      .field("c", \.c, .lossyArray(.coercedInt)))
  }

  @Test("Errors, warnings and repairs are in the order of the document, with paths and offsets")
  func order() {
    let text = #"[{"c":[1,"2",{}],"x":0,"a":"?"}, {"b":1,"c":[]}, 7, {"c":null}]"#
    #expect(
      findings(of: .array(Part.schema), in: text) == [
        "repair defaulted $[0].b @1", "repair coerced $[0].c[1] @9", "repair dropped $[0].c[2] @13",
        "warning unknown_key $[0].x @17", "error type $[0].a @27", "error missing $[1].a @33",
        "error type $[2] @49",
        "error missing $[3].a @52", "repair defaulted $[3].b @52", "error null $[3].c @57",
      ])
  }

  @Test("A value that was built has no offsets")
  func built() {
    #expect(Schema.array(.int).decodeReporting(["x"]).errors.map(\.offset) == [nil])
  }

  @Test("The offset of a string is its quote, of escaped keys and byte order marks notwithstanding")
  func offsets() {
    struct Box {
      let key: Int
    }
    let schema: Schema<Box> = .object(Box.init, unknownKeys: .warn, .field("k\u{E9}", \.key, .int))
    #expect(findings(of: schema, in: #" {"k\u00e9" : "x"}"#) == ["error type $[\"ké\"] @14"])
    #expect(
      findings(of: schema, in: "\u{FEFF}{\"kx\":1,\"k\u{E9}\":2}") == [
        "repair byte_order_mark $ @0", "warning unknown_key $.kx @4",
      ])
  }

  @Test(
    "A caller sets how many issues are kept; the totals are exact", arguments: [-1, 0, 1, 2, 5, 100, 5_000])
  func limits(maxIssues: Int) {
    let json = JSON((0..<1_000).map { _ in ["b": "x", "c": ["y"], "z": 1] as JSON })
    let schema = Schema.array(Part.schema)
    let report = schema.decodeReporting(json, maxIssues: maxIssues)
    let whole = schema.decodeReporting(json, maxIssues: .max)
    let kept = max(0, maxIssues)
    #expect(report.errors == Array(whole.errors.prefix(kept)))
    #expect(report.warnings == Array(whole.warnings.prefix(kept)))
    #expect(report.repairs == Array(whole.repairs.prefix(kept)))
    #expect((report.totalErrors, report.totalWarnings, report.totalRepairs) == (2_000, 1_000, 1_000))
    #expect(whole.errors.count == 2_000)
    #expect(throws: ValidationFailure(issues: Array(whole.errors.prefix(kept)), total: 2_000)) {
      try schema.decode(json, maxIssues: maxIssues)
    }
  }

  @Test("Of issues that are found late and belong early the first are kept")
  func lateIssues() {
    let text = #"[{"b":1,"c":5},{"c":6},{"a":"x"}]"#
    let all = [
      "missing $[0].a", "type $[0].c", "missing $[1].a", "type $[1].c", "missing $[2].c", "type $[2].a",
    ]
    for count in 0...6 {
      let report = Schema.array(Part.schema).decodeReporting(Array(text.utf8), maxIssues: count)
      #expect(report.errors.map { "\($0.code) \($0.path)" } == Array(all.prefix(count)))
      #expect(report.totalErrors == 6)
    }
  }

  @Test("A message says what else would have fitted")
  func nullable() {
    #expect(messages(of: .nullable(.string), in: "1") == ["expected string or null, found number"])
    #expect(messages(of: .nullable(.array(.int)), in: "[null]") == ["expected integer, found null"])
    #expect(messages(of: .optional(.nullable(.bool)), in: "1") == ["expected boolean or null, found number"])
    #expect(
      messages(of: Schema<Status?>.nullable(.enumeration), in: "\"x\"")
        == [#"expected "new" or "paid" or null, found another string"#])
  }

  @Test("Nothing that is said holds a value of the document")
  func privacy() {
    struct Everything {
      let shape: Shape
      let loose: Loose
      let texts: [String]
      let number: Int
      let folder: Folder
    }
    let schema: Schema<Everything> = .object(
      Everything.init, unknownKeys: .warn, .field("shape", \.shape, Shape.schema),
      .field("loose", \.loose, Loose.schema),
      .field("texts", \.texts, .lossyArray(.string(matching: "[a-z]+"))),
      .field("number", \.number, .int.in(1...9)),
      .field("folder", \.folder, Folder.schema))
    let text = """
      {"shape":{"type":"HUNTER2"},"loose":{"id":"HUNTER2"},"texts":["HUNTER2",77177],"number":77177,
      "folder":{"name":77177,"folders":["HUNTER2"]}}
      """
    let report = schema.decodeReporting(Array(text.utf8))
    #expect(report.totalErrors == 5)
    var dumped = ""
    dump(report, to: &dumped)
    for text in [dumped, "\(report)"] + report.issues.map(\.message) {
      #expect(!text.contains("HUNTER2") && !text.contains("77177"))
    }
  }

  @Test("What is wrong with a value as a whole comes before what is said of its parts")
  func wholeFirst() {
    let note = Schema<Note>.object(
      Note.init, unknownKeys: .warn, .field("id", \.id, .int, default: 7), .optional("note", \.note, .string))
    let schema = Schema.array(note.refine("an id beyond 7") { $0.id > 7 })
    #expect(
      findings(of: schema, in: #"[{"x":1,"id":8},{"x":1,"y":2}]"#) == [
        "warning unknown_key $[0].x @2", "error refinement $[1] @16", "repair defaulted $[1].id @16",
        "warning unknown_key $[1].x @17", "warning unknown_key $[1].y @23",
      ])
    let lists: Schema<[String: [Int]]> = .dictionary(.lossyArray(.int))
    #expect(
      findings(of: lists, in: "{\"\u{E9}\":[true],\"e\u{301}\":[1,true]}") == [
        "repair dropped $[\"\u{E9}\"][0] @7", "error equivalent_keys $[\"e\u{301}\"] @13",
        "repair dropped $[\"e\u{301}\"][1] @22",
      ])
    let counted = Schema<[Int]>.array(Schema.int.fallback(to: 0), count: 3...)
      .map(expecting: "nothing", { _ in Int?.none }, back: { _ in [] })
    #expect(findings(of: counted, in: "[true,1]") == ["error length $ @0", "repair fallback $[0] @1"])
    #expect(
      findings(of: counted, in: "[true,1,2]") == ["error refinement $ @0", "repair fallback $[0] @1"])
  }
}
