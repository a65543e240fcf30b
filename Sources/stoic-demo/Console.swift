import Foundation

/// Writes text as soon as it is there, so that a person can watch a call while it runs.
struct Console: Sendable {
  /// How a text is to look where there are colours.
  enum Tone: String {
    case title = "1"
    case good = "32"
    case bad = "31"
    case quiet = "2"
  }

  private let file: FileHandle
  private let isColored: Bool

  /// Standard output, in colour where a terminal shows it and nobody objects.
  static let standard = Console(file: .standardOutput, isColored: allowsColors)
  /// Standard error, without colours.
  static let error = Console(file: .standardError, isColored: false)

  /// Writes a text as it is, without a line's end.
  func write(_ text: String, _ tone: Tone? = nil) {
    let shown = if let tone, isColored { "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" } else { text }
    // Nobody is left to be told about an output that takes nothing any more; the exit status still tells.
    try? file.write(contentsOf: Data(shown.utf8))
  }

  /// Writes a line.
  func line(_ text: String = "", _ tone: Tone? = nil) {
    write(text, tone)
    write("\n")
  }

  private static var allowsColors: Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(STDOUT_FILENO) == 1 && environment["NO_COLOR", default: ""].isEmpty
      && environment["TERM"] != "dumb"
  }
}
