import Stoic
import StoicTesting
import Testing

@Suite("Policy")
struct PolicyTests {
  /// Notes when it is entered and left.
  private struct Mark: PolicyStage {
    let name: String
    let notes: Notes

    func run<Value>(_ body: () async throws -> Value) async throws -> Value {
      notes.add("+\(name)")
      defer { notes.add("-\(name)") }
      return try await body()
    }

    var description: String { name }
  }

  @Test("Stages run in the order in which they are written, the first one outermost, and print so")
  func order() async throws {
    let notes = Notes()
    let inner = Policy(Mark(name: "c", notes: notes), Mark(name: "d", notes: notes))
    let policy = Policy(Mark(name: "a", notes: notes), Mark(name: "b", notes: notes), inner)
    #expect(try await policy.run { 7 } == 7)
    #expect(notes.all == ["+a", "+b", "+c", "+d", "-d", "-c", "-b", "-a"])
    #expect("\(policy)" == "a > b > c > d")
    #expect("\(Policy())" == "no policy")
    #expect(try await Policy().run { 8 } == 8)
  }

  @Test("The printed order shows each policy's numbers")
  func printed() {
    let policy = Policy(
      DeadlineStage(.seconds(30)), RetryStage(budget: RetryBudget()), CircuitBreaker(),
      Bulkhead(maxConcurrent: 8, queueTimeout: .seconds(5)), TimeoutStage(.seconds(10)))
    #expect(
      "\(policy)"
        == "deadline (30s) > retry (3 attempts, 0.2s to 10s, retry budget (10 and 0.2 of the successes in 10s))"
        + " > circuit breaker (0.5 of at least 20 calls in 120s, open for 5s)"
        + " > bulkhead (8 at once, 64 waiting for at most 5s) > timeout (10s)")
  }

  @Test("Five policies together: attempts time out, the breaker opens, the budget ends, the deadline rules")
  func five() throws {
    try simulate(seeds: 0..<50) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 3)
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 4))
      let policy = Policy(
        DeadlineStage(.seconds(30)), RetryStage(RetrySchedule(jitter: .none), budget: budget), breaker,
        Bulkhead(maxConcurrent: 1), TimeoutStage(.seconds(1)))
      let calls = Calls()
      let hang = {
        await word {
          try await policy.run {
            calls.add()
            try await Ambient.sleep(for: .seconds(99))
          }
        }
      }
      #expect(await hang() == "timeout")
      #expect(calls.count == 3 && budget.available == 1)
      // The fourth failure opens the breaker; the retry that it refuses costs nothing.
      #expect(await hang() == "breaker_open")
      #expect(calls.count == 4 && budget.available == 1)
      #expect(milliseconds == 3 * 1_000 + 600 + 1_000 + 200)
    }
  }

  @Test("A body that is neither escaping nor Sendable runs on its caller's actor") @MainActor
  func isolation() async throws {
    final class Plain { var count = 0 }
    let plain = Plain()
    let policy = Policy(
      RetryStage(), CircuitBreaker(), Bulkhead(maxConcurrent: 1), TimeoutStage(.seconds(10)))
    try await withClock(TestClock()) {
      try await policy.run {
        MainActor.assertIsolated()
        plain.count += 1
      }
    }
    #expect(plain.count == 1)
  }
}

/// Words in the order in which they were said.
final class Notes: Sendable {
  private let state = Lock<[String]>([])

  var all: [String] { state.withLock { $0 } }

  func add(_ word: String) { state.withLock { $0.append(word) } }
}
