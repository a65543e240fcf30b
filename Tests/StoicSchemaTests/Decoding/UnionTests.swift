import StoicJSON
import StoicSchema
import Testing

@Suite("Unions")
struct UnionTests {
  @Test("A tag chooses the case, and is written first")
  func discriminated() throws {
    let circle = Shape.circle(.init(radius: 1.5))
    #expect(value(of: Shape.schema, in: #"{"radius":1.5,"type":"circle"}"#) == circle)
    #expect(Shape.schema.encode(circle).description == #"{"type":"circle","radius":1.5}"#)
    let many = Shape.many([.square(.init(side: 2)), circle, .many([])])
    #expect(try Shape.schema.decode(Shape.schema.encode(many)) == many)
  }

  @Test("A payload that is no object is written as it is, and nothing decodes it")
  func noObject() {
    let schema: Schema<Int> = .discriminated("t", [.variant("a", .int, { $0 }, unwrap: { $0 })])
    #expect(schema.encode(7) == 7)
    #expect(issues(of: schema, in: "7") == ["type $"])
    #expect(issues(of: schema, in: #"{"t":"a"}"#) == ["type $"])
  }

  @Test(
    "Only the issues of the case that the tag names are listed",
    arguments: [
      (#"{"type":"circle"}"#, ["missing $.radius"]),
      (#"{"type":"circle","radius":"x","side":1}"#, ["type $.radius", "unknown_key $.side"]),
      (#"{"type":"square","radius":"x"}"#, ["missing $.side"]),
      (#"{"type":"hexagon"}"#, ["unknown_case $.type"]),
      (#"{"type":7}"#, ["type $.type"]), (#"{"type":null}"#, ["null $.type"]), ("{}", ["missing $.type"]),
      ("[]", ["type $"]),
      (
        #"{"type":"many","shapes":[{"type":"square","side":1},{"type":"x"}]}"#,
        ["unknown_case $.shapes[1].type"]
      ),
    ] as [(String, [String])])
  func issuesOfOneCase(text: String, expected: [String]) {
    #expect(issues(of: Shape.schema, in: text) == expected)
  }

  @Test("The message of an unknown tag names the known ones")
  func unknownTag() {
    #expect(
      messages(of: Shape.schema, in: #"{"type":"hunter2"}"#)
        == [#"expected "circle" or "square" or "many", found another string"#])
  }

  @Test("A union within a case of another union knows both tags")
  func nestedTags() {
    let inner: Schema<Shape> = .discriminated("kind", [Shape.variants[0]])
    let outer: Schema<Shape> = .discriminated(
      "group", [.variant("flat", inner, { $0 }, unwrap: { $0 })])
    let text = #"{"group":"flat","kind":"circle","radius":1}"#
    #expect(value(of: outer, in: text) == .circle(.init(radius: 1)))
    #expect(outer.encode(.circle(.init(radius: 1))).description == text)
  }

  @Test("The first alternative that fits counts")
  func oneOf() throws {
    let list = Loose.list([.number(1), .text("x"), .list([.note(Note(id: 1, note: nil))])])
    #expect(value(of: Loose.schema, in: #"[1,"x",[{"id":1}]]"#) == list)
    #expect(try Loose.schema.decode(Loose.schema.encode(list)) == list)
  }

  @Test(
    "When no alternative fits, the issues are those of the one that got furthest",
    arguments: [
      ("true", ["type $"]), (#"{"id":"x"}"#, ["type $.id"]), ("{}", ["missing $.id"]),
      (#"[1,{"id":1,"note":2}]"#, ["type $[1].note"]), ("[1,true]", ["type $[1]"]), ("1.5", ["number $"]),
      ("null", ["null $"]),
    ] as [(String, [String])])
  func furthest(text: String, expected: [String]) {
    #expect(issues(of: Loose.schema, in: text) == expected)
  }

  @Test(
    "A tag that is missing or wrong lies deeper than an object that is wrong itself",
    arguments: [("{}", "missing $.t"), (#"{"t":"x"}"#, "unknown_case $.t"), (#"{"t":7}"#, "type $.t")])
  func tagsLieDeeper(text: String, expected: String) {
    let schema: Schema<Int> = .oneOf([
      .variant(
        "large", Schema<[String: JSON]>.dictionary(.json, count: 5...), { $0.count }, unwrap: { _ in nil }),
      .variant("tagged", .discriminated("t", []), { $0 }, unwrap: { $0 }),
    ])
    #expect(issues(of: schema, in: text) == [expected])
  }

  @Test("When only the kind is wrong, one message names all of them")
  func kinds() {
    #expect(
      messages(of: Loose.schema, in: "true") == [
        "expected integer or string or object or array, found boolean"
      ])
    #expect(
      messages(of: .nullable(Loose.schema), in: "true")
        == ["expected integer or string or object or array or null, found boolean"])
  }

  @Test("The repairs of an alternative that fits are listed, those of others are not")
  func repairs() {
    let lossy: Schema<[Int]> = .oneOf([
      .variant("pair", .array(.coercedInt, count: 2...2), { $0 }, unwrap: { $0 }),
      .variant("all", .lossyArray(.int), { $0 }, unwrap: { $0 }),
    ])
    #expect(findings(of: lossy, in: #"["1",2,"3"]"#) == ["repair dropped $[0] @1", "repair dropped $[2] @7"])
    #expect(findings(of: lossy, in: #"["1",2]"#) == ["repair coerced $[0] @1"])
  }

  @Test("A union of nothing accepts nothing")
  func empty() {
    #expect(issues(of: Schema<Int>.oneOf([]), in: "1") == ["type $"])
    #expect(issues(of: Schema<Int>.discriminated("a", []), in: #"{"a":"b"}"#) == ["unknown_case $.a"])
    #expect(Schema<Int>.oneOf([]).jsonSchema["not"] == [:])
    #expect(Schema<Int>.oneOf([]).encode(1) == .null)
    #expect(Schema<[Int]>.array(.discriminated("a", [])).encode([1]) == [.null])
    #expect(messages(of: Schema<Int>.oneOf([]), in: "1") == ["expected nothing, found number"])
    #expect(
      messages(of: Schema<Int>.discriminated("a", []), in: #"{"a":"b"}"#) == [
        "expected nothing, found another string"
      ])
  }

  @Test(
    "How many errors there are does not depend on how many are kept", arguments: [-1, 0, 1, 2, 100, .max])
  func totals(maxIssues: Int) {
    func total<Value>(_ schema: Schema<Value>, _ text: String) -> Int {
      schema.decodeReporting(Array(text.utf8), maxIssues: maxIssues).totalErrors
    }
    let shallow: Schema<Int> = .oneOf([
      .variant(
        "object", Note.schema.map({ $0.id }, back: { Note(id: $0, note: nil) }), { $0 }, unwrap: { $0 }),
      .variant(
        "list", Schema<[Int]>.array(.int).map({ $0.count }, back: { _ in [] }), { $0 }, unwrap: { $0 }),
    ])
    #expect(total(shallow, #"["x","y",true]"#) == 3)
    #expect(total(shallow, #"{"id":"x","note":1}"#) == 2)
    #expect(total(shallow, "{}") == 1)
    #expect(total(Loose.schema, #"[[true,{"id":"x","note":1}],true]"#) == 4)
    // The first fails late in the document and less deep; the second has more errors.
    let elements: Schema<Int> = .oneOf([
      .variant("number", .int, { $0 }, unwrap: { $0 }),
      .variant("flags", Schema<[String: Bool]>.dictionary(.bool), { $0.count }, unwrap: { _ in nil }),
    ])
    let deepest: Schema<Int> = .oneOf([
      .variant("notes", .array(Note.schema), { $0.count }, unwrap: { _ in nil }),
      .variant("elements", .array(elements), { $0.count }, unwrap: { _ in nil }),
    ])
    #expect(total(deepest, #"[{"id":"x","note":1,"y":2,"z":3},7]"#) == 4)
    let pairs: Schema<[Int]> = .oneOf([
      .variant("one", Schema.array(.int).refine("a pair") { $0.count == 2 }, { $0 }, unwrap: { $0 }),
      .variant("two", .discriminated("t", []), { $0 }, unwrap: { $0 }),
    ])
    #expect(total(pairs, #"{"t":"x"}"#) == 1)
    #expect(total(pairs, "[1]") == 1)
    #expect(total(Shape.schema, #"{"type":"circle","x":1,"y":2}"#) == 3)
  }

  @Test("A dictionary in a union does not have the tag among its members")
  func taggedDictionary() throws {
    let schema: Schema<[String: Int]> = .discriminated(
      "t",
      [
        .variant(
          "strict", .dictionary(.int, count: 1...2), { $0 }, unwrap: { $0["strict"] == nil ? nil : $0 }),
        .variant("lossy", .lossyDictionary(.int), { $0 }, unwrap: { $0 }),
      ])
    for members in [["strict": 1], ["strict": 1, "b": 2], ["a": 1], [:]] {
      let text = try schema.encode(members).serialized()
      #expect(schema.decodeReporting(text).value == members)
      #expect(schema.decodeReporting(text).issues.isEmpty)
    }
    #expect(issues(of: schema, in: #"{"t":"strict"}"#) == ["length $"])
    #expect(issues(of: schema, in: #"{"t":"strict","u":"x"}"#) == ["type $.u"])
    #expect(findings(of: schema, in: #"{"t":"lossy","u":"x"}"#) == ["repair dropped $.u @17"])
    let twice: Schema<[String: Int]> = .discriminated(
      "group", [.variant("a", schema, { $0 }, unwrap: { $0 })])
    #expect(value(of: twice, in: #"{"group":"a","t":"strict","x":1}"#) == ["x": 1])
    #expect(value(of: Schema<[String: String]>.dictionary(.string), in: #"{"t":"x"}"#) == ["t": "x"])
  }
}
