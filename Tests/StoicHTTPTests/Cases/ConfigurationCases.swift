import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: configurations out of range")
struct ConfigurationCases {
  @Test("CF-01: Less than one attempt is one", arguments: [0, -1, -3, Int.min, Int.min + 1])
  func attempts(count: Int) async throws {
    for isMade in [false, true] {
      for step in [ScriptedTransport.Step.status(200), .status(503), .failure(.networkConnectionLost), .hang]
      {
        var rig = Rig()
        if isMade {
          rig.policy.retry = RetrySchedule(maxAttempts: count, jitter: .none)
        } else {
          rig.policy.retry.maxAttempts = count
        }
        #expect(rig.policy.retry.maxAttempts == 1)
        rig.transport.on(.get("/x"), respond: [step])
        _ = await rig.failure(.get("/x"))
        #expect(rig.transport.requests.count == 1 && rig.waits.isEmpty && rig.isClean)
      }
    }
  }

  @Test(
    "CF-02: Any number of attempts works, to the success and to a cancel",
    arguments: [Int.max, Int.max - 1, 1_000_000, 5])
  func manyAttempts(count: Int) async throws {
    var rig = Rig()
    rig.policy.retry.maxAttempts = count
    rig.transport.on(.get("/x"), respond: Array(repeating: .status(503), count: 4) + [.status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.transport.requests.count == 5)
    #expect(rig.waits == ["0.2s", "0.4s", "0.8s", "1.6s"] && rig.elapsed == .seconds(3))
  }

  @Test(
    "CF-02: Attempts without end end by a cancel, a deadline, the budget or the breaker, and by nothing else")
  func endless() throws {
    try simulate(seeds: 0..<10) {
      let transport = ScriptedTransport()
      transport.on(.get("/x"), respond: [.status(503)])
      func client(_ change: (inout HTTPPolicy) -> Void) -> HTTPClient {
        var policy = Rig.pinned
        policy.retry.maxAttempts = .max
        policy.budget = nil
        policy.breaker = nil
        change(&policy)
        return HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      }
      let patient = client { _ in }
      let call = Ambient.task { try await patient.send(.get("/x")) }
      try await Ambient.sleep(for: .seconds(1_000))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      // 0.2 + 0.4 + … + 6.4 = 12.6 s for six retries, then one every ten seconds.
      #expect(transport.requests.count == 1 + 6 + 98)
      let bounded = client { $0.timeout = .seconds(100) }
      let expired = await #expect(throws: HTTPError.self) { try await bounded.send(.get("/x")) }
      #expect(expired?.rejection?.reason == .deadlineExceeded && expired?.attempts == 1 + 6 + 8)
      let thrifty = client { $0.budget = RetryBudget(ratio: 0, minimumRetries: 3) }
      let spent = await #expect(throws: HTTPError.self) { try await thrifty.send(.get("/x")) }
      #expect(spent?.rejection?.reason == .budgetExhausted && spent?.attempts == 4)
      let guarded = client { $0.breaker = CircuitBreaker.Configuration(minimumCalls: 4) }
      let refused = await #expect(throws: HTTPError.self) { try await guarded.send(.get("/x")) }
      #expect(refused?.rejection?.reason == .breakerOpen && refused?.attempts == 4)
    }
  }

  static let schedules: [(RetrySchedule, [Duration])] = [
    (RetrySchedule(base: .zero, jitter: .none), [.zero, .zero]),
    (RetrySchedule(base: .seconds(-1), jitter: .none), [.zero, .zero]),
    (RetrySchedule(cap: .zero, jitter: .none), [.zero, .zero]),
    (RetrySchedule(cap: .seconds(-1), jitter: .none), [.zero, .zero]),
    (RetrySchedule(base: .seconds(30), jitter: .none), [.seconds(10), .seconds(10)]),
    (RetrySchedule(multiplier: .nan, jitter: .none), [.milliseconds(200), .milliseconds(400)]),
    (RetrySchedule(multiplier: .infinity, jitter: .none), [.milliseconds(200), .seconds(10)]),
    (RetrySchedule(multiplier: -.infinity, jitter: .none), [.milliseconds(200), .milliseconds(200)]),
    (RetrySchedule(multiplier: 0, jitter: .none), [.milliseconds(200), .milliseconds(200)]),
    (RetrySchedule(multiplier: -5, jitter: .none), [.milliseconds(200), .milliseconds(200)]),
    (RetrySchedule(multiplier: .greatestFiniteMagnitude, jitter: .none), [.milliseconds(200), .seconds(10)]),
    (RetrySchedule(backoff: .list([]), jitter: .none), [.milliseconds(200), .milliseconds(200)]),
    (RetrySchedule(backoff: .list([.seconds(-1), .seconds(99)]), jitter: .none), [.zero, .seconds(10)]),
  ]

  @Test(
    "CF-01, CF-02: A schedule out of range makes its three attempts, no hot loop and no endless wait",
    arguments: schedules)
  func schedule(schedule: RetrySchedule, waits: [Duration]) async throws {
    var rig = Rig()
    rig.policy.retry = schedule
    rig.transport.on(.get("/x"), respond: [.status(503)])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.attempts == 3 && error.call.history.dropFirst().map(\.waitBefore) == waits)
    #expect(rig.elapsed == waits.reduce(.zero, +))
  }

  @Test(
    "Limits out of range neither trap nor let anything through that they should not",
    arguments: [Int.min, -1, 0, 1, Int.max])
  func limits(number: Int) async throws {
    var rig = Rig()
    rig.policy.maxConcurrentPerHost = number
    rig.policy.queueLimitPerHost = number
    rig.policy.maxResponseBytes = number
    rig.policy.breaker?.minimumCalls = number
    rig.policy.breaker?.probes = number
    rig.policy.breaker?.successesToClose = number
    rig.policy.budget = RetryBudget(ratio: 0, minimumRetries: number)
    rig.transport.on(.get("/x"), respond: [.status(200), .status(204), .status(404)])
    let api = rig.api
    for expected in [nil, nil, 404] {
      #expect(await rig.repeating(1, .get("/x"), over: api)?.status == expected)
    }
    #expect(rig.transport.requests.count == 3)
  }

  @Test(
    "Ratios and times out of range neither trap nor refuse a healthy host",
    arguments: [
      Double.nan, .infinity, -.infinity, -1, 0, 2, .leastNonzeroMagnitude, .greatestFiniteMagnitude,
    ])
  func ratios(ratio: Double) async throws {
    for time in [
      Duration.zero, .seconds(-1), .nanoseconds(1), .seconds(Int64.max), Duration(attoseconds: .min),
    ] {
      var rig = Rig()
      rig.policy.breaker = CircuitBreaker.Configuration(
        failureRatio: ratio, minimumCalls: 1, window: time, openFor: time)
      rig.policy.breaker?.probeTimeout = time
      rig.policy.budget = RetryBudget(ratio: ratio, minimumRetries: 10, window: time)
      rig.policy.maxRetryAfter = time
      rig.transport.on(.get("/x"), respond: [.status(200)])
      #expect(await rig.repeating(5, .get("/x"), over: rig.api) == nil)
      #expect(rig.transport.requests.count == 5 && rig.elapsed == .zero)
    }
  }
}
