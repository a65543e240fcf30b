import Foundation
import StoicJSON
import StoicSchema

/// Schemas within schemas.
extension Kind {
  private struct Twin {
    let a: Int?
    let b: [String: Loose]
    let c: String?
  }

  private static let strict: Schema<Twin> = .object(
    Twin.init, unknownKeys: .refuse, .field("a", \.a, .nullable(.int.in(1...9)), default: nil),
    .field("b", \.b, .dictionary(Loose.schema), default: [:]),
    .field(
      "c", \.c,
      .optional(
        Schema.string.refine("a or b", export: ["enum": ["a", "b"]]) { "ab".contains($0) && $0.count == 1 })))

  private static let tagged: Schema<Twin> = .discriminated(
    "c", [.variant("a", strict, { $0 }, unwrap: { $0 }), .variant("z", strict, { $0 }, unwrap: { $0 })])

  static let combinations: [Kind] = [
    Kind("strict", strict, [#"{"a":1,"b":{"x":[1,"y"]},"c":"a"}"#, #"{"c":null}"#, "{}"]),
    Kind("tag that is a field", tagged, [#"{"a":1,"c":"a"}"#]),
    Kind("nullable date", Schema<[Date?]>.array(.nullable(.date)), [#"["1990-12-31T15:59:60-08:00",null]"#]),
    Kind("nullable URL", Schema<[URL?]>.array(.optional(.url)), [#"["http://[::1]",null]"#]),
    Kind("optional nullable", Schema<Int??>.optional(.nullable(.int.in(1...))), ["1", "null"]),
    Kind("patch", Schema<Patch<[Int]>>.patch(.array(.int, count: 0...0)), ["[]", "null"]),
    Kind(
      "nullable union", Schema<Shape?>.nullable(Shape.schema), [#"{"type":"square","side":2}"#, "null"],
      isInexact: true),
    Kind(
      "overlap",
      Schema<Int>.oneOf([
        .variant("strict", strict, { _ in 1 }, unwrap: { _ in nil }),
        .variant("note", Note.schema, { _ in 2 }, unwrap: { _ in nil }),
        .variant("nullable", .nullable(.uint8), { _ in 3 }, unwrap: { _ in nil }),
        .variant(
          "flags", Schema<[String: Bool]>.dictionary(.bool, count: 2...2), { _ in 4 }, unwrap: { _ in nil }),
      ]), [#"{"a":1,"b":{}}"#, #"{"id":1,"note":"x"}"#, "7", #"{"x":true,"y":false}"#]),
    Kind("range twice", .int.in(1...9).in(3...), ["3", "9"]),
    Kind("length twice", Schema.string.length(1...).length(...3), [#""ab""#]),
    Kind(
      "nullable in twice", Schema<Double?>.nullable(.double.in(0...).in(..<8)), ["7", "null"], isInexact: true
    ),
    Kind(
      "coerced in nullable", Schema<[String: Int?]>.dictionary(.nullable(.coercedInt)),
      [#"{"a":"42","b":null,"c":1}"#]),
    Kind("coerced bool nullable", Schema<[Bool?]>.array(.nullable(.coercedBool)), [#"["true",null,0]"#]),
    Kind("lossy in a dictionary", Schema<[String: [Int]]>.dictionary(.lossyArray(.int)), [#"{"a":[1,"x"]}"#]),
  ]
}
