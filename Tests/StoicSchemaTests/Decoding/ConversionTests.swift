import StoicJSON
import StoicSchema
import Testing

@Suite("Rules and conversions")
struct ConversionTests {
  @Test("A rule is checked after the kind")
  func refine() {
    let even = Schema.int.refine("an even number") { $0.isMultiple(of: 2) }
    #expect(value(of: even, in: "4") == 4)
    #expect(issues(of: even, in: "5") == ["refinement $"])
    #expect(messages(of: even, in: "5") == ["expected an even number, found another number"])
    #expect(messages(of: even, in: "\"5\"") == ["expected integer, found string"])
    #expect(even.encode(5) == 5)
  }

  @Test("A rule over several members is an issue of the object")
  func refineObject() {
    struct Span {
      let start: Int
      let end: Int
    }
    let schema: Schema<Span> = .object(Span.init, .field("start", \.start, .int), .field("end", \.end, .int))
      .refine("a start before its end") { $0.start < $0.end }
    #expect(
      issues(of: .array(schema), in: #"[{"start":1,"end":2},{"start":2,"end":1}]"#) == ["refinement $[1]"])
  }

  @Test("A rule that a missing or null value breaks says that there is nothing, or null")
  func refineNothing() {
    struct Box {
      let a: Int?
      let b: Int
    }
    let schema: Schema<Box> = .object(
      Box.init, .field("a", \.a, Schema.optional(.int).refine("some integer") { $0 != nil }),
      .field("b", \.b, Schema.optional(.int).map(expecting: "an integer", { $0 }, back: { $0 })))
    #expect(
      schema.decodeReporting([:]).errors.map(\.description) == [
        "$.a: expected some integer, found nothing", "$.b: expected an integer, found nothing",
      ])
    #expect(
      schema.decodeReporting(["b": .null, "a": .null]).errors.map(\.description) == [
        "$.b: expected an integer, found null", "$.a: expected some integer, found null",
      ])
  }

  @Test("A conversion works both ways")
  func map() throws {
    struct Celsius: Equatable {
      let degrees: Double
    }
    let schema = Schema.double.map({ Celsius(degrees: $0) }, back: { $0.degrees })
    #expect(try schema.decode(21.5) == Celsius(degrees: 21.5))
    #expect(schema.encode(Celsius(degrees: 21.5)) == 21.5)
    #expect(schema.jsonSchema["type"] == "number")
  }

  @Test("A conversion that may fail is an issue")
  func failing() {
    let schema = Schema.string.map(
      expecting: "a single character", export: ["minLength": 1], { $0.count == 1 ? $0.first : nil },
      back: { String($0) })
    #expect(value(of: schema, in: "\"é\"") == "é")
    #expect(messages(of: schema, in: "\"hunter2\"") == ["expected a single character, found another string"])
    #expect(schema.jsonSchema["minLength"] == 1)
  }

  @Test("A rule and a conversion hold for members that may be missing")
  func missing() {
    struct Box: Equatable {
      let x: Int
    }
    let schema: Schema<Box> = .object(
      Box.init, .field("x", \.x, Schema<Int?>.optional(.int).map({ $0 ?? 7 }, back: { .some($0) })))
    #expect(value(of: schema, in: "{}") == Box(x: 7))
    let ruled: Schema<Box> = .object(
      Box.init,
      .field(
        "x", \.x,
        Schema<Int?>.optional(.int).map({ $0 ?? 7 }, back: { .some($0) }).refine("an eight") { $0 == 8 }))
    #expect(issues(of: ruled, in: "{}") == ["refinement $.x"])
  }
}
