import Testing

/// Every row of a contract's "Failure modes" table names the tests that hold it, and they exist.
enum FailureModes {
  static let heading = "Failure modes"
  static let exemption = "not built:"

  static func violations(in page: Page, tests: Set<String>) -> [Violation] {
    page.table(under: heading).flatMap { row -> [Violation] in
      let last = row.cells.last ?? ""
      if last.lowercased().hasPrefix(exemption), last.count > exemption.count { return [] }
      let names = codeSpans(in: last)
      guard !names.isEmpty else {
        let advice = "the last column names no test in backticks; name one, or write `\(exemption) reason`"
        return [Violation(path: page.path, line: row.line, advice: advice)]
      }
      return names.filter { !tests.contains($0) }.map { name in
        Violation(
          path: page.path, line: row.line, advice: "no test is called `\(name)`; write it or correct the name"
        )
      }
    }
  }

  /// The names of a file's tests: the display name, a function's name, or `Suite/name` with the suite's own.
  static func tests(in file: SourceFile) -> Set<String> {
    var names: Set<String> = []
    for place in file.places(of: "@Test") {
      let rest = file.tokens[place.upperBound...]
      let next = rest.prefix(2)
      if next.first?.isSymbol("(") == true, let title = next.last, title.kind == .string {
        names.insert(title.text)
      }
      if let keyword = rest.firstIndex(where: { $0.isWord("func") }), keyword + 1 < file.tokens.count {
        names.insert(file.tokens[keyword + 1].text)
      }
    }
    return names
  }
}

@Suite("Failure modes")
struct FailureModesTests {
  @Test("Every failure mode of the contracts names tests that exist")
  func holds() {
    let tests = Repository.tests.reduce(into: Set<String>()) { $0.formUnion(FailureModes.tests(in: $1)) }
    let contracts = Repository.pages.filter { $0.path.hasPrefix("design/") }
    report(contracts.flatMap { FailureModes.violations(in: $0, tests: tests) })
  }

  private static let planted = Page(
    path: "design/00-planted.md",
    text: """
      ## Other
      | a | `no test at all` |
      |-|-|
      | b | `no test at all` |
      ## Failure modes
      | Mode | Outcome | Test |
      |------|:-------:|------|
      | one | `a|b` | `First`, `second` |
      | two \\| b | x | `Third` |
      | three | x | |
      | four | x | not built: the next issue |
      | five | x | not built: |
      ## After
      """)

  @Test("A test that does not exist, and a row without one, are found")
  func found() {
    let lines = FailureModes.violations(in: Self.planted, tests: ["First", "second"]).map(\.line)
    #expect(lines == [9, 10, 12])
  }

  @Test("A test is known by its title and by its function")
  func names() {
    let text = """
      @Test("A title") func first() {}
      @Test func `raw words`() {}
      @Test(arguments: ["no title"]) func second(x: String) {}
      func helper() {}
      """
    let names = FailureModes.tests(in: SourceFile(path: "Tests/Planted.swift", text: text))
    #expect(names == ["A title", "first", "raw words", "second"])
  }
}
