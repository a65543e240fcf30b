import StoicJSON
import StoicSchema
import Testing

@Suite("Object schemas")
struct ObjectTests {
  private static let user = User(id: 7, name: "Ada", tags: ["a", "b"], nick: nil)

  @Test("A document that fits becomes a value, from JSON and from bytes")
  func decoded() throws {
    let json: JSON = ["id": 7, "name": "Ada", "tags": ["a", "b"]]
    #expect(try User.schema.decode(json) == Self.user)
    #expect(try User.schema.decode(json.serialized()) == Self.user)
    #expect(try User.schema.decode(json.serialized()[...]) == Self.user)
  }

  @Test("The order of members makes no difference, and unknown ones are ignored")
  func orderAndUnknown() throws {
    let json: JSON = ["x": [1], "tags": ["a", "b"], "name": "Ada", "y": .null, "nick": .null, "id": 7]
    #expect(try User.schema.decode(json) == Self.user)
  }

  @Test(
    "SC-01: A field that is absent and one that is null are told apart, by name",
    arguments: [
      ("{}", ["missing $.id"]), (#"{"id":null}"#, ["null $.id"]), (#"{"id":1,"note":null}"#, []),
      (#"{"id":1}"#, []),
      (#"{"id":1,"note":3}"#, ["type $.note"]), (#"{"note":3}"#, ["missing $.id", "type $.note"]),
      (#"{"ID":1}"#, ["missing $.id"]),
    ] as [(String, [String])])
  func missingAndNull(text: String, expected: [String]) {
    #expect(issues(of: Note.schema, in: text) == expected)
  }

  @Test("SC-01: The messages of missing and null say so")
  func missingMessage() {
    #expect(
      validationFailure(of: Note.schema, in: "{}")?.issues.first?.message == "expected integer, found nothing"
    )
    #expect(
      validationFailure(of: Note.schema, in: #"{"id":null}"#)?.issues.first?.message
        == "expected integer, found null")
  }

  @Test("SC-03: All issues are listed, with their indices")
  func allIssues() {
    let text = #"{"items":[{"price":1},{"price":"x"},{}]}"#
    #expect(issues(of: Order.schema, in: text) == ["type $.items[1].price", "missing $.items[2].price"])
    #expect(validationFailure(of: Order.schema, in: text)?.total == 2)
  }

  @Test("A path leads through objects, arrays and dictionaries")
  func path() {
    struct Directory {
      let users: [String: [User]]
    }
    let schema: Schema<Directory> = .object(
      Directory.init, .field("users", \.users, .dictionary(.array(User.schema))))
    let text = #"{"users":{"de":[{"id":1,"name":"x","tags":[]},{"id":1,"name":2,"tags":["a",null]}]}}"#
    #expect(issues(of: schema, in: text) == ["type $.users.de[1].name", "null $.users.de[1].tags[1]"])
  }

  @Test("An optional member may be missing or null, a nullable one only null")
  func optionalAndNullable() throws {
    struct Pair: Equatable {
      let optional: Int?
      let nullable: Int?
      let field: Int?
    }
    let schema: Schema<Pair> = .object(
      Pair.init, .optional("optional", \.optional, .int), .field("nullable", \.nullable, .nullable(.int)),
      .field("field", \.field, .optional(.int)))
    #expect(try schema.decode(["nullable": .null]) == Pair(optional: nil, nullable: nil, field: nil))
    #expect(
      try schema.decode(["nullable": 1, "optional": 2, "field": 3])
        == Pair(optional: 2, nullable: 1, field: 3))
    #expect(issues(of: schema, in: "{}") == ["missing $.nullable"])
    #expect(
      validationFailure(of: schema, in: "{}")?.issues.first?.message
        == "expected integer or null, found nothing")
    #expect(
      issues(of: schema, in: #"{"nullable":"x","optional":"x","field":"x"}"#)
        == ["type $.nullable", "type $.optional", "type $.field"])
    #expect(
      validationFailure(of: schema, in: #"{"nullable":"x"}"#)?.issues.first?.message
        == "expected integer or null, found string")
  }

  @Test("A member of any value may be null, and must be there")
  func anyMember() throws {
    struct Envelope: Equatable {
      let data: JSON
    }
    let schema: Schema<Envelope> = .object(Envelope.init, .field("data", \.data, .json))
    #expect(try schema.decode(["data": .null]).data == .null)
    #expect(try schema.decode(["data": [1, "x"]]).data == [1, "x"])
    #expect(issues(of: schema, in: "{}") == ["missing $.data"])
  }

  @Test("An object without fields accepts any object")
  func noFields() throws {
    struct Empty: Equatable {}
    let schema: Schema<Empty> = .object({ Empty() })
    #expect(try schema.decode(["x": 1]) == Empty())
    #expect(issues(of: schema, in: "[]") == ["type $"])
  }

  @Test("Keys that begin alike, have the same length or contain zeros are told apart", arguments: [0, 12])
  func similarKeys(others: Int) throws {
    struct Pair: Equatable {
      let first: Int
      let second: Int
    }
    for (first, second) in [
      ("description_a", "description_b"), ("a", "a\u{0}"), ("12345678", "123456789"), ("", "x"),
    ] {
      let schema: Schema<Pair> = .object(
        Pair.init, .field(first, \.first, .int), .field(second, \.second, .int))
      // Beyond sixteen members the document has a table.
      let more = (0..<others * 2).map { (key: "description_\($0)", value: JSON($0)) }
      let pair = Pair(first: 1, second: 2)
      #expect(try schema.decode(JSON([(second, 2), (first, 1)] + more).serialized()) == pair)
      #expect(try schema.decode(JSON(more + [(first, 1), (second, 2)])) == pair)
      #expect(schema.decodeReporting(JSON(more + [(first, 1)])).totalErrors == 1)
    }
  }

  @Test("Fields beyond the number that is scanned are found in any order")
  func manyFields() throws {
    typealias Eleven = [Int]
    let keys = (0..<11).map { "description_\($0)" }
    let schema: Schema<Eleven> = .object(
      { [$0, $1, $2, $3, $4, $5, $6, $7, $8, $9, $10] },
      .field(keys[0], \.[0], .int), .field(keys[1], \.[1], .int), .field(keys[2], \.[2], .int),
      .field(keys[3], \.[3], .int), .field(keys[4], \.[4], .int), .field(keys[5], \.[5], .int),
      .field(keys[6], \.[6], .int), .field(keys[7], \.[7], .int), .field(keys[8], \.[8], .int),
      .field(keys[9], \.[9], .int), .field(keys[10], \.[10], .int))
    let members = keys.enumerated().map { (key: $0.element, value: JSON($0.offset)) }
    #expect(try schema.decode(JSON(members.reversed()).serialized()) == Array(0..<11))
    let others = (11..<40).map { (key: "description_\($0)", value: JSON($0)) }
    #expect(try schema.decode(JSON(others + members.shuffled())) == Array(0..<11))
    #expect(schema.decodeReporting(JSON(others)).totalErrors == 11)
  }

  @Test("An object of many large members, and of members with any alignment, holds each of them")
  func layout() throws {
    struct Wide: Equatable {
      let flag: Bool
      let texts: [String]
      let vector: SIMD8<Double>
      let small: UInt8
      let empty: [Wide]

      static let schema: Schema<Wide> = .object(
        Wide.init, .field("flag", \.flag, .bool), .field("texts", \.texts, .array(.string)),
        .field("vector", \.vector, Schema.double.map({ SIMD8(repeating: $0) }, back: { $0[0] })),
        .field("small", \.small, .uint8), .field("empty", \.empty, .array(.lazy(Wide.schema))))
    }
    let leaf = Wide(flag: true, texts: ["a", "b"], vector: SIMD8(repeating: 0.5), small: 255, empty: [])
    let inner = Wide(flag: false, texts: [], vector: SIMD8(repeating: -1), small: 0, empty: [leaf, leaf])
    var tree = inner
    for _ in 0..<10 {
      tree = Wide(flag: true, texts: [], vector: leaf.vector, small: 1, empty: [tree, inner, leaf])
    }
    #expect(try Wide.schema.decode(Wide.schema.encode(tree).serialized()) == tree)
    let wrong = #"{"flag":true,"texts":["a"],"vector":1,"small":256,"empty":[{"texts":["b"],"flag":1}]}"#
    #expect(validationFailure(of: Wide.schema, in: wrong)?.total == 5)
  }

  @Test("Of a key that a document has twice, where that is allowed, the last value counts")
  func duplicateKeys() throws {
    let text = #"{"id":"x","name":"a","id":7,"name":"b","tags":[],"tags":["c"]}"#
    #expect(issues(of: User.schema, in: text).map { $0.prefix(6) } == ["syntax"])
    let json = try JSON(parsing: text, allowing: .duplicateKeys)
    #expect(try User.schema.decode(json) == User(id: 7, name: "b", tags: ["c"], nick: nil))
    let half = try JSON(parsing: #"{"id":1,"id":2,"id":3,"id":4}"#, allowing: .duplicateKeys)
    #expect(User.schema.decodeReporting(half).errors.map(\.path.description) == ["$.name", "$.tags"])
  }

  @Test("Keys are compared by their bytes")
  func keyBytes() {
    struct Place {
      let city: String
    }
    let schema: Schema<Place> = .object(Place.init, .field("caf\u{E9}", \.city, .string))
    #expect(issues(of: schema, in: "{\"cafe\u{301}\":\"x\"}") == ["missing $[\"caf\u{E9}\"]"])
    #expect(issues(of: schema, in: "{\"caf\u{E9}\":\"x\"}") == [])
  }

  @Test("Elements of an array may be optional")
  func optionalElements() throws {
    let schema: Schema<[Int?]> = .array(.nullable(.int))
    #expect(try schema.decode([1, .null, 2]) == [1, nil, 2])
    #expect(issues(of: schema, in: #"[1,"x"]"#) == ["type $[1]"])
  }

  @Test("Keys that a Swift dictionary cannot tell apart are an issue, not a loss")
  func equivalentKeys() throws {
    let schema: Schema<[String: Int]> = .dictionary(.int)
    #expect(try schema.decode(["a": 1, "b": 2]) == ["a": 1, "b": 2])
    #expect(
      issues(of: schema, in: "{\"caf\u{E9}\":1,\"cafe\u{301}\":2}") == ["equivalent_keys $[\"cafe\u{301}\"]"])
    #expect(issues(of: schema, in: #"{"a":1,"b c":"x"}"#) == [#"type $["b c"]"#])
  }
}
