import Stoic
import StoicTesting
import Testing

@Suite("Faults of fakes")
struct FaultsTests {
  struct Down: Error {}

  /// Two fakes of one mix; what came of ten calls of each.
  private static func outcomes(_ faults: Faults) async -> [String] {
    var outcomes: [String] = []
    for call in 0..<20 {
      let start = Ambient.clock.now
      var outcome = "value"
      do {
        try await withDeadline(.seconds(10)) { try await faults.meet(Down()) }
      } catch { outcome = error is Down ? "down" : "hang" }
      outcomes.append("\(call % 2) \(outcome) \(start.duration(to: Ambient.clock.now))")
    }
    return outcomes
  }

  @Test("The same seed draws the same faults, another seed others")
  func seeds() throws {
    let seen = Shared<[Int: Set<[String]>]>([:])
    for seed in [1, 1, 2] {
      try simulate(seeds: seed..<seed + 1, schedules: [.uniform]) {
        let outcomes = await Self.outcomes(Faults(failure: 0.3, hang: 0.2, delay: .zero ... .seconds(2)))
        seen.withLock { _ = $0[seed, default: []].insert(outcomes) }
      }
    }
    let all = seen.withLock { $0 }
    #expect(all[1]?.count == 1 && all[2]?.count == 1 && all[1] != all[2])
  }

  @Test("Certain failures fail every call after the delay, certain hangs end by cancellation only")
  func certain() throws {
    try simulate(seeds: 0..<20) {
      let failing = Faults(failure: 1, hang: 1, delay: .seconds(1) ... .seconds(1))
      #expect(await Self.outcomes(failing) == (0..<20).map { "\($0 % 2) down 1.0 seconds" })
      #expect(failing.met == 20)
      #expect(await Self.outcomes(Faults(hang: 1)) == (0..<20).map { "\($0 % 2) hang 10.0 seconds" })
    }
  }

  @Test("A run whose choices are zero meets no fault, nor the longer delay")
  func zero() throws {
    try simulate(seeds: 0..<1, schedules: [.replay([])]) {
      let faults = Faults(failure: 0.9, hang: 0.05, delay: .zero ... .seconds(2))
      #expect(await Self.outcomes(faults) == (0..<20).map { "\($0 % 2) value 0.0 seconds" })
      #expect(faults.met == 0)
    }
  }

  @Test("Shares are those asked for")
  func shares() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: 100_000) {
      let faults = Faults(failure: 0.2)
      var failed = 0
      for _ in 0..<2_000 {
        do { try await faults.meet(Down()) } catch { failed += 1 }
      }
      #expect((340...460).contains(failed) && faults.met == failed)
    }
  }

  @Test("Once the faults have stopped every caller gets through, and what was paid comes back")
  func liveness() throws {
    let report = try simulate(seeds: 0..<200, marks: ["failed", "breaker.opened"]) {
      let faults = Faults(failure: 0.6, hang: 0.1, delay: .zero ... .milliseconds(300))
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(
          minimumCalls: 3, openFor: .milliseconds(200), maxOpenFor: .milliseconds(200)))
      let bulkhead = Bulkhead(maxConcurrent: 2)
      let call: @Sendable () async throws -> Void = {
        try await breaker.run {
          try await bulkhead.run { try await withTimeout(.seconds(1)) { try await faults.meet(Down()) } }
        }
      }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            for _ in 0..<3 {
              do { try await call() } catch { mark("failed") }
            }
          }
        }
      }
      faults.stop()
      let met = faults.met
      // Longer than the breaker stays open; the first success may be the call that fills its window.
      for _ in 0..<2 {
        try await Ambient.sleep(for: .milliseconds(200))
        try await call()
      }
      for _ in 0..<8 { try await call() }
      #expect(breaker.state == .closed && bulkhead.inUse == 0 && faults.met == met)
    }
    #expect(report.seeds == 200)
  }

  @Test(
    "A rate that is no share is brought into one",
    arguments: [(Double.nan, 0.0), (-1, 0), (1.5, 1), (.infinity, 1), (0.25, 0.25)])
  func clamped(_ rate: Double, to share: Double) {
    let faults = Faults(failure: rate, hang: rate, delay: .seconds(-5) ... .seconds(-1))
    #expect(faults.failure == share && faults.hang == share && faults.delay == .zero ... .zero)
  }

  @Test("A failure that needs one fault shrinks to one")
  func shrunk() throws {
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulate(seeds: 0..<100) {
          let faults = Faults(failure: 0.5, delay: .zero ... .seconds(1))
          for call in 0..<10 {
            do { try await faults.meet(Down()) } catch { if call == 3 { throw error } }
          }
        }
      })
    #expect(failure.size.faults == 1 && failure.originalSize.faults > 4)
  }
}
