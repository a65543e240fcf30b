import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead under simulation")
struct AdaptiveBulkheadUnderSimulation {
  @Test(
    "Adaptive bulkhead: bounds hold, all permits are back and all get their turn, whoever leaves when",
    arguments: [false, true])
  func callers(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let bulkhead = AdaptiveBulkhead(
        AdaptiveBulkhead.Configuration(
          initialLimit: 2, minLimit: 1, maxLimit: 3, window: .milliseconds(20), samples: 1,
          baselineLifetime: .milliseconds(100), queueLimit: 4, queueTimeout: .milliseconds(300)))
      let inside = Occupancy()
      try await crowd {
        try await bulkhead.run {
          inside.enter()
          defer { inside.leave() }
          try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 100)))
          if Ambient.random.next() % 3 == 0 { throw Fault() }
        }
        #expect((1...3).contains(bulkhead.limit))
      }
      #expect(inside.most <= 3 && inside.now == 0)
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
      try await bulkhead.run {}
    }
  }
}
