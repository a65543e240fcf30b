import Foundation

/// A line that tells whoever sits before a terminal how far a long sweep has come.
///
/// It is written over itself and wiped at the end; a log gets none.
package struct ProgressLine {
  private let total: Int
  private let isShown: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var last: ContinuousClock.Instant
  private var hasWritten = false

  /// Short sweeps stay silent; the others say something so often.
  private static let pace = Duration.milliseconds(500)

  /// - Parameters:
  ///   - total: how many seeds there are to run.
  ///   - isShown: whether there is somebody to read it.
  init(total: Int, isShown: Bool = isatty(STDERR_FILENO) == 1) {
    self.total = total
    self.isShown = isShown
    start = clock.now
    last = start
  }

  /// Tells that so many seeds have been run, unless it has just told.
  mutating func advance(to seeds: Int) {
    guard isShown, seeds % 16 == 0 else { return }
    let now = clock.now
    guard last.duration(to: now) >= Self.pace else { return }
    last = now
    hasWritten = true
    Self.write("\r" + Self.text(seeds: seeds, of: total, after: start.duration(to: now)) + "\u{1B}[K")
  }

  /// Wipes the line.
  func end() {
    if hasWritten { Self.write("\r\u{1B}[K") }
  }

  /// What the line says.
  package static func text(seeds: Int, of total: Int, after time: Duration) -> String {
    let rate = SimulationReport(seeds: seeds, distinctSchedules: 0, marks: [:], elapsed: time).seedsPerSecond
    return "simulate: \(seeds) of \(total) seeds, \(Int(rate)) seeds/s"
  }

  private static func write(_ text: String) {
    // A terminal that has gone away is no reason to fail a test.
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }
}
