import Stoic
import StoicTesting
import Testing

@Suite("A breaker around queues, in a policy")
struct QueuedBreakerTests {
  struct Down: Error {}

  /// What calls queue in, one after the other.
  enum Queue: CaseIterable, Sendable { case bulkhead, adaptive, both, nested, hedged }

  private static func policy(_ queue: Queue, _ breaker: CircuitBreaker) -> Policy {
    let bulkhead = Bulkhead(maxConcurrent: 1)
    let adaptive = AdaptiveBulkhead(
      AdaptiveBulkhead.Configuration(initialLimit: 1, minLimit: 1, maxLimit: 1))
    return switch queue {
    case .bulkhead, .hedged: Policy(breaker, bulkhead)
    case .adaptive: Policy(breaker, adaptive)
    case .both: Policy(breaker, adaptive, bulkhead, TimeoutStage(.seconds(60)))
    case .nested: Policy(DeadlineStage(.seconds(600)), Policy(breaker, Policy(bulkhead)))
    }
  }

  /// Makes so many calls at once; how many ended how.
  private static func crowd(
    _ count: Int, _ queue: Queue, _ policy: Policy, _ body: @escaping @Sendable () async throws -> Void
  ) async -> [String: Int] {
    await withTaskGroup(of: String.self) { group in
      for _ in 0..<count {
        group.addTask {
          do {
            if queue == .hedged { try await policy.runHedged(body) } else { try await policy.run(body) }
            return "value"
          } catch let rejection as Rejection {
            return rejection.reason.rawValue
          } catch { return "\(type(of: error))" }
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  @Test(
    "Whoever has queued asks again, so that no more calls meet a dead server than open the breaker",
    arguments: Queue.allCases)
  func asksAgain(queue: Queue) throws {
    try simulate(seeds: 0..<50) {
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 3))
      let ends = await Self.crowd(40, queue, Self.policy(queue, breaker)) {
        try await Ambient.sleep(for: .milliseconds(100))
        throw Down()
      }
      #expect(ends == ["Down": 3, "breaker_open": 37])
      #expect(breaker.droppedResults == 0)
    }
  }

  @Test("The time in the queue makes no call a slow one", arguments: Queue.allCases)
  func slow(queue: Queue) throws {
    try simulate(seeds: 0..<50) {
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(minimumCalls: 3, slowCallDuration: .seconds(3), slowCallRatio: 0.5))
      let ends = await Self.crowd(20, queue, Self.policy(queue, breaker)) {
        try await Ambient.sleep(for: .seconds(1))
      }
      #expect(ends == ["value": 20] && breaker.state == .closed)
    }
  }

  @Test("A probe's time begins when it leaves the queue, and one that is refused there gives its place back")
  func probe() throws {
    try simulate(seeds: 0..<50) {
      let breaker = CircuitBreaker(
        CircuitBreaker.Configuration(minimumCalls: 1, openFor: .seconds(1), probeTimeout: .seconds(5)))
      let bulkhead = Bulkhead(maxConcurrent: 1, queueTimeout: .seconds(20))
      let policy = Policy(breaker, bulkhead)
      await #expect(throws: Down.self) { try await policy.run { throw Down() } }
      try await Ambient.sleep(for: .seconds(1))
      for wait in [Duration.seconds(30), .seconds(6)] {
        async let other: Void = bulkhead.run { try await Ambient.sleep(for: wait) }
        while bulkhead.inUse == 0 { await Task.yield() }
        if wait > .seconds(20) {
          await #expect(throws: Rejection(.bulkheadFull)) { try await policy.run {} }
          #expect(breaker.state == .halfOpen)
        } else {
          try await policy.run { try await Ambient.sleep(for: .seconds(4)) }
          #expect(breaker.state == .closed)
        }
        try await other
      }
    }
  }

  @Test("A policy prints its stages as they were written, also where a breaker and its queues are one")
  func printed() {
    let policy = Policy(CircuitBreaker(), Policy(Bulkhead(maxConcurrent: 2)), TimeoutStage(.seconds(1)))
    #expect(policy.stages.count == 3)
    #expect("\(policy)" == "\(CircuitBreaker()) > \(Bulkhead(maxConcurrent: 2)) > timeout (1s)")
  }
}
