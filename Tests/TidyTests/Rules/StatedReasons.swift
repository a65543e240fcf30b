import Testing

/// What can trap, or takes a check away from the compiler, says why it is right.
enum StatedReasons {
  private struct Danger {
    let line: Int
    let name: String
  }

  // With a message, `preconditionFailure` says for itself why it cannot be reached.
  private static let snippets = [
    "fatalError", "preconditionFailure()", "nonisolated(unsafe)", "@unchecked Sendable",
  ]

  static func violations(in file: SourceFile) -> [Violation] {
    let dangers = dangers(in: file)
    let lines = Set(dangers.map(\.line))
    let reasons = Set(file.comments.filter(isReason).map(\.line))
    let passedOver = Set(file.comments.filter { $0.isDocumentation || isLintSwitch($0) }.map(\.line))
    return dangers.filter { danger in
      // One reason serves a run of lines that need the same one.
      var line = danger.line
      if reasons.contains(line) { return false }
      repeat {
        line -= 1
      } while !reasons.contains(line) && (lines.contains(line) || passedOver.contains(line))
      // A class says it best inside, beside what the compiler cannot check.
      let isInside = danger.name == "@unchecked Sendable" && reasons.contains(danger.line + 1)
      return !reasons.contains(line) && !isInside
    }
    .map { danger in
      Violation(
        path: file.path, line: danger.line,
        advice: "\(danger.name) without a `//` comment on the line or just above that says why it is right")
    }
  }

  private static func dangers(in file: SourceFile) -> [Danger] {
    let named = snippets.flatMap { snippet in
      file.places(of: snippet).map { place in
        Danger(line: file.tokens[place.lowerBound].line, name: snippet)
      }
    }
    let tokens = file.tokens
    let forced = tokens.indices.dropFirst().compactMap { index -> Danger? in
      guard tokens[index].isSymbol("!"), !tokens[index].isSpaced else { return nil }
      let before = tokens[index - 1]
      if before.isWord("try") || before.isWord("as") {
        return Danger(line: tokens[index].line, name: "\(before.text)!")
      }
      let isPostfix = before.kind != .symbol || [")", "]", "}", "?", ">"].contains(before.text)
      let isComparison =
        tokens.indices.contains(index + 1) && tokens[index + 1].isSymbol("=") && !tokens[index + 1].isSpaced
      return isPostfix && !isComparison ? Danger(line: tokens[index].line, name: "a forced unwrap") : nil
    }
    return named + forced
  }

  /// Documentation counts where it says what is unchecked, since a type's promise may rest on it.
  private static func isReason(_ comment: CommentLine) -> Bool {
    guard comment.isDocumentation else { return !isLintSwitch(comment) }
    return comment.text.contains(/[Uu]nchecked/)
  }

  private static func isLintSwitch(_ comment: CommentLine) -> Bool {
    comment.text.contains("swift-format-ignore")
  }
}

@Suite("Stated reasons")
struct StatedReasonsTests {
  @Test("Whatever can trap or is unchecked says why it is right")
  func holds() {
    report(Repository.swift.flatMap(StatedReasons.violations))
  }

  @Test(
    "A danger without a reason is found",
    arguments: [
      "fatalError(\"no\")", "let x = try! make()", "let x = y as! Int",
      "final class C: @unchecked Sendable {}",
      "nonisolated(unsafe) var x = 1", "let x = list.first!", "let x = list[0]!.y", "f(x)!", "var x: Int!",
      "/// Documented.\nfatalError()", "// Far away.\n\nfatalError()",
      "// swift-format-ignore: NeverForceUnwrap\nlet x = y!", "preconditionFailure()", #"let text = "\(x!)""#,
    ])
  func found(planted: String) {
    #expect(violations(in: planted).count == 1)
  }

  @Test(
    "A danger with its reason is none",
    arguments: [
      "let x = list.first!  // Checked above.", "// Cannot fail: a constant.\nlet x = try! make()",
      "// Both are only read.\nnonisolated(unsafe) var x = 1\nnonisolated(unsafe) var y = 1",
      "// A constant.\n// swift-format-ignore: NeverForceUnwrap\nlet x = y!",
      "/// A class.\n///\n/// Unchecked because of the lock.\nfinal class C: @unchecked Sendable {}",
      "final class C: @unchecked Sendable {\n  // Unchecked because of the lock.\n}",
    ])
  func excused(planted: String) {
    #expect(violations(in: planted).isEmpty)
  }

  @Test(
    "What only looks dangerous is not found",
    arguments: [
      "preconditionFailure(\"why\")", "if !x {}", "x != y", "x !== y", "f(!x)", #""no!""#, "// no!", "x = !y",
      "x!=y", "[!x]",
    ])
  func other(planted: String) {
    #expect(violations(in: planted).isEmpty)
  }

  private func violations(in text: String) -> [Violation] {
    StatedReasons.violations(in: SourceFile(path: "Sources/Planted.swift", text: text))
  }
}
