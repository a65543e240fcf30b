import Foundation
import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead under load")
struct AdaptiveOverloadTests {
  private static func numbers(initial: Int = 10, samples: Int = 50) -> AdaptiveBulkhead.Configuration {
    AdaptiveBulkhead.Configuration(initialLimit: initial, samples: samples, queueLimit: 1_000)
  }

  /// Checks some seconds: the answers within a tenth of what the workers can give, and each limit no less than a tenth below
  /// their number and a fifth above it, or three.
  private func check(_ seen: ArraySlice<LoadSecond>, workers: Int, rate: Double) {
    for second in seen {
      #expect((workers - workers / 10...workers + max(3, workers / 5)).contains(second.limit))
    }
    let answered = seen.reduce(0) { $0 + $1.answered }
    #expect(abs(Double(answered) / Double(seen.count) - rate) <= rate / 10)
  }

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../design/adaptive-bulkhead.svg").standardizedFileURL

  // 40 workers at 0.1 s answer 400 requests a second. Where STOIC_PICTURES is set the picture is drawn anew.
  @Test(
    "With 40 workers that become 10 and 40 again, the answers come within a tenth of what these can give each time, as the picture beside the contract shows"
  )
  func capacity() throws {
    let seen = try LoadRun.seconds(40, time: .milliseconds(100), callers: 80, seconds: 30, Self.numbers()) {
      if $1 == 10 { $0.setCount(10) }
      if $1 == 20 { $0.setCount(40) }
    }
    check(seen[6..<10], workers: 40, rate: 400)
    check(seen[17..<20], workers: 10, rate: 100)
    check(seen[27..<30], workers: 40, rate: 400)
    let workers = seen.indices.map { (10..<20).contains($0) ? 10 : 40 }
    let drawn = LoadPicture(seen: seen, workers: workers, rate: 10).svg
    if ProcessInfo.processInfo.environment["STOIC_PICTURES"] != nil {
      try Data(drawn.utf8).write(to: Self.page)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == drawn)
  }

  @Test("A server that becomes three times as slow and fast again has the limit of before each time")
  func slowness() throws {
    let seen = try LoadRun.seconds(40, time: .milliseconds(100), callers: 80, seconds: 40, Self.numbers()) {
      if $1 == 8 { $0.setTime(.milliseconds(300)) }
      if $1 == 30 { $0.setTime(.milliseconds(100)) }
    }
    check(seen[6..<8], workers: 40, rate: 400)
    check(seen[27..<30], workers: 40, rate: 400 / 3)
    check(seen[37..<40], workers: 40, rate: 400)
  }

  @Test(
    "Calls that take from half to one and a half times as long leave the answers within a tenth",
    arguments: [0, 1])
  func noise(seed: Int) throws {
    let seen = try LoadRun.seconds(
      40, time: .milliseconds(100), callers: 80, seconds: 16, Self.numbers(), seed: seed,
      share: { 0.5 + Ambient.random.fraction() })
    for second in seen[8...] { #expect(abs(second.answered - 400) <= 40 && (36...54).contains(second.limit)) }
  }

  // Ten workers of a second each answer 600 requests a minute, and there are six callers more than they have time for.
  @Test(
    "A mild overload that lasts ten minutes does not make the limit creep up, and each minute's answers are within a tenth",
    arguments: [(5, 10), (20, 50)])
  func creeping(initial: Int, samples: Int) throws {
    let numbers = Self.numbers(initial: initial, samples: samples)
    let seen = try LoadRun.seconds(10, time: .seconds(1), callers: 16, seconds: 600, numbers)
    for second in seen[20...] { #expect((5...15).contains(second.limit)) }
    #expect(leastMinute(seen[12...]) >= 540)
    let answered = seen[20...].reduce(0) { $0 + $1.answered }
    #expect(answered >= 5_580)
  }

  @Test(
    "In a mild overload half of the workers leave and come back, and in each minute from 20 s on so do the answers"
  )
  func mildLoss() throws {
    let seen = try LoadRun.seconds(
      10, time: .seconds(1), callers: 16, seconds: 360, Self.numbers(samples: 10)
    ) {
      if $1 == 120 { $0.setCount(5) }
      if $1 == 240 { $0.setCount(10) }
    }
    for (begin, rate) in [(0, 600), (120, 300), (240, 600)] {
      let part = seen[begin + 20..<begin + 120]
      #expect(leastMinute(part) * 10 >= rate * 9)
      for second in part { #expect((rate / 150...rate / 60 + 5).contains(second.limit)) }
    }
  }

  /// The fewest answers in a minute of those seconds.
  private func leastMinute(_ seen: ArraySlice<LoadSecond>) -> Int {
    let answers = seen.map(\.answered)
    return (0...answers.count - 60).map { answers[$0..<$0 + 60].reduce(0, +) }.min() ?? 0
  }
}
