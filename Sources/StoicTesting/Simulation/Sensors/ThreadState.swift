import Foundation

/// Whether a thread waits in the system, as opposed to computing or waiting for a processor.
package struct ThreadState: Sendable {
  #if os(Linux)
  /// Where the system tells of the thread, such as `123/task/456`.
  private let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")

  /// Whether the thread is asleep now; nil where the system does not say.
  var isAsleep: Bool? {
    guard let place, let text = try? String(contentsOfFile: "/proc/\(place)/stat", encoding: .utf8) else {
      return nil
    }
    return Self.isAsleep(text)
  }
  #else
  /// Whether the thread is asleep now; nil where the system does not say.
  var isAsleep: Bool? { nil }
  #endif

  /// The state of the calling thread.
  init() {}

  /// Whether a thread of which Linux tells this is asleep; nil where that is not said.
  ///
  /// A thread that waits for the disk is not: the page of its own code may have to be read anew, and on a machine whose disk
  /// stands still for a second all threads do so at once.
  package static func isAsleep(_ stat: String) -> Bool? {
    // The state follows the name, which stands in parentheses and may hold anything.
    guard let nameEnd = stat.lastIndex(of: ")"), let state = stat[nameEnd...].dropFirst(2).first else {
      return nil
    }
    return state == "S"
  }
}
