import Testing

/// A file is one noun, and a noun fits on a few screens.
enum FileLength {
  static let limit = 400

  static func violations(in file: SourceFile) -> [Violation] {
    guard file.lineCount > limit else { return [] }
    let advice = "\(file.lineCount) lines, over \(limit); give a second concept its own file"
    return [Violation(path: file.path, line: file.lineCount, advice: advice)]
  }
}

@Suite("File length")
struct FileLengthTests {
  @Test("No source and no test is longer than 400 lines")
  func holds() {
    report(Repository.swift.flatMap(FileLength.violations))
  }

  @Test("The 401st line is one too many")
  func found() {
    let file = { (lines: Int) in
      SourceFile(path: "Sources/Planted.swift", text: String(repeating: "\n", count: lines))
    }
    #expect(FileLength.violations(in: file(400)).isEmpty)
    #expect(
      FileLength.violations(in: file(401)).map(\.description)
        == ["Sources/Planted.swift:401: 401 lines, over 400; give a second concept its own file"])
  }
}
