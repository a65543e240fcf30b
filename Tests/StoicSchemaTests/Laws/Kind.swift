import Foundation
import StoicJSON
import StoicSchema

/// A schema whose type is forgotten, with documents that fit it.
struct Kind: Sendable {
  let name: String
  let export: JSON
  /// Documents that fit, to be altered.
  let seeds: [String]
  /// Whether it says of numbers what JSON Schema cannot: which of them a double or a decimal holds.
  let isInexact: Bool
  let accepts: @Sendable (JSON) -> Bool

  init<Value>(_ name: String, _ schema: Schema<Value>, _ seeds: [String], isInexact: Bool = false) {
    self.name = name
    export = schema.jsonSchema
    self.seeds = seeds
    self.isInexact = isInexact
    accepts = { schema.decodeReporting($0).value != nil }
  }
}

extension Kind {
  static let all: [Kind] = numbers + texts + containers + objects + unions + combinations

  private static let numbers: [Kind] = [
    Kind("int", .int, ["1", "9223372036854775807"]), Kind("int8", .int8, ["-128"]),
    Kind("uint8", .uint8, ["255"]),
    Kind("uint16", .uint16, ["65535"]), Kind("int32", .int32, ["-2147483648"]),
    Kind("uint32", .uint32, ["4294967295"]),
    Kind("uint64", .uint64, ["18446744073709551615"]), Kind("double", .double, ["1.5"], isInexact: true),
    Kind("decimal", .decimal, ["0.1"], isInexact: true), Kind("float", .float, ["0.1"], isInexact: true),
    Kind("int16", .int16, ["-32768", "32767"]), Kind("int64", .int64, ["-9223372036854775808"]),
    Kind("uint", .uint, ["18446744073709551615"]),
    Kind("float in", .float.in(0.5..<2), ["0.5"], isInexact: true),
    Kind("decimal in", .decimal.in(Decimal(-3)...7), ["-3", "7", "0.5"], isInexact: true),
    Kind(
      "substituted integer cases", Schema<RepairTests.Level>.enumeration(unknownCase: .low), ["1", "7.0"]),
    Kind("few cases", Schema<RepairTests.Few>.enumeration, ["1"]),
    Kind("int in", .int.in(-3...9), ["-3", "9"]),
    Kind("int below", .int.in(..<10), ["9"]), Kind("int from", .uint16.in(7...), ["7"]),
    Kind("empty range", .int.in(3..<3), []), Kind("double in", .double.in(0.5..<2), ["0.5"], isInexact: true),
    Kind("double infinite", .double.in((.infinity)...), [], isInexact: true),
    Kind("coerced int", .coercedInt, [#""42""#, "-0"]),
    Kind("coerced bool", .coercedBool, [#""true""#, "0", "1.0"]),
    Kind("coerced double", .coercedDouble, [#""1.5""#], isInexact: true),
    Kind("integer cases", Schema<RepairTests.Level>.enumeration, ["1", "2.0"]),
    Kind("nullable in", Schema<Int?>.nullable(.int.in(1...2)), ["1", "null"]),
    Kind("empty nullable", Schema<Double?>.nullable(.double.in((.infinity)...)), ["null"], isInexact: true),
  ]

  private static let texts: [Kind] = [
    Kind("string", .string, [#""x""#]), Kind("bool", .bool, ["true"]), Kind("json", .json, ["[]"]),
    Kind("length", .string(length: 2...3), [#""ab""#, #""é😀""#]),
    Kind("no length", .string(length: ..<0), []),
    Kind("pattern", .string(matching: #"(?:[A-Z]{2}|é\.)[0-9]+x?"#), [#""AB12""#, #""é.1x""#]),
    Kind("negated", .string(matching: #"[^a-z\]\-]\D."#), [#""A-b""#]),
    Kind("date", .date, [#""2024-02-29T23:59:60.123Z""#, #""2026-03-01T09:30:00+01:00""#]),
    Kind("uuid", .uuid, [#""123e4567-e89b-12d3-a456-426614174000""#]),
    Kind("url with an address", .url, [#""http://[1:2::192.0.2.1]:80/a""#, #""http://[::]""#]),
    Kind("accents", Schema<RepairTests.Accent>.enumeration, ["\"\u{E9}\"", "\"e\u{301}\""]),
    Kind("url", .url, [#""https://u@example.com:80/a/b?c=%20#d""#, #""mailto:a@b.c""#]),
    Kind("coerced string", .coercedString, ["1.50", "true"]),
    Kind("enumeration", Schema<Status>.enumeration, [#""new""#, #""paid""#]),
    Kind("nullable enumeration", Schema<Status?>.nullable(.enumeration), [#""new""#, "null"]),
    Kind("substituted enumeration", Schema<Status>.enumeration(unknownCase: .new), [#""new""#, #""x""#]),
    Kind(
      "refined", Schema.string.refine("an a", export: ["const": "a"]) { $0 == "a" }, [#""a""#]),
  ]

  private static let containers: [Kind] = [
    Kind("array", Schema<[Int]>.array(.int), ["[]", "[1,2]"]),
    Kind("counted array", Schema<[Bool]>.array(.bool, count: 1...2), ["[true]"]),
    Kind("array of nullable", Schema<[String?]>.array(.nullable(.string)), [#"["a",null]"#]),
    Kind("dictionary", Schema<[String: Int]>.dictionary(.int), [#"{"a":1}"#]),
    Kind("counted dictionary", Schema<[String: Int]>.dictionary(.int, count: 2...), [#"{"a":1,"b":2}"#]),
    Kind("lossy array", Schema<[Int]>.lossyArray(.int), [#"[1,"x"]"#]),
    Kind("lossy dictionary", Schema<[String: Int]>.lossyDictionary(.int), [#"{"a":"x"}"#]),
    Kind("fallback", Schema.int.fallback(to: 1), ["7", "true"]),
  ]

  private struct Mixed {
    let a: Int
    let b: Int?
    let c: String?
    let d: Int
    let e: Patch<Bool>
  }

  private static func mixed(_ policy: UnknownKeys) -> Schema<Mixed> {
    .object(
      Mixed.init, unknownKeys: policy, .field("a", \.a, .int), .optional("b", \.b, .int),
      .field("c", \.c, .nullable(.string)), .field("d", \.d, .int, default: 3), .patch("e", \.e, .bool))
  }

  private struct Twice {
    let one: Int
    let two: UInt8
  }

  private static let objects: [Kind] = [
    Kind("user", User.schema, [#"{"id":1,"name":"x","tags":["a"],"nick":null}"#]),
    Kind("mixed", mixed(.ignore), [#"{"a":1,"b":null,"c":null,"d":3,"e":null}"#, #"{"a":1,"c":"x"}"#]),
    Kind("refusing", mixed(.refuse), [#"{"a":1,"c":"x"}"#, #"{"a":1,"c":"x","e":true}"#]),
    Kind("warning", mixed(.warn), [#"{"a":1,"c":"x","z":1}"#]),
    Kind(
      "same key twice",
      Schema<Twice>.object(Twice.init, .field("a", \.one, .int), .field("a", \.two, .uint8)), [#"{"a":7}"#]),
    Kind("folder", Folder.schema, [#"{"name":"x","folders":[{"name":"y","folders":[]}]}"#]),
    Kind("order", Order.schema, [#"{"items":[{"price":1},{"price":2}]}"#]),
  ]

  private enum Mutual {
    static let laterNumbers: Schema<Int> = .lazy(Mutual.numbers)
    static let laterTexts: Schema<Int> = .lazy(Mutual.texts)
    static let numbers: Schema<Int> = .oneOf([
      .variant("texts", Mutual.laterTexts, { $0 }, unwrap: { _ in nil }),
      .variant("number", .int, { $0 }, unwrap: { $0 }),
    ])
    static let texts: Schema<Int> = .oneOf([
      .variant("numbers", Mutual.laterNumbers, { $0 }, unwrap: { _ in nil }),
      .variant("text", .string, { $0.count }, unwrap: { _ in nil }),
    ])
    static let both: Schema<Both> = .object(
      Both.init, .field("a", \.numbers, Mutual.laterNumbers), .field("b", \.texts, Mutual.laterTexts))
  }

  private struct Both {
    let numbers: Int
    let texts: Int
  }

  private static let unions: [Kind] = [
    Kind("mutual", Mutual.both, [#"{"a":1,"b":1}"#, #"{"a":"x","b":"x"}"#]),
    Kind("mutual from one side", Mutual.laterNumbers, ["1", #""x""#]),
    Kind(
      "shape", Shape.schema,
      [
        #"{"type":"circle","radius":1}"#, #"{"type":"square","side":2,"x":1}"#,
        #"{"type":"many","shapes":[{"type":"circle","radius":1},{"type":"many","shapes":[]}]}"#,
      ], isInexact: true),
    Kind(
      "nested tags",
      Schema<Shape>.discriminated(
        "group", [.variant("flat", .discriminated("kind", Shape.variants), { $0 }, unwrap: { $0 })]),
      [#"{"group":"flat","kind":"circle","radius":1}"#], isInexact: true),
    Kind(
      "tagged others",
      Schema<Int>.discriminated(
        "t",
        [
          .variant(
            "dictionary", Schema<[String: String]>.dictionary(.string), { $0.count }, unwrap: { _ in nil }),
          .variant("anything", .json, { _ in 1 }, unwrap: { _ in nil }),
          .variant("nullable", Schema<Note?>.nullable(Note.schema), { _ in 1 }, unwrap: { _ in nil }),
          .variant("lazy", .lazy(Folder.schema), { _ in 1 }, unwrap: { _ in nil }),
          .variant("loose", Loose.schema, { _ in 1 }, unwrap: { _ in nil }),
          .variant("number", .int, { $0 }, unwrap: { _ in nil }),
        ]),
      [
        #"{"t":"dictionary","a":"b"}"#, #"{"t":"anything"}"#, #"{"t":"nullable","id":1}"#,
        #"{"t":"lazy","name":"x","folders":[]}"#, #"{"t":"loose","id":1}"#,
      ]),
    Kind("loose", Loose.schema, ["1", #""x""#, #"[1,["x"],{"id":1}]"#]),
    Kind("nullable loose", Schema<Loose?>.nullable(Loose.schema), ["1", "null"]),
    Kind(
      "tagged dictionaries",
      Schema<[String: Int]>.discriminated(
        "group",
        [
          .variant(
            "two",
            .discriminated(
              "t", [.variant("counted", .dictionary(.int, count: 1...2), { $0 }, unwrap: { $0 })]), { $0 },
            unwrap: { $0 }),
          .variant("one", .dictionary(.int, count: ..<2), { $0 }, unwrap: { $0 }),
          .variant(
            "same",
            .discriminated(
              "group", [.variant("same", .dictionary(.int, count: 1...), { $0 }, unwrap: { $0 })]), { $0 },
            unwrap: { $0 }),
          .variant("lossy", .lossyDictionary(.int), { $0 }, unwrap: { $0 }),
          .variant(
            "other",
            .discriminated("group", [.variant("never", .lossyDictionary(.int), { $0 }, unwrap: { $0 })]),
            { $0 }, unwrap: { $0 }),
          .variant("all", .dictionary(.int, count: Int.max...), { $0 }, unwrap: { $0 }),
        ]),
      [
        #"{"group":"two","t":"counted","a":1}"#, #"{"group":"one"}"#, #"{"group":"one","a":1}"#,
        #"{"group":"same","a":1}"#, #"{"group":"lossy","a":"x"}"#,
        #"{"group":"two","t":"counted","a":1,"b":1}"#,
      ]),
    Kind("no alternative", Schema<Int>.oneOf([]), []),
    Kind("no case", Schema<Int>.discriminated("t", []), []),
  ]
}
