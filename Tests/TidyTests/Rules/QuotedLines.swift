import Testing

/// A contract that tells which line was changed to see a test fail quotes a line that is there.
///
/// A cell `Name.swift: \`code\`` of a "Failure modes" table quotes a source file of that name; a name may have its folder,
/// and words may stand between it and the code. An ellipsis stands for anything, `oror` for what would end a cell.
enum QuotedLines {
  static func violations(in page: Page, sources: [String: [String]]) -> [Violation] {
    page.table(under: FailureModes.heading).flatMap { row in
      row.cells.dropLast().compactMap { cell -> Violation? in
        guard let (name, code) = quotation(in: cell) else { return nil }
        let texts = sources[name] ?? []
        guard !texts.contains(where: { holds($0, code) }) else { return nil }
        return Violation(
          path: page.path, line: row.line,
          advice:
            "no file called \(name) has the line `\(code)`; quote what is there, and see the test fail again")
      }
    }
  }

  /// The file's name and the code of a cell that begins with such a name.
  private static func quotation(in cell: String) -> (name: String, code: String)? {
    let path = cell.prefix { !" :,`".contains($0) }
    guard path.hasSuffix(".swift"), let code = codeSpans(in: cell).first(where: { !isName($0) }) else {
      return nil
    }
    return (String(path.split(separator: "/").last ?? ""), code)
  }

  /// Whether a code span is the name of a type or a function, as in "of `settle`".
  private static func isName(_ code: String) -> Bool { code.allSatisfy { $0.isLetter || $0.isNumber } }

  private static func holds(_ text: String, _ code: String) -> Bool {
    let code = code.replacing("oror", with: "||")
    return code.split(separator: "…").allSatisfy { text.contains(joined($0)) }
  }

  /// A text whose blanks and ends of lines are single blanks.
  static func joined(_ text: some StringProtocol) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}

@Suite("Quoted lines")
struct QuotedLinesTests {
  @Test("Every line that a contract says was changed is in the source that it names")
  func holds() {
    var sources: [String: [String]] = [:]
    for file in Repository.sources {
      let name = file.path.split(separator: "/").last.map(String.init) ?? ""
      sources[name, default: []].append(QuotedLines.joined(Repository.text(of: file.path)))
    }
    let contracts = Repository.pages.filter { $0.path.hasPrefix("design/") }
    report(contracts.flatMap { QuotedLines.violations(in: $0, sources: sources) })
  }

  @Test("A line that is not there is found, whatever the blanks, and what quotes nothing is not")
  func found() {
    let page = Page(
      path: "design/00-planted.md",
      text: """
        ## Failure modes
        | fault | changed | into | test |
        |-|-|-|-|
        | a | One.swift: `let a = 1` | nothing | `T` |
        | b | In/One.swift, of `reset`: `b {  c }` | nothing | `T` |
        | c | One.swift: `let … = 1` | nothing | `T` |
        | d | One.swift: `a oror b` | nothing | `T` |
        | e | One.swift: `let a = 2` | nothing | `T` |
        | f | Two.swift: `let a = 1` | nothing | `T` |
        | g | nothing was planted | | `T` |
        """)
    let text = QuotedLines.joined("let a = 1\n  b {\n c }\n a || b")
    #expect(QuotedLines.violations(in: page, sources: ["One.swift": [text]]).map(\.line) == [8, 9])
  }
}
