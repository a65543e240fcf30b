import Stoic
import StoicTesting
import Testing

@Suite("What a hedge costs its budgets")
struct HedgeBudgetTests {
  private static let soon = Hedge.Configuration(delay: .fixed(.milliseconds(100)))

  @Test("A hedge that the own budget does not pay for is not made, and the call ends with the first attempt")
  func ownBudget() throws {
    try simulate(seeds: 0..<100) {
      var numbers = Self.soon
      (numbers.ratio, numbers.minimumHedges) = (0.05, 0)
      let hedge = Hedge(numbers)
      let events = EventRecorder()
      let turns = Turns()
      let slow: @Sendable () async throws -> Int = {
        let turn = turns.next()
        try await Ambient.sleep(for: .milliseconds(500))
        return turn
      }
      let first = try await withEvents(events) { try await hedge.run(slow) }
      #expect(first == 1)
      #expect(events.events.map(\.name) == ["hedge.throttled"])
      #expect(events.events.first?["reason"] == "hedge_budget")
      // One of twenty successes is a hedge.
      for _ in 0..<19 { try await hedge.run {} }
      #expect(hedge.available == 1)
      let value = try await hedge.run(slow)
      #expect(value == 2 && turns.count == 3)
      #expect(hedge.available == 0)
    }
  }

  @Test("A hedge that the retry budget does not pay for is not made, and costs the own budget nothing")
  func retryBudget() throws {
    try simulate(seeds: 0..<100) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 1, window: .seconds(60))
      var numbers = Self.soon
      numbers.minimumHedges = 9
      let hedge = Hedge(numbers, budget: budget)
      let events = EventRecorder()
      let turns = Turns()
      for expected in [2, 3] {
        try await withEvents(events) {
          try await hedge.run {
            _ = turns.next()
            try await Ambient.sleep(for: .milliseconds(500))
          }
        }
        #expect(turns.count == expected)
        #expect(budget.available == 0 && hedge.available == 8)
      }
      #expect(events.events.map(\.name) == ["hedge.started", "hedge.throttled"])
      #expect(events.events.last?["reason"] == "retry_budget")
    }
  }

  @Test("A hedge that is refused further in costs neither budget anything")
  func refused() throws {
    try simulate(seeds: 0..<100) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 3, window: .seconds(60))
      let hedge = Hedge(Self.soon, budget: budget)
      let bulkhead = Bulkhead(maxConcurrent: 1, queueLimit: 0)
      let start = milliseconds
      try await hedge.run {
        try await bulkhead.run { try await Ambient.sleep(for: .milliseconds(500)) }
      }
      #expect(milliseconds - start == 500)
      #expect(budget.available == 3 && hedge.available == 1)
    }
  }

  @Test("A call that succeeds pays into the retry budget once, and not inside a retry, which does so itself")
  func deposits() throws {
    try simulate(seeds: 0..<20) {
      let budget = RetryBudget(ratio: 1, minimumRetries: 0, window: .seconds(60))
      let hedge = Hedge(Self.soon, budget: budget)
      try await hedge.run {}
      #expect(budget.available == 1)
      try await retry(budget: budget) { _ in try await hedge.run {} }
      #expect(budget.available == 2)
      let end = await word { try await hedge.run { throw Fault() } }
      #expect(end == "fault" && budget.available == 2)
    }
  }
}
