import StoicJSON
import StoicSchema
import Testing

@Suite("Encoding")
struct EncodingTests {
  @Test("A value is encoded in the order of the declaration, without nil members")
  func object() throws {
    let user = User(id: 7, name: "Ada", tags: ["b", "a"], nick: nil)
    #expect(User.schema.encode(user).description == #"{"id":7,"name":"Ada","tags":["b","a"]}"#)
    let named = User(id: 7, name: "Ada", tags: [], nick: "ace")
    #expect(User.schema.encode(named).description == #"{"id":7,"name":"Ada","tags":[],"nick":"ace"}"#)
  }

  @Test("What is encoded decodes to the same value")
  func roundTrip() throws {
    for nick in [nil, "x", "\u{0}\"\\"] {
      let user = User(id: .min, name: "é😀", tags: ["", "a"], nick: nick)
      #expect(try User.schema.decode(User.schema.encode(user)) == user)
      #expect(try User.schema.decode(User.schema.encode(user).serialized()) == user)
    }
  }

  @Test("A nullable nil is written as null, an optional one is left out where it can be")
  func nils() {
    struct Pair {
      let optional: Int?
      let nullable: Int?
      let field: Int?
    }
    let schema: Schema<Pair> = .object(
      Pair.init, .optional("optional", \.optional, .int), .field("nullable", \.nullable, .nullable(.int)),
      .field("field", \.field, .optional(.int)))
    #expect(
      schema.encode(Pair(optional: nil, nullable: nil, field: nil)).description == #"{"nullable":null}"#)
    #expect(Schema.array(.optional(.int)).encode([1, nil]).description == "[1,null]")
    #expect(Schema.optional(.int).encode(nil) == .null)
  }

  @Test("A dictionary is written in the order of its keys' bytes")
  func dictionary() {
    let values = Dictionary(uniqueKeysWithValues: (0..<50).map { ("k\($0)", $0) })
    let keys = Schema.dictionary(.int).encode(values).object?.keys
    #expect(keys == values.keys.sorted())
    #expect(Schema.dictionary(.bool).encode(["f": true, "e\u{301}": true]).object?.keys.last == "f")
    #expect(
      Schema.dictionary(.bool).encode(["\u{FFFD}": true, "\u{1F600}": true]).object?.keys.last == "\u{1F600}")
  }

  @Test("Primitives and cases are written as themselves")
  func primitives() {
    #expect(Schema.int.encode(.max).description == "9223372036854775807")
    #expect(Schema.double.encode(0.1).description == "0.1")
    #expect(Schema.string.encode("/").description == "\"/\"")
    #expect(Schema.bool.encode(false) == false)
    #expect(Schema.json.encode(["a": .null]) == ["a": .null])
    #expect(Schema<Status>.enumeration.encode(.paid) == "paid")
  }

  @Test("A double that is not finite is refused when the text is written")
  func nonFinite() {
    let json = Schema.array(.double).encode([1, .nan])
    #expect(throws: JSONWritingError.self) { try json.serialized() }
  }
}
