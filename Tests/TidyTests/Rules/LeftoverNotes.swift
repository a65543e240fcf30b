import Testing

/// What is left to do belongs into an issue, not into a comment.
enum LeftoverNotes {
  static let words: Set = ["TODO", "FIXME", "XXX"]

  static func violations(in file: SourceFile) -> [Violation] {
    file.comments.flatMap { comment in
      comment.text.split { !$0.isLetter }.filter { words.contains(String($0)) }.map { word in
        Violation(path: file.path, line: comment.line, advice: "\(word): do it now, or file an issue")
      }
    }
  }
}

@Suite("Leftover notes")
struct LeftoverNotesTests {
  @Test("No comment says that something is left to do")
  func holds() {
    report(Repository.swift.flatMap(LeftoverNotes.violations))
  }

  @Test(
    "A leftover note is found", arguments: ["TODO", "FIXME", "XXX"],
    ["let a = 1 // %: later", "/* one\n % */", "/// %(me): later"])
  func found(word: String, planted: String) {
    let text = planted.split(separator: "%").joined(separator: word)
    #expect(LeftoverNotes.violations(in: SourceFile(path: "Sources/Planted.swift", text: text)).count == 1)
  }

  @Test(
    "A word that only holds one is none", arguments: ["// XXXL shirts", #"let text = "TODO""#, "// to do"])
  func notFound(planted: String) {
    #expect(LeftoverNotes.violations(in: SourceFile(path: "Sources/Planted.swift", text: planted)).isEmpty)
  }
}
