import Stoic
import StoicTesting
import Testing

@Suite("Hedge under simulation")
struct HedgeUnderSimulation {
  @Test(
    "Hedge: never more than two attempts of a call, budgets are exact, and nothing outlives its call",
    arguments: [false, true])
  func callers(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 4, window: .seconds(3_600))
      let hedge = Hedge(
        Hedge.Configuration(
          delay: .fixed(.milliseconds(50)), ratio: 0, minimumHedges: 5, budgetWindow: .seconds(3_600)),
        budget: budget)
      let (inside, seconds) = (Occupancy(), Calls())
      try await crowd {
        let own = Occupancy()
        defer { #expect(own.now == 0 && own.most <= 2) }
        try await hedge.run {
          own.enter()
          inside.enter()
          defer {
            own.leave()
            inside.leave()
          }
          if own.total == 2 { seconds.add() }
          try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 200)))
          if Ambient.random.next() % 3 == 0 { throw Fault() }
        }
      }
      #expect(inside.now == 0 && seconds.count <= 4)
      // A hedge that found the race over before its first step has cost nothing.
      #expect(budget.available == 4 - seconds.count && hedge.available == 5 - seconds.count)
      try await hedge.run {}
    }
  }
}
