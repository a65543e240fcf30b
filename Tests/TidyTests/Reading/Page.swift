/// A page of Markdown.
struct Page: Sendable {
  let path: String
  let lines: [Substring]

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// The rows of the tables under a heading of the second level, without their heads, with their line numbers.
  func table(under heading: String) -> [(line: Int, cells: [String])] {
    var isInside = false
    var rows: [(line: Int, cells: [String])] = []
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("## ") { isInside = line.dropFirst(3).lowercased() == heading.lowercased() }
      guard isInside, line.hasPrefix("|") else { continue }
      if line.allSatisfy({ "|-: ".contains($0) }) {
        // The row above it is the head.
        rows.removeLast(min(1, rows.count))
      } else {
        rows.append((index + 1, Self.cells(line)))
      }
    }
    return rows
  }

  /// The cells of a table row; a bar in code or behind a backslash does not end a cell.
  private static func cells(_ row: Substring) -> [String] {
    var cells = [""]
    var isCode = false
    var isEscaped = false
    for character in row.dropFirst() {
      switch character {
      case "|" where !isCode && !isEscaped: cells.append("")
      case "`":
        isCode.toggle()
        cells[cells.count - 1].append(character)
      default: cells[cells.count - 1].append(character)
      }
      isEscaped = character == "\\"
    }
    if cells.last?.allSatisfy(\.isWhitespace) == true { cells.removeLast() }
    return cells.map { cell in
      String(cell.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
  }
}

/// What stands between single backticks in a text.
func codeSpans(in text: String) -> [String] {
  let parts = text.split(separator: "`", omittingEmptySubsequences: false)
  return stride(from: 1, to: parts.count - 1, by: 2).map { String(parts[$0]) }
}
