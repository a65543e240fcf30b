import Stoic
import Testing

/// Counts the failed expectations of a simulated body.
///
/// An expectation that fails in one run of ten thousand would be recorded without its seed, and the same one in a
/// thousand runs a thousand times. So inside a test every issue is taken as known while the sweep runs, and the
/// sweep fails once, with its seed.
final class Expectations: Sendable {
  private let messages = Lock<[String]>([])

  /// The failed expectations so far.
  var failed: [String] { messages.withLock { $0 } }

  /// Runs a sweep; outside of Swift Testing, just that.
  func collecting(_ sweep: () -> Void) {
    guard Test.current != nil else { return sweep() }
    withKnownIssue("a simulated run failed; see the seed below", isIntermittent: true) {
      sweep()
    } matching: { issue in
      // A warning fails no test, nor a run.
      guard issue.severity == .error else { return false }
      self.messages.withLock { $0.append("\(issue)") }
      return true
    }
  }

  /// Runs a body whose failed expectations are counted and shown to nobody: the many tries of a shrinking would bury the
  /// one that counts.
  func silencing(_ body: @Sendable () async throws -> Void) async throws {
    guard let test = Test.current else { return try await body() }
    // They are counted by the matcher above, which is asked first.
    let filter = IssueHandlingTrait.filterIssues { _ in false }
    try await filter.provideScope(for: test, testCase: Test.Case.current) { try await body() }
  }
}
