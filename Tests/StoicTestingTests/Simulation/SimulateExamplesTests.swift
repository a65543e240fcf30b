import Stoic
import StoicTesting
import Testing

/// The examples of `simulate`'s documentation, kept true here: the first one is about a failure.
@Suite("Examples of simulate")
struct SimulateExamplesTests {
  @Test("An update that gets lost is found, and its failure tells how to run it again")
  func additions() throws {
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulate(seeds: 0..<1_000) {
          let counter = Counter()
          async let first: Void = counter.addOne()
          async let second: Void = counter.addOne()
          _ = await (first, second)
          #expect(await counter.value == 2)
        }
      })
    #expect(failure.reason == .bodyFailed)
    #expect(failure.description.contains("STOIC_SEED=\(failure.seed) STOIC_SCHEDULE=\(failure.schedule)"))
  }

  @Test("Three attempts with waits of 0.2 and 0.4 seconds end after 0.6")
  func backoff() throws {
    try simulate(seeds: 0..<100) {
      struct Down: Error {}
      let start = Ambient.clock.now
      await #expect(throws: Down.self) {
        try await retry(RetrySchedule(maxAttempts: 3, jitter: .none)) { _ in throw Down() }
      }
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(600))
    }
  }

  @Test("Whenever the caller leaves, the connection is closed")
  func leaving() throws {
    try simulate(seeds: 0..<1_000) {
      let pool = Pool()
      let caller = Ambient.task {
        try await pool.withConnection { try await Ambient.sleep(for: .seconds(3)) }
      }
      try await Ambient.sleep(for: .seconds(Ambient.random.next() % 5))
      caller.cancel()
      _ = await caller.result
      #expect(await pool.open == 0)
    }
  }
}

private actor Counter {
  private(set) var value = 0

  func addOne() async {
    let before = value
    await Task.yield()
    value = before + 1
  }
}

private actor Pool {
  private(set) var open = 0

  func withConnection(_ body: () async throws -> Void) async throws {
    open += 1
    defer { open -= 1 }
    try await body()
  }
}
