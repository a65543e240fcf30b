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
    // Nine of ten take three quarters of the mean, the tenth takes more than four times as long as these.
    case .bimodal: return fraction < 0.9 ? 0.75 : 3.25
    case .lognormal:
      let angle = 2 * Double.pi * Ambient.random.fraction()
      return exp((-2 * log(1 - fraction)).squareRoot() * cos(angle) - 0.5)
    }
  }
}

@Suite("Adaptive bulkhead and chance", .timeLimit(.minutes(30)))
struct AdaptiveChanceTests {
  /// A case: how many workers and callers, and how many answers a second are possible.
  struct Load: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let workers: Int
    let callers: Int
    let rate: Double
  }

  // Each request takes a worker 0.1 s on average.
  static let loads = [
    Load(testDescription: "a server without a queue", workers: 1_000, callers: 16, rate: 160),
    Load(testDescription: "no overload", workers: 10, callers: 8, rate: 80),
    Load(testDescription: "a mild overload, 1.1 times", workers: 10, callers: 11, rate: 100),
    Load(testDescription: "a heavy overload, 3 times", workers: 10, callers: 30, rate: 100),
  ]

  private static func numbers(_ spread: Spread) -> AdaptiveBulkhead.Configuration {
    // What a few long ones out of many do to the mean, no affordable number of calls averages out.
    let tolerance = spread == .constant || spread == .exponential ? 1 : 1.5
    return AdaptiveBulkhead.Configuration(initialLimit: 10, tolerance: tolerance, queueLimit: 100)
  }

  private static func mean(_ seen: ArraySlice<LoadSecond>) -> Double {
    Double(seen.reduce(0) { $0 + $1.answered }) / Double(seen.count)
  }

  @Test(
    "However latencies vary by chance, the answers of the second minute are within a tenth of what is possible",
    arguments: Spread.allCases, loads)
  func steady(_ spread: Spread, _ load: Load) throws {
    let seen = try LoadRun.seconds(
      load.workers, time: .milliseconds(100), callers: load.callers, seconds: 120, Self.numbers(spread),
      share: { spread.draw() })
    let rate = Self.mean(seen[60...])
    #expect(abs(rate - load.rate) <= load.rate / 10, "\(rate) \(seen.map(\.limit))")
    for second in seen { #expect((2...200).contains(second.limit)) }
    if load.workers == 10 { #expect(seen[60...].allSatisfy { $0.limit <= 30 }, "\(seen.map(\.limit))") }
  }

  @Test(
    "Of ten workers six leave for two minutes: the answers are within a tenth of what is possible before and a minute after each change",
    arguments: Spread.allCases)
  func recovery(_ spread: Spread) throws {
    let seen = try LoadRun.seconds(
      10, time: .milliseconds(100), callers: 30, seconds: 360, Self.numbers(spread),
      before: {
        if $1 == 120 { $0.setCount(4) }
        if $1 == 240 { $0.setCount(10) }
      },
      share: { spread.draw() })
    for (begin, rate) in [(60, 100.0), (180, 40), (300, 100)] {
      let answers = Self.mean(seen[begin..<begin + 60])
      #expect(abs(answers - rate) <= rate / 10, "\(begin): \(answers) \(seen.map(\.limit))")
    }
  }
}
