/// Lines that wait for the one task that writes them.
struct LineQueue: Sendable {
  /// What the writing task does next.
  enum Step: Equatable {
    /// Write these, then tell how many were lost after them.
    case write([String], lost: Int)
    /// Stop: there is nothing left, and whoever comes next writes.
    case stop
  }

  /// How many lines wait at most.
  static let limit = 1_024

  private var lines: [String] = []
  private var lost = 0
  private var isWriting = false

  /// Adds a line; true when the caller is the one who has to write.
  mutating func add(_ line: String) -> Bool {
    if lines.count < Self.limit { lines.append(line) } else { lost += 1 }
    defer { isWriting = true }
    return !isWriting
  }

  /// Takes everything that waits.
  mutating func next() -> Step {
    if lines.isEmpty {
      isWriting = false
      return .stop
    }
    defer { (lines, lost) = ([], 0) }
    return .write(lines, lost: lost)
  }
}
