import Stoic
import StoicTesting
import Testing

@Suite("Calls from an actor") @MainActor
struct CallersActorTests {
  /// One way to run a body.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (() async throws -> Int) async throws -> Int

    init(_ name: String, _ run: @escaping @Sendable (() async throws -> Int) async throws -> Int) {
      testDescription = name
      self.run = run
    }
  }

  nonisolated static let ways: [Way] = [
    Way("the bare body") { try await $0() },
    Way("withClock") { try await withClock(TestClock(), $0) },
    Way("withRandom") { try await withRandom(.seeded(1), $0) },
    Way("withEvents") { try await withEvents(PrintSink(), $0) },
    Way("withDeadline") { try await withDeadline(.seconds(600), $0) },
    Way("withoutDeadline") { try await withoutDeadline($0) },
    Way("withTimeout") { try await withTimeout(.seconds(600), $0) },
    Way("retry") { body in try await retry { _ in try await body() } },
    Way("a breaker") { try await CircuitBreaker().run($0) },
    Way("a bulkhead") { try await Bulkhead(maxConcurrent: 1).run($0) },
    Way("a flight") { try await SingleFlight<Int, Int>().run(1, $0) },
    Way("a policy of many") { body in
      try await Policy(
        RetryStage(), CircuitBreaker(), Bulkhead(maxConcurrent: 1), TimeoutStage(.seconds(600))
      ).run(body)
    },
  ]

  @Test(
    "The body runs on the caller's actor though nothing ties it there, and nobody else gets a turn",
    arguments: ways)
  func staysOnTheActor(_ way: Way) async throws {
    var others = 0
    let other = Task { others += 1 }
    let body: () async throws -> Int = { #isolation === MainActor.shared ? 1 : 0 }
    #expect(try await way.run(body) == 1)
    #expect(others == 0)
    await other.value
  }
}
