import Foundation

/// Whether a thread waits in the system, as opposed to computing or waiting for a processor.
struct ThreadState: Sendable {
  #if os(Linux)
  /// Where the system tells of the thread, such as `123/task/456`.
  private let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")

  /// Whether the thread is asleep now; nil where the system does not say.
  var isAsleep: Bool? {
    // The state follows the name, which stands in parentheses and may hold anything.
    guard let place, let text = try? String(contentsOfFile: "/proc/\(place)/stat", encoding: .utf8),
      let nameEnd = text.lastIndex(of: ")")
    else { return nil }
    let state = text[nameEnd...].dropFirst(2).first
    return state == "S" || state == "D"
  }
  #else
  /// Whether the thread is asleep now; nil where the system does not say.
  var isAsleep: Bool? { nil }
  #endif

  /// The state of the calling thread.
  init() {}
}
