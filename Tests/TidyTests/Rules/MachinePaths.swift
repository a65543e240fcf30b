import Testing

/// A page is read on another machine than the one it was written on.
enum MachinePaths {
  private static let folders = ["work", "tmp", "home", "root", "Users", "private", "mnt", "opt", "var"]

  static func violations(in page: Page) -> [Violation] {
    page.lines.enumerated().flatMap { index, line in
      folders.filter { mentions($0, in: line) }.map { folder in
        Violation(
          path: page.path, line: index + 1,
          advice: "/\(folder)/… is a path of one machine; write it from the checkout")
      }
    }
  }

  private static func mentions(_ folder: String, in line: Substring) -> Bool {
    line.ranges(of: "/\(folder)/").contains { range in
      guard let before = line[..<range.lowerBound].last else { return true }
      return !(before.isLetter || before.isNumber || "./}>*-_~".contains(before))
        || line[..<range.lowerBound].hasSuffix("file://")
    }
  }
}

@Suite("Machine paths")
struct MachinePathsTests {
  @Test("No page names an absolute path of a machine")
  func holds() {
    report(Repository.pages.flatMap(MachinePaths.violations))
  }

  @Test(
    "A path of a machine is found",
    arguments: [
      "cd /work/project", "`/Users/me/x`", "(/tmp/a)", "file:///home/me", "/root/.cache", "x=/var/log/y",
    ])
  func found(planted: String) {
    #expect(MachinePaths.violations(in: Page(path: "README.md", text: planted)).count == 1)
  }

  @Test(
    "A path of a URL or of the checkout is none",
    arguments: [
      "GET /users/42", "https://example.com/home/x", "Sources/var/x", "../tmp/x", "/tmp", "design/work/x",
    ])
  func notFound(planted: String) {
    #expect(MachinePaths.violations(in: Page(path: "README.md", text: planted)).isEmpty)
  }
}
