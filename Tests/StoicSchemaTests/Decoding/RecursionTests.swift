import StoicJSON
import StoicSchema
import Testing

@Suite("Schemas that contain themselves", .timeLimit(.minutes(30)))
struct RecursionTests {
  private static func folders(_ depth: Int) -> String {
    String(repeating: #"{"name":"x","folders":["#, count: depth) + String(repeating: "]}", count: depth)
  }

  @Test("A tree is decoded, encoded and checked at every level")
  func tree() throws {
    let text =
      #"{"name":"a","folders":[{"name":"b","folders":[]},{"name":"c","folders":[{"name":"d","folders":[]}]}]}"#
    let folder = try #require(value(of: Folder.schema, in: text))
    #expect(folder.folders[1].folders[0].name == "d")
    #expect(Folder.schema.encode(folder).description == text)
    #expect(
      issues(of: Folder.schema, in: text.replacing(#""d""#, with: "7")) == [
        "type $.folders[1].folders[0].name"
      ])
  }

  @Test("A tree as deep as JSON may be is decoded, encoded and checked where the stack has room")
  func deep() {
    // Sanitizers make a level many times as large.
    let outcome = onStack(of: 64 << 20) {
      let text = Self.folders(256)
      guard let folder = value(of: Folder.schema, in: text) else { return "not decoded" }
      if (try? Folder.schema.encode(folder).serialized())?.count != text.utf8.count { return "not encoded" }
      let wrong = text.replacing("[]", with: "[7]")
      return "\(validationFailure(of: Folder.schema, in: wrong)?.issues.map(\.path.elements.count) ?? [])"
    }
    #expect(outcome == "[512]")
  }

  @Test(
    "A deep tree is decoded, or too deep, on a stack of 512 KiB",
    arguments: [2, 8, 20, 40, 64, 128, 200, 256])
  func deepOnSmallStack(depth: Int) {
    let outcome = onSmallStack {
      let text = Self.folders(depth)
      guard let folder = value(of: Folder.schema, in: text) else {
        return issues(of: Folder.schema, in: text).count == 1
          && validationFailure(of: Folder.schema, in: text)?.issues[0].code == .tooDeep && depth > 2
      }
      let written = try? Folder.schema.encode(folder).serialized()
      return written?.count == text.utf8.count || depth > 2
    }
    #expect(outcome == true)
  }

  /// A type of two kilobytes, read through as many schemas as there are.
  private struct Wide {
    let vectors: (SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>)
    let inner: [Wide]

    static let schema: Schema<Wide> = .object(
      Wide.init, .field("v", \.vectors, vectors), .field("inner", \.inner, .lossyArray(Wide.choice)))

    private static let vectors = Schema.double.map({ SIMD64(repeating: $0) }, back: { $0[0] })
      .map({ ($0, $0, $0, $0) }, back: { $0.0 }).refine("a vector") { $0.0[0] == 1 }

    private static let choice: Schema<Wide> = .oneOf([
      .variant(
        "tagged", .discriminated("t", [.variant("a", itself, { $0 }, unwrap: { $0 })]), { $0 }, unwrap: { $0 }
      )
    ])

    private static let itself = Schema<Wide>.lazy { Wide.schema.refine("any") { _ in true } }
      .map({ $0 }, back: { $0 })
  }

  @Test(
    "A tree of large values is decoded, or too deep, on a small stack, from the first level on",
    arguments: [1, 2, 4, 6, 8, 12, 16, 64, 256])
  func largeValues(depth: Int) {
    let outcome = onStack(of: 128 << 10) {
      let text =
        #"{"v":1,"inner":["# + String(repeating: #"{"t":"a","v":1,"inner":["#, count: depth - 1)
        + String(repeating: "]}", count: depth)
      let report = Wide.schema.decodeReporting(Array(text.utf8))
      // What is too deep is left out, unless it is everything.
      guard let value = report.value else { return report.errors.map(\.code) == [.tooDeep] }
      _ = Wide.schema.encode(value)
      return report.totalRepairs <= 1
    }
    #expect(outcome == true)
  }

  @Test("A value that was built deeper than JSON may be is an issue and no crash")
  func tooDeep() {
    let outcome = onSmallStack {
      var json: JSON = ["name": "x", "folders": []]
      for _ in 0..<5_000 { json = ["name": "x", "folders": [json]] }
      let report = Folder.schema.decodeReporting(json)
      return report.errors.map { "\($0.code) \($0.path.elements.count <= 512)" }
    }
    #expect(outcome == ["too_deep true"])
  }

  @Test("A value that is deeper than JSON may be is refused when the text is written")
  func tooDeepToWrite() {
    var folder = Folder(name: "x", folders: [])
    for _ in 0..<300 { folder = Folder(name: "x", folders: [folder]) }
    #expect(throws: JSONWritingError.self) { try Folder.schema.encode(folder).serialized() }
  }

  private enum Loop {
    static let itself: Schema<Int> = .lazy(Loop.itself)
    static let there: Schema<Int> = .lazy(Loop.back)
    static let back: Schema<Int> = .lazy(Loop.there)
    static let choice: Schema<Int> = .oneOf([
      .variant("a", .lazy(Loop.choice), { $0 }, unwrap: { $0 }),
      .variant("b", .lazy(Loop.choice), { $0 }, unwrap: { $0 }),
    ])
    static let withExit: Schema<Int> = .oneOf([
      .variant("a", .lazy(Loop.withExit), { $0 }, unwrap: { _ in nil }),
      .variant("b", .int, { $0 }, unwrap: { $0 }),
    ])
  }

  @Test("A schema that is itself and nothing else fits nothing, and ends")
  func loops() {
    let outcome = onStack(of: 8 << 20) {
      [Loop.itself, Loop.there, Loop.choice].map { schema in
        let report = schema.decodeReporting(JSON(1))
        let text = try? schema.encode(1).serialized()
        return
          "\(report.errors.map(\.code)) \(text == nil) \(schema.jsonSchema.description.utf8.count < 1_000)"
      }
    }
    #expect(outcome == ["[too_deep] true true", "[too_deep] true true", "[too_complex] true true"])
    #expect(onSmallStack { issues(of: Loop.choice, in: "1").count } == 1)
    #expect(value(of: Loop.withExit, in: "1") == 1)
    #expect(Loop.withExit.encode(1) == 1)
  }

  @Test("Up to 64 schemas may name one another without a step into the document", arguments: [64, 65])
  func names(count: Int) {
    let schema = (0..<count).reduce(Schema.int) { inner, _ in .lazy { inner } }
    #expect(issues(of: schema, in: "1") == (count > 64 ? ["too_deep $"] : []))
    #expect(
      issues(of: .array(schema), in: "[1,1]") == (count > 64 ? ["too_deep $[0]", "too_deep $[1]"] : []))
  }

  @Test("A schema that is made anew each time is described up to a limit")
  func endless() {
    enum Endless {
      struct Pair {
        let left: [Pair]
        let right: [Pair]
      }
      static var schema: Schema<Pair> {
        .object(
          Pair.init, .field("left", \.left, .array(.lazy(Endless.schema))),
          .field("right", \.right, .array(.lazy(Endless.schema))))
      }
    }
    #expect(value(of: Endless.schema, in: #"{"left":[],"right":[{"left":[],"right":[]}]}"#)?.right.count == 1)
    #expect(Endless.schema.jsonSchema.description.utf8.count < 1_000_000)
  }

  private enum Hard {
    case leaf(Int)
    indirect case node(Hard)

    /// Each alternative reads all that is inside before it fails.
    static let schema: Schema<Hard> = .oneOf([
      .variant("a", node("a"), Hard.node) { if case .node(let inner) = $0 { inner } else { nil } },
      .variant("b", node("b"), Hard.node) { if case .node(let inner) = $0 { inner } else { nil } },
      .variant("leaf", .int, Hard.leaf) { if case .leaf(let number) = $0 { number } else { nil } },
    ])

    private static func node(_ tag: String) -> Schema<Hard> {
      .object(
        { inner, _ in inner }, .field("inner", \.self, .lazy(Hard.schema)),
        .field("tag", \.tag, Schema<String>.string.refine(tag) { $0 == tag }))
    }

    private var tag: String { "" }
  }

  @Test("Alternatives within alternatives take bounded time, and say so")
  func exponential() throws {
    func text(_ depth: Int, leaf: String) -> String {
      String(repeating: #"{"inner":"#, count: depth) + leaf + String(repeating: #","tag":"b"}"#, count: depth)
    }
    #expect(value(of: Hard.schema, in: text(4, leaf: "1")) != nil)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(issues(of: Hard.schema, in: text(200, leaf: "1")) == ["too_complex $"])
    // One value that is too complex spoils no other.
    let mixed = "[1,\(text(200, leaf: "true")),1,\(text(200, leaf: "1")),\(text(4, leaf: "1"))]"
    #expect(issues(of: .array(Hard.schema), in: mixed) == ["too_complex $[1]", "too_complex $[3]"])
    #expect(value(of: .lossyArray(Hard.schema), in: mixed)?.count == 3)
    #expect(clock.now - start < .seconds(30))
  }
}
