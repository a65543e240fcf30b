import StoicJSON
import StoicSchema
import Testing

@Suite("Primitive schemas")
struct PrimitiveTests {
  @Test("Each primitive accepts its kind")
  func accepted() throws {
    #expect(try Schema.int.decode(JSON(parsing: "1e2")) == 100)
    #expect(try Schema.int.decode(JSON(parsing: "9007199254740993")) == 9_007_199_254_740_993)
    #expect(try Schema.double.decode(JSON(parsing: "1")) == 1)
    #expect(try Schema.double.decode(1.5) == 1.5)
    #expect(try Schema.string.decode("x") == "x")
    #expect(try Schema.bool.decode(true) == true)
    #expect(try Schema.json.decode(["a": [.null]]) == ["a": [.null]])
    #expect(try Schema.json.decode(JSON.null) == .null)
  }

  @Test(
    "Each primitive refuses every other kind and names both kinds",
    arguments: [
      ("null", "null"), ("true", "boolean"), ("12", "number"), ("\"secret\"", "string"), ("[1]", "array"),
      ("{\"a\":1}", "object"),
    ])
  func refused(text: String, kind: String) {
    let code: ValidationIssue.Code = kind == "null" ? .null : .type
    let failures = [
      ("integer", validationFailure(of: .int, in: text)),
      ("number", validationFailure(of: .double, in: text)),
      ("string", validationFailure(of: .string, in: text)),
      ("boolean", validationFailure(of: .bool, in: text)),
      ("array", validationFailure(of: .array(.json), in: text)),
      ("object", validationFailure(of: .dictionary(.json), in: text)),
    ]
    for (expected, failure) in failures where expected != kind && (kind, expected) != ("number", "integer") {
      #expect(failure?.issues.map(\.code) == [code])
      #expect(failure?.issues.first?.message == "expected \(expected), found \(kind)")
      #expect(failure?.issues.first?.severity == .error)
      #expect(failure?.issues.first?.path.description == "$")
    }
  }

  @Test(
    "A number that the type cannot hold is an issue of its own, without the number",
    arguments: ["1.5", "1e-1", "9223372036854775808", "1e400", "1.0000000000000001"])
  func integerRange(text: String) {
    let failure = validationFailure(of: .int, in: text)
    #expect(failure?.issues.map(\.code) == [.number])
    #expect(
      failure?.issues.map(\.message) == ["expected integer, found number that no 64-bit integer equals"])
  }

  @Test(
    "A number that no double holds is an issue", arguments: ["1e400", "-1e400", "1e-400", "9007199254740993"])
  func doubleRange(text: String) {
    #expect(issues(of: .double, in: text) == ["number $"])
  }

  @Test("A known case decodes, exactly")
  func knownCase() throws {
    #expect(try Schema<Status>.enumeration.decode("paid") == .paid)
    #expect(issues(of: Schema<Status>.enumeration, in: "\"Paid\"") == ["unknown_case $"])
    #expect(issues(of: Schema<Status>.enumeration, in: "1") == ["type $"])
    #expect(issues(of: Schema<Status>.enumeration, in: "null") == ["null $"])
  }

  @Test("SC-04: An unknown case is an issue at its path, and there is no value")
  func unknownCase() {
    struct Payment {
      let status: Status
    }
    let schema: Schema<Payment> = .object(Payment.init, .field("status", \.status, .enumeration))
    let report = schema.decodeReporting(["status": "refunded"])
    #expect(report.value == nil)
    #expect(report.errors.map(\.code) == [.unknownCase])
    #expect(
      report.errors.map(\.description) == [#"$.status: expected "new" or "paid", found another string"#])
  }

  @Test("A message lists at most eight of the known cases")
  func manyCases() {
    enum Letter: String, CaseIterable {
      case a, b, c, d, e, f, g, h, i, j
    }
    let message = validationFailure(of: Schema<Letter>.enumeration, in: "\"z\"")?.issues.first?.message
    #expect(message?.hasSuffix(#" or "h" or one of 2 more, found another string"#) == true)
  }
}
