/// Lines that wait for the one task that writes them.
package struct LineQueue: Sendable {
  /// What the writing task does next.
  package enum Step: Equatable, Sendable {
    /// Write these, then tell how many were lost after them.
    case write([String], lost: Int)
    /// Stop: there is nothing left, and whoever comes next writes.
    case stop
  }

  private let limit: Int

  private var lines: [String] = []
  private var lost = 0
  private var isWriting = false

  /// - Parameter limit: how many lines wait at most.
  package init(limit: Int = 1_024) {
    self.limit = limit
  }

  /// Adds a line; true when the caller is the one who has to write.
  package mutating func add(_ line: String) -> Bool {
    if lines.count < limit { lines.append(line) } else { lost += 1 }
    defer { isWriting = true }
    return !isWriting
  }

  /// Takes everything that waits.
  package mutating func next() -> Step {
    if lines.isEmpty {
      isWriting = false
      return .stop
    }
    defer { (lines, lost) = ([], 0) }
    return .write(lines, lost: lost)
  }
}
