import StoicJSON
import StoicSchema
import Testing

@Suite("Hostile documents", .timeLimit(.minutes(30)))
struct HostileInputTests {
  @Test("SC-06: A million wrong elements are counted, a hundred kept")
  func manyIssues() throws {
    let json = JSON(repeatElement(JSON("x"), count: 1_000_000))
    let report = Schema.array(.int).decodeReporting(json)
    #expect(report.value == nil)
    #expect(report.errors.count == 100)
    #expect(report.totalErrors == 1_000_000)
    #expect(report.errors.last?.path.description == "$[99]")
  }

  @Test("SC-06: A hundred thousand elements that are dropped, replaced or tried twice take linear time")
  func manyRepairs() {
    let json = JSON(repeatElement(JSON("x"), count: 100_000))
    let lossy = Schema<[Int]>.lossyArray(.int).decodeReporting(json)
    #expect(lossy.value == [] && lossy.repairs.count == 100 && lossy.totalRepairs == 100_000)
    let replaced = Schema<[Int]>.array(Schema.int.fallback(to: 1)).decodeReporting(json)
    #expect(replaced.value?.count == 100_000 && replaced.totalRepairs == 100_000)
    let tried = Schema<[Loose]>.array(Loose.schema).decodeReporting(JSON(repeatElement(true, count: 100_000)))
    #expect(tried.totalErrors == 100_000 && tried.errors.last?.code == .type)
  }

  @Test("SC-06: A failure's description is short, however many issues there are")
  func shortDescription() throws {
    let text = "[" + Array(repeating: "\"x\"", count: 100_000).joined(separator: ",") + "]"
    let failure = try #require(validationFailure(of: .array(.int), in: text))
    #expect(failure.total == 100_000)
    #expect(failure.issues.count == 100)
    let lines = failure.description.split(separator: "\n")
    #expect(lines.count == 12)
    #expect(lines.first == "100000 issues")
    #expect(lines[1] == "  $[0]: expected integer, found string")
    #expect(lines.last == "  and 99990 more")
  }

  @Test("SC-06: Issues in many nested places are counted and kept alike")
  func nestedIssues() {
    let json = JSON((0..<1_000).map { _ in JSON(repeatElement(JSON.null, count: 100)) })
    let report = Schema<[[String: Int]]>.array(.dictionary(.int)).decodeReporting(json)
    #expect(report.totalErrors == 1_000)
    let deep = Schema<[[Int]]>.array(.array(.int)).decodeReporting(json)
    #expect(deep.totalErrors == 100_000)
    #expect(deep.errors.count == 100)
    #expect(deep.errors.last?.path.description == "$[0][99]")
  }

  @Test("A deep value decodes, encodes and is refused on a stack of 512 KiB")
  func deepValue() {
    let outcome = onSmallStack {
      let text = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
      guard let value = try? Schema.json.decode(Array(text.utf8)) else { return false }
      let isRefused = validationFailure(of: Schema.array(.int), in: text)?.total == 1
      return isRefused && (try? Schema.json.encode(value).serialized()) == Array(text.utf8)
    }
    #expect(outcome == true)
  }

  @Test("A large object with few fields is searched in linear time")
  func largeObject() throws {
    let members = (0..<30_000).map { (key: "k\($0)", value: JSON($0)) }
    #expect(try Note.schema.decode(JSON(members + [(key: "id", value: 7)])).id == 7)
    #expect(try Schema.dictionary(.int).decode(JSON(members)).count == 30_000)
  }

  private indirect enum Deep: Sendable {
    case list([Deep])
    case leaf

    static let text = Schema.string.map({ _ in Deep.leaf }, back: { _ in "" })
    static let integer = Schema.int.map({ _ in Deep.leaf }, back: { _ in 0 })
    static let double = Schema.double.map({ _ in Deep.leaf }, back: { _ in 0 })
    static let dictionary = Schema<[String: Int]>.dictionary(.int).map({ _ in leaf }, back: { _ in [:] })
    static let object: Schema<Deep> = .object({ Deep.leaf }, unknownKeys: .refuse)
    static let tagged: Schema<Deep> = .discriminated("type", [.variant("x", text, { $0 }, unwrap: { $0 })])

    /// Two alternatives read all that is inside an array before they fail.
    static func schema(_ leaf: Schema<Deep>) -> Schema<Deep> {
      let list = Schema<[Deep]>.array(.lazy { schema(leaf) }).map(
        expecting: "nothing", { _ in Deep?.none }, back: { _ in [] })
      return .oneOf([
        .variant("a", list, { $0 }, unwrap: { $0 }), .variant("b", list, { $0 }, unwrap: { $0 }),
        .variant("leaf", leaf, { $0 }, unwrap: { $0 }),
      ])
    }
  }

  @Test(
    "A long text that alternatives read again and again takes bounded time",
    arguments: [
      ("\"{}\"", Deep.text), (#"{"type":"{}"}"#, Deep.tagged), (#"{"{}":"x"}"#, Deep.dictionary),
      (#"{"{}":1}"#, Deep.object), ("9{}", Deep.integer), ("9{}", Deep.double),
    ])
  private func longTexts(form: String, leaf: Schema<Deep>) {
    let filler = String(repeating: form.hasPrefix("9") ? "9" : "a", count: 20_000)
    let text =
      String(repeating: "[", count: 40) + form.replacing("{}", with: filler)
      + String(repeating: "]", count: 40)
    let clock = ContinuousClock()
    let start = clock.now
    #expect(issues(of: Deep.schema(leaf), in: text) == ["too_complex $"])
    #expect(clock.now - start < .seconds(30))
  }
}
