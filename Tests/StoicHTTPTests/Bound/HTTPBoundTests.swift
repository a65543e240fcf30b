import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("The bound of a policy", .timeLimit(.minutes(30)))
struct HTTPBoundTests {
  /// The virtual time that a body takes.
  private static func time(_ body: () async throws -> Void) async rethrows -> Duration {
    let start = Ambient.clock.now
    try await body()
    return start.duration(to: Ambient.clock.now)
  }

  @Test("The presets cost at most what their numbers come to")
  func presets() {
    let standard = HTTPPolicy.standard.bound
    #expect(standard.attempts == 3 && standard.exchanges == 63)
    // Three times 80 s of queue and 10 s of attempt, and two waits of a minute and the schedule's own.
    #expect(standard.elapsed == .milliseconds(390_600))
    #expect(standard.floor?.retries == 10 && standard.floor?.window == .seconds(10))
    #expect(standard.load == 3)
    #expect(HTTPPolicy.interactive.bound.elapsed == .seconds(15))
    #expect(HTTPPolicy.server.bound.elapsed == .seconds(30))
    #expect(
      standard.description
        == "at most 3 attempts, 63 requests with redirects, at most 390.6s, 10 retries in 10s when all fail")
  }

  @Test("Without a budget each call may bring all attempts; with one, many calls share its floor")
  func load() {
    var policy = HTTPPolicy.standard
    let bound = policy.bound
    #expect(bound.load(callsPerSecond: 0.1) == 3)
    #expect(abs(bound.load(callsPerSecond: 5) - (1 + 10 / 49.5)) < 1e-12)
    #expect(bound.load(callsPerSecond: .infinity) == 1)
    #expect([Double.nan, 0, -1].map { bound.load(callsPerSecond: $0) } == [3, 3, 3])
    policy.budget = nil
    #expect(policy.bound.load(callsPerSecond: 5) == 3 && policy.bound.floor == nil)
    policy.budget = RetryBudget(ratio: 1, minimumRetries: 0)
    #expect(policy.bound.load == 1 && policy.bound.attempts == 3)
    policy.budget = RetryBudget(ratio: 0, minimumRetries: 0)
    #expect(policy.bound.load == 1 && policy.bound.attempts == 1)
  }

  @Test("Values that send nothing, never end, or are as large as numbers get have a bound too")
  func extremes() {
    var policy = HTTPPolicy.standard
    policy.attemptTimeout = .zero
    #expect(policy.bound.attempts == 0 && policy.bound.elapsed == .zero && policy.bound.load == 0)
    policy = .standard
    policy.timeout = .seconds(-1)
    #expect(policy.bound.attempts == 0 && policy.bound.elapsed == .zero)
    policy = .standard
    policy.attemptTimeout = .seconds(Int64.max)
    #expect(policy.bound.elapsed == nil)
    policy.timeout = .seconds(3)
    #expect(policy.bound.elapsed == .seconds(3))
    policy = .standard
    policy.retry.maxAttempts = .max
    policy.queueLimitPerHost = .max
    policy.maxConcurrentPerHost = 1
    #expect(policy.bound.attempts == .max && policy.bound.exchanges == .max && policy.bound.elapsed == nil)
    #expect(policy.bound.attempts(ofCalls: .max, within: .seconds(Int64.max)) == .max)
    #expect(policy.bound.attempts(ofCalls: -1, within: .seconds(-1)) == 0)
  }

  @Test("Attempts and requests are reached: three attempts, each redirected twenty times")
  func exchanges() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 3)
      let hop = ScriptedTransport.Step.status(307, headers: ["Location": "/a"])
      let attempt = Array(repeating: hop, count: 20) + [.status(503)]
      lab.transport.on(.get("/a"), respond: attempt + attempt + attempt)
      #expect(await lab.get("/a") == "503")
      #expect(lab.transport.requests.count == 63 && lab.api.policy.bound.exchanges == 63)
    }
  }

  @Test("The time is reached: every attempt hangs and every wait is whole")
  func hanging() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 4) {
        $0.queueLimitPerHost = 0
        $0.maxRetryAfter = .zero
      }
      lab.transport.on(.get("/a"), respond: [.hang])
      let time = await Self.time { _ = await lab.get("/a") }
      #expect(time == .milliseconds(41_400) && lab.api.policy.bound.elapsed == time)
    }
  }

  @Test("The time of the queue is reached: all who are ahead hang")
  func queue() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.maxConcurrentPerHost = 2
        $0.queueLimitPerHost = 3
      }
      lab.transport.on(.any, respond: [.hang])
      let time = await Self.time { _ = await lab.getAll((0..<5).map { "/\($0)" }) }
      #expect(time == .seconds(30) && lab.api.policy.bound.elapsed == time)
    }
  }

  @Test("The time of the queue's own timeout is reached, where that comes first")
  func queueTimeout() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.maxConcurrentPerHost = 1
        $0.queueLimitPerHost = 9
        $0.queueTimeout = .seconds(12)
      }
      lab.transport.on(.any, respond: [.hang])
      let outcomes = await lab.getAll((0..<10).map { "/\($0)" })
      #expect(outcomes.sorted() == Array(repeating: "bulkhead_full", count: 8) + ["timed_out", "timed_out"])
      #expect(lab.api.policy.bound.elapsed == .seconds(22))
    }
  }

  @Test("The overall time is reached, and is all that a call takes")
  func timeout() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 3) { $0.timeout = .seconds(12) }
      lab.transport.on(.get("/a"), respond: [.hang])
      let time = await Self.time { #expect(await lab.get("/a") == "deadline_exceeded") }
      #expect(time == .seconds(12) && lab.api.policy.bound.elapsed == time)
    }
  }

  @Test(
    "The time that a server may ask for is reached but for the instant at which an attempt would time out")
  func retryAfter() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 3) { $0.queueLimitPerHost = 0 }
      let late = ScriptedTransport.Step.status(503, headers: ["Retry-After": "900"])
        .after(.seconds(10) - .nanoseconds(1))
      lab.transport.on(.get("/a"), respond: [late, late, .hang])
      let time = await Self.time { #expect(await lab.get("/a") == "timed_out") }
      #expect(lab.api.policy.bound.elapsed == .seconds(150))
      #expect(time == .seconds(150) - .nanoseconds(2))
    }
  }

  @Test("The attempts that fit into a time are reached: they fail at once and wait as shortly as they can")
  func attemptsWithin() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 9) { $0.timeout = .seconds(3) }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      #expect(await lab.get("/a") == "deadline_exceeded")
      // 0.2, 0.4, 0.8 and 1.6 s are 3 s: the fifth would begin at the deadline.
      #expect(lab.transport.requests.count == 4 && lab.api.policy.bound.attempts == 4)
    }
  }

  @Test(
    "The load of many calls is reached, burst after burst: the floor of the budget in each of its windows")
  func floor() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab(attempts: 3) {
        $0.maxConcurrentPerHost = nil
        $0.breaker = nil
        $0.retry.base = .zero
      }
      lab.transport.on(.any, respond: [.status(503)])
      let paths = (0..<20).map { "/\($0)" }
      _ = await lab.getAll(paths)
      let bound = lab.api.policy.bound
      #expect(lab.transport.requests.count == 30 && bound.attempts(ofCalls: 20, within: .zero) == 30)
      try await Ambient.sleep(for: .seconds(10))
      _ = await lab.getAll(paths)
      #expect(lab.transport.requests.count == 60 && bound.attempts(ofCalls: 40, within: .seconds(10)) == 60)
    }
  }
}
