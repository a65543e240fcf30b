import Testing

/// Whoever opens the repository sees the same six names, and nothing else but dot-files.
enum TopLevel {
  static let names: Set = ["Package.swift", "Sources", "Tests", "README.md", "AGENTS.md", "design"]

  static func violations(in entries: Set<String>) -> [Violation] {
    let visible = entries.filter { !$0.hasPrefix(".") }
    return visible.subtracting(names).sorted().map {
      Violation(path: $0, line: 1, advice: "does not belong at the top level; move it, or have git ignore it")
    }
      + names.subtracting(visible).sorted().map {
        Violation(path: $0, line: 1, advice: "is missing at the top level")
      }
  }
}

@Suite("Top level")
struct TopLevelTests {
  @Test("The top level holds the package, its pages, and nothing else")
  func holds() throws {
    report(TopLevel.violations(in: try Repository.topLevel))
  }

  @Test("A stray file and a missing page are found")
  func found() {
    let entries = TopLevel.names.subtracting(["AGENTS.md"]).union(["Makefile", ".ci", ".gitignore"])
    #expect(TopLevel.violations(in: entries).map(\.path) == ["Makefile", "AGENTS.md"])
    #expect(TopLevel.violations(in: TopLevel.names).isEmpty)
  }
}
