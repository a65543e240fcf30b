import Testing

/// A test that sleeps is slow on a good day and fails on a bad one.
enum TestSleeps {
  static let banned = [
    "Task.sleep", "Thread.sleep", "usleep(", "nanosleep(", "pthread_cond_timedwait(", ".asyncAfter(",
    "ContinuousClock().sleep", "SuspendingClock().sleep", "RunLoop.current.run(",
  ]

  /// A simulation has to notice real sleeps, and its tests show that it does.
  static let exceptions: Set = ["Tests/StoicTestingTests/Simulation/VerdictTests.swift"]

  static func violations(in file: SourceFile) -> [Violation] {
    let places = banned.flatMap { snippet in file.places(of: snippet).map { (snippet, $0.lowerBound) } }
    let bare = file.places(of: "sleep(").map { ("sleep(", $0.lowerBound) }.filter { _, index in
      index == 0 || !(file.tokens[index - 1].isSymbol(".") || file.tokens[index - 1].isWord("func"))
    }
    return (places + bare).map { snippet, index in
      Violation(
        path: file.path, line: file.tokens[index].line,
        advice: "\(snippet) is a real sleep; await the event itself, or move a TestClock")
    }
  }
}

@Suite("No sleeps in tests")
struct TestSleepsTests {
  @Test("No test sleeps for real")
  func holds() {
    let found = Repository.tests.flatMap(TestSleeps.violations)
    report(found.filter { !TestSleeps.exceptions.contains($0.path) })
    let stale = TestSleeps.exceptions.subtracting(found.map(\.path))
    #expect(stale.isEmpty, "excepted but without a sleep: take the exception out")
  }

  @Test(
    "A real sleep is found",
    arguments: [
      "try await Task.sleep(for: .seconds(1))", "try await Task.sleep(nanoseconds: 1)",
      "Thread.sleep(until: date)",
      "usleep(10)", "sleep(1)", "queue.asyncAfter(deadline: soon) {}",
      "try await ContinuousClock().sleep(for: .seconds(1))",
    ])
  func found(planted: String) {
    #expect(TestSleeps.violations(in: SourceFile(path: "Tests/Planted.swift", text: planted)).count == 1)
  }

  @Test(
    "A sleep in virtual time is none",
    arguments: [
      "try await Ambient.sleep(for: .seconds(1))", "func sleep(until: Instant) {}", #""Task.sleep""#,
    ])
  func notFound(planted: String) {
    #expect(TestSleeps.violations(in: SourceFile(path: "Tests/Planted.swift", text: planted)).isEmpty)
  }
}
