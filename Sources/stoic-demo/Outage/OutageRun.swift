/// What came of one run, second by second.
package struct OutageRun: Sendable, Equatable {
  /// The requests that arrived at the server.
  package let requests: [Int]
  /// The calls that began.
  package let calls: [Int]
  /// Those among them that got their answer, then or later.
  package let answered: [Int]

  private let baseline: Double
  private let window: Int
  private let failing: Range<Int>

  /// How far the load may be from the baseline to be called back at it.
  private static let tolerance = 0.05
  /// The seconds over which it is then taken.
  private static let pace = 10

  init(_ scenario: OutageScenario, requests: [Int], calls: [Int], answered: [Int]) {
    self.requests = requests
    self.calls = calls
    self.answered = answered
    baseline = scenario.baseline
    window = scenario.window
    failing = scenario.failing
  }

  /// The load in some seconds as a multiple of the baseline.
  package func factor(in seconds: Range<Int>) -> Double {
    let seconds = seconds.clamped(to: requests.indices)
    guard !seconds.isEmpty else { return 0 }
    return Double(requests[seconds].reduce(0, +)) / (baseline * Double(seconds.count))
  }

  /// The highest load of any time as long as the budget's window, as a multiple of the baseline.
  package var worst: Double {
    factors(of: window, from: 0).max() ?? 0
  }

  /// The load of the outage as a multiple of the baseline.
  package var duringOutage: Double { factor(in: failing) }

  /// The load of the last seconds as a multiple of the baseline.
  package var atTheEnd: Double { factor(in: (requests.count - Self.pace)..<requests.count) }

  /// The lowest load of any ten seconds after the outage, as a multiple of the baseline.
  package var lowestAfterwards: Double {
    factors(of: Self.pace, from: failing.upperBound).min() ?? 0
  }

  /// How many seconds after the outage the load is back at the baseline: from then on that of any ten seconds is within
  /// 5 %.
  ///
  /// Nil where it is not before the end.
  package var secondsToBaseline: Int? {
    let factors = factors(of: Self.pace, from: failing.upperBound)
    let last = factors.lastIndex { abs($0 - 1) > Self.tolerance }
    guard let last else { return factors.isEmpty ? nil : 0 }
    return last + 1 < factors.count ? last + 1 : nil
  }

  /// The share of answered calls among those that began in the last seconds but ten, so that all have had their time.
  package var answeredAtTheEnd: Double {
    let end = max(0, calls.count - Self.pace)
    let seconds = max(0, end - Self.pace)..<end
    return Double(answered[seconds].reduce(0, +)) / Double(max(1, calls[seconds].reduce(0, +)))
  }

  private func factors(of length: Int, from start: Int) -> [Double] {
    guard start <= requests.count - length else { return [] }
    return (start...(requests.count - length)).map { factor(in: $0..<($0 + length)) }
  }
}
