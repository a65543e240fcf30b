import Foundation
import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead under load")
struct AdaptiveOverloadTests {
  /// Callers who ask again and again, more than the server can work for at once; what is seen in each second.
  private func load(
    _ bulkhead: AdaptiveBulkhead, _ server: Workers, callers: Int, seconds: Int,
    share: @escaping @Sendable () -> Double = { 1 }, before: (Int) -> Void = { _ in }
  ) async throws -> [LoadSecond] {
    let calls = (0..<callers).map { _ in
      Ambient.task { while true { try await bulkhead.run { try await server.answer(share: share()) } } }
    }
    var seen: [LoadSecond] = []
    var answered = 0
    for second in 0..<seconds {
      before(second)
      try await Ambient.sleep(for: .seconds(1))
      seen.append(LoadSecond(limit: bulkhead.limit, answered: server.answered - answered))
      answered = server.answered
    }
    for call in calls { call.cancel() }
    for call in calls { #expect(await call.result.isCancellation) }
    #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    return seen
  }

  private static let numbers = AdaptiveBulkhead.Configuration(initialLimit: 10, queueLimit: 1_000)

  /// Checks some seconds: the answers within a tenth of what the workers can give, and each limit no less than a tenth below
  /// their number and a fifth above it, or three.
  private func check(_ seen: ArraySlice<LoadSecond>, workers: Int, rate: Double) {
    for second in seen {
      #expect((workers - workers / 10...workers + max(3, workers / 5)).contains(second.limit))
    }
    let answered = seen.reduce(0) { $0 + $1.answered }
    #expect(abs(Double(answered) / Double(seen.count) - rate) <= rate / 10)
  }

  // 40 workers at 0.1 s answer 400 requests a second.
  @Test(
    "With 40 workers that become 10 and 40 again, the answers come within a tenth of what these can give each time"
  )
  func capacity() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: .max) {
      let bulkhead = AdaptiveBulkhead(Self.numbers)
      let server = Workers(40, time: .milliseconds(100))
      let change: (Int) -> Void = { second in
        if second == 10 { server.setCount(10) }
        if second == 20 { server.setCount(40) }
      }
      let seen = try await load(bulkhead, server, callers: 80, seconds: 30, before: change)
      check(seen[6..<10], workers: 40, rate: 400)
      check(seen[17..<20], workers: 10, rate: 100)
      check(seen[27..<30], workers: 40, rate: 400)
      let workers = (0..<30).map { (10..<20).contains($0) ? 10 : 40 }
      let svg = LoadPicture(seen: seen, workers: workers, rate: 10).svg
      #expect(svg.components(separatedBy: "<polyline").count == 4 && !svg.contains("<script"))
      if let path = ProcessInfo.processInfo.environment["STOIC_ADAPTIVE_SVG"] {
        try Data(svg.utf8).write(to: URL(filePath: path))
      }
    }
  }

  @Test("A server that becomes three times as slow and fast again has the limit of before each time")
  func slowness() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: .max) {
      let bulkhead = AdaptiveBulkhead(Self.numbers)
      let server = Workers(40, time: .milliseconds(100))
      let change: (Int) -> Void = { second in
        if second == 8 { server.setTime(.milliseconds(300)) }
        if second == 30 { server.setTime(.milliseconds(100)) }
      }
      let seen = try await load(bulkhead, server, callers: 80, seconds: 40, before: change)
      check(seen[6..<8], workers: 40, rate: 400)
      check(seen[27..<30], workers: 40, rate: 400 / 3)
      check(seen[37..<40], workers: 40, rate: 400)
    }
  }

  @Test("Calls that take from half to one and a half times as long leave the answers within a tenth")
  func noise() throws {
    try simulate(seeds: 0..<2, schedules: [.uniform], stepLimit: .max) {
      let bulkhead = AdaptiveBulkhead(Self.numbers)
      let server = Workers(40, time: .milliseconds(100))
      let share: @Sendable () -> Double = { 0.5 + Ambient.random.fraction() }
      let seen = try await load(bulkhead, server, callers: 80, seconds: 16, share: share)
      for second in seen[8...] {
        #expect(abs(second.answered - 400) <= 40 && (36...54).contains(second.limit))
      }
    }
  }

  @Test("A mild overload that lasts ten minutes does not make the limit creep up")
  func creeping() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: .max) {
      var numbers = Self.numbers
      (numbers.initialLimit, numbers.samples) = (5, 10)
      let bulkhead = AdaptiveBulkhead(numbers)
      let server = Workers(10, time: .seconds(1))
      let seen = try await load(bulkhead, server, callers: 16, seconds: 600)
      for second in seen[60...] { #expect((2...14).contains(second.limit)) }
      // Measuring costs a part of the answers: each 30 s some windows of 3 s.
      let answered = seen[60...].reduce(0) { $0 + $1.answered }
      #expect(answered > 4_590)
    }
  }
}
