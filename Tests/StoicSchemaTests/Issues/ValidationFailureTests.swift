import StoicJSON
import StoicSchema
import Testing

@Suite("Validation failures")
struct ValidationFailureTests {
  @Test("The description lists each issue on a line")
  func description() {
    let failure = validationFailure(of: User.schema, in: #"{"id":"x","tags":[1]}"#)
    #expect(
      failure?.description == """
        3 issues
          $.name: expected string, found nothing
          $.id: expected integer, found string
          $.tags[0]: expected string, found number
        """)
    #expect(issues(of: .int, in: "[]").count == 1)
    #expect(
      validationFailure(of: .int, in: "[]")?.description
        == "1 issue\n  $: expected integer, found array")
  }

  @Test("Neither description nor dump of a failure holds a value of the document")
  func privacy() throws {
    let text = #"{"id":"hunter2","name":true,"tags":"hunter2","nick":["hunter2"]}"#
    let failure = try #require(validationFailure(of: User.schema, in: text))
    var dumped = ""
    dump(failure, to: &dumped)
    for text in [failure.description, String(reflecting: failure), dumped, "\(failure as any Error)"] {
      #expect(!text.contains("hunter2"))
      #expect(text.contains("expected integer, found string"))
    }
  }

  @Test("Codes are stable names")
  func codes() {
    let codes: [ValidationIssue.Code] = [
      .missing, .null, .type, .number, .unknownCase, .equivalentKeys, .syntax, .byteOrderMark,
    ]
    #expect(
      codes.map(\.rawValue) == [
        "missing", "null", "type", "number", "unknown_case", "equivalent_keys", "syntax", "byte_order_mark",
      ])
    #expect(ValidationIssue.Code(rawValue: "missing") == .missing)
    #expect(ValidationIssue.Severity.allKnown.map(\.rawValue) == ["error", "warning", "repair"])
  }
}

extension ValidationIssue.Severity {
  fileprivate static let allKnown: [ValidationIssue.Severity] = [.error, .warning, .repair]
}
