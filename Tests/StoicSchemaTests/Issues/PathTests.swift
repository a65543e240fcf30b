import StoicJSON
import StoicSchema
import Testing

@Suite("Paths of issues")
struct PathTests {
  private func path(_ key: String) throws -> ValidationIssue.Path {
    let report = Schema.dictionary(.int).decodeReporting(JSON([(key: key, value: JSON("x"))]))
    return try #require(report.errors.first).path
  }

  @Test(
    "SC-07: A plain key follows a dot, any other is quoted and escaped on one line",
    arguments: [
      ("name", "$.name"), ("_id", "$._id"), ("x-y", "$.x-y"), ("A9", "$.A9"), ("a.b", #"$["a.b"]"#),
      ("", #"$[""]"#),
      ("x\ny", #"$["x\u000ay"]"#), ("$[0]", #"$["$[0]"]"#), ("0", #"$["0"]"#), ("-a", #"$["-a"]"#),
      ("a\"]", #"$["a\"]"]"#), ("a\\", #"$["a\\"]"#), ("a b", #"$["a b"]"#), ("\r\n", #"$["\u000d\u000a"]"#),
      ("\u{202E}x", #"$["\u202ex"]"#), ("\u{2028}", #"$["\u2028"]"#), ("\u{1B}[31m", #"$["\u001b[31m"]"#),
      ("\u{E0041}", #"$["\udb40\udc41"]"#), ("größe", #"$["größe"]"#), ("a…b", #"$["a\u2026b"]"#),
      ("\u{7F}", #"$["\u007f"]"#),
    ])
  func keys(key: String, expected: String) throws {
    #expect(try path(key).description == expected)
  }

  @Test("SC-07: A long key is shortened in the description and whole in the elements")
  func longKey() throws {
    let key = String(repeating: "a", count: 100_000)
    let path = try path(key)
    let half = String(repeating: "a", count: 32)
    #expect(path.description == "$[\"\(half)…\(half)\"]")
    #expect(path.elements == [.key(key)])
    let longest = String(repeating: "a", count: 64)
    #expect(try self.path(longest).description == "$.\(longest)")
    #expect(try self.path(longest + "b").description == "$[\"\(half)…\(half.dropLast())b\"]")
    #expect(try self.path(String(repeating: "\n", count: 100_000)).description.utf8.count < 500)
  }

  @Test("SC-07: Different hostile keys have different paths")
  func unambiguous() throws {
    let keys = ["a.b", "a", "a\"", "a\\\"", "a\n", "a\\n", "a\\u000a", "[0]", "0", "a…b"]
    #expect(Set(try keys.map { try path($0).description }).count == keys.count)
  }

  @Test("A long path is shortened in the middle")
  func longPath() throws {
    let text = String(repeating: "[", count: 500) + "x"
    let path = try #require(validationFailure(of: Schema.json, in: text)?.issues.first).path
    #expect(path.elements.count == 500)
    let half = String(repeating: "[0]", count: 16)
    #expect(path.description == "$\(half)…(468 steps)…\(half)")
  }

  @Test("The path of the whole document is a dollar sign")
  func root() throws {
    #expect(validationFailure(of: .int, in: "null")?.issues.first?.path.description == "$")
    #expect(validationFailure(of: .int, in: "null")?.issues.first?.path.elements == [])
  }

  @Test("Steps are equal by the bytes of their keys")
  func equality() throws {
    #expect(try path("\u{E9}") != path("e\u{301}"))
    #expect(try path("a") == path("a"))
    #expect(ValidationIssue.Path.Element.index(1) != .key("1"))
    #expect(
      Set<ValidationIssue.Path.Element>([.key("\u{E9}"), .key("e\u{301}"), .index(0), .index(0)]).count == 3)
  }
}
