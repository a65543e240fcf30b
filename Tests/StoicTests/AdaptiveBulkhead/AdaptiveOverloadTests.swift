import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead under load")
struct AdaptiveOverloadTests {
  /// What was seen in a virtual second.
  private struct Second {
    let limit: Int
    let answered: Int
  }

  /// Callers who ask again and again, more than the server can work for at once; what is seen in each second.
  private func load(
    _ bulkhead: AdaptiveBulkhead, _ server: Workers, callers: Int, seconds: Int,
    share: @escaping @Sendable () -> Double = { 1 }, before: (Int) -> Void = { _ in }
  ) async throws -> [Second] {
    let calls = (0..<callers).map { _ in
      Ambient.task { while true { try await bulkhead.run { try await server.answer(share: share()) } } }
    }
    var seen: [Second] = []
    var answered = 0
    for second in 0..<seconds {
      before(second)
      try await Ambient.sleep(for: .seconds(1))
      seen.append(Second(limit: bulkhead.limit, answered: server.answered - answered))
      answered = server.answered
    }
    for call in calls { call.cancel() }
    for call in calls { #expect(await call.result.isCancellation) }
    #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    return seen
  }

  private static let numbers = AdaptiveBulkhead.Configuration(initialLimit: 10, queueLimit: 1_000)

  // 40 workers at 0.1 s answer 400 requests a second.
  @Test(
    "With 40 workers that become 10 and 40 again, limit and throughput come within a tenth of what they can do"
  )
  func capacity() throws {
    try simulate(seeds: 0..<1) {
      let bulkhead = AdaptiveBulkhead(Self.numbers)
      let server = Workers(40, time: .milliseconds(100))
      let seen = try await load(
        bulkhead, server, callers: 80, seconds: 36,
        before: { second in
          if second == 12 { server.setCount(10) }
          if second == 24 { server.setCount(40) }
        })
      print(seen.map { "\($0.limit):\($0.answered)" }.joined(separator: " "))
    }
  }

  @Test("noise")
  func noise() throws {
    try simulate(seeds: 0..<1) {
      let bulkhead = AdaptiveBulkhead(Self.numbers)
      let server = Workers(40, time: .milliseconds(100))
      let seen = try await load(
        bulkhead, server, callers: 80, seconds: 36,
        share: {
          0.5 + Double(Ambient.random.next() % 1000) / 1000
        },
        before: { second in
          if second == 12 { server.setTime(.milliseconds(300)) }
          if second == 24 { server.setTime(.milliseconds(100)) }
        })
      print(seen.map { "\($0.limit):\($0.answered)" }.joined(separator: " "))
    }
  }
}
