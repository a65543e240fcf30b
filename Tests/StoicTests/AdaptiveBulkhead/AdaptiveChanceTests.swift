import Foundation
import Stoic
import StoicTesting
import Testing

/// How long requests take, as shares of their mean.
enum Spread: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case constant, exponential, bimodal, lognormal

  var testDescription: String { rawValue }

  /// A draw with the mean 1.
  func draw() -> Double {
    let fraction = Ambient.random.fraction()
    switch self {
    case .constant: return 1
    case .exponential: return -log(1 - fraction)
    // Nine of ten take half of the mean, the tenth takes eleven times as long.
    case .bimodal: return fraction < 0.9 ? 0.5 : 5.5
    case .lognormal:
      let angle = 2 * Double.pi * Ambient.random.fraction()
      return exp((-2 * log(1 - fraction)).squareRoot() * cos(angle) - 0.5)
    }
  }
}

@Suite("Adaptive bulkhead and chance", .timeLimit(.minutes(20)))
struct AdaptiveChanceTests {
  private static let numbers = AdaptiveBulkhead.Configuration(initialLimit: 10, queueLimit: 1_000)

  @Test("explore", arguments: Spread.allCases, 0..<3)
  func explore(spread: Spread, seed: Int) throws {
    for (workers, callers) in [(1000, 30), (10, 8), (10, 11), (10, 30), (0, 30)] {
      let start = Date()
      let seen = try LoadRun.seconds(
        workers == 0 ? 10 : workers, time: .milliseconds(100), callers: callers, seconds: 90, Self.numbers, seed: seed,
        before: {
        if workers == 0, $1 == 30 { $0.setCount(4) }
        if workers == 0, $1 == 60 { $0.setCount(10) }
        },
        share: { spread.draw() })
      let text = stride(from: 0, to: 90, by: 5).map { i in
        let part = seen[i..<i + 5]
        return "\(part.map(\.limit).min()!)-\(part.map(\.limit).max()!):\(part.reduce(0) { $0 + $1.answered } / 5)"
      }.joined(separator: " ")
      try FileHandle.standardError.write(contentsOf: Data("XX \(spread) w\(workers) c\(callers) s\(seed) \(Int(-start.timeIntervalSinceNow)): \(text)\n".utf8))
    }
  }
}
