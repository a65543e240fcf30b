import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead under load")
struct AdaptiveOverloadTests {
  @Test("probe")
  func probe() throws {
    try simulate(seeds: 0..<1) {
      let bulkhead = AdaptiveBulkhead()
      let server = Workers(64, time: .milliseconds(100))
      let callers = (0..<80).map { _ in
        Ambient.task {
          while !Task.isCancelled {
            let noise = Double(Ambient.random.next() % 1000) / 1000
            try await bulkhead.run { try await server.answer(share: 0.5 + noise) }
          }
        }
      }
      var before = 0
      for second in 0..<90 {
        if second == 30 { server.setCount(16) }
        if second == 60 { server.setCount(64) }
        try await Ambient.sleep(for: .seconds(1))
        print(second, bulkhead.limit, server.answered - before, bulkhead.baseline as Any)
        before = server.answered
      }
      for caller in callers { caller.cancel() }
      for caller in callers { _ = await caller.result }
      #expect(bulkhead.inUse == 0)
    }
  }
}
