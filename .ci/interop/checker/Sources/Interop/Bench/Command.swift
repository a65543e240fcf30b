import Foundation

/// A program with its arguments.
///
/// Not Foundation's `Process`: its end, awaited by its handler while requests are under way, was missed twice in ten runs.
struct Command: Sendable, CustomStringConvertible {
  private let words: [String]

  init(_ words: [String]) { self.words = words }

  var description: String { words.joined(separator: " ") }

  /// Runs it to its end on the calling thread; its wait status, 0 where all is well.
  func run() -> Int32 {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    var process = pid_t()
    let started = withCStrings(words) { arguments in
      withCStrings(["PATH=\(path)"]) { posix_spawn(&process, words[0], nil, nil, arguments, $0) }
    }
    guard started == 0 else { return started }
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1 {
      guard errno == EINTR else { return errno }
    }
    return status
  }

  private func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }
}
