import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Warnings of a policy", .timeLimit(.minutes(30)))
struct HTTPWarningTests {
  private static func warnings(_ change: (inout HTTPPolicy) -> Void) -> [PolicyWarning] {
    var policy = HTTPPolicy.standard
    change(&policy)
    return policy.warnings
  }

  @Test("The presets warn of nothing")
  func presets() {
    #expect(HTTPPolicy.standard.warnings == [])
    #expect(HTTPPolicy.interactive.warnings == [])
    #expect(HTTPPolicy.server.warnings == [])
  }

  @Test("Times that do not fit into each other are told with their numbers")
  func times() {
    #expect(
      Self.warnings { $0.timeout = .seconds(10) }
        == [.attemptTimeoutPastDeadline(attempt: .seconds(10), deadline: .seconds(10))])
    #expect(Self.warnings { $0.timeout = .seconds(10) + .nanoseconds(1) } == [])
    #expect(
      Self.warnings { ($0.timeout, $0.queueTimeout) = (.seconds(20), .seconds(20)) }
        == [.queueTimeoutPastDeadline(queue: .seconds(20), deadline: .seconds(20))])
    #expect(Self.warnings { $0.queueTimeout = .zero } == [.queueWithoutTime(queueLimit: 64)])
    #expect(Self.warnings { ($0.queueTimeout, $0.queueLimitPerHost) = (.zero, 0) } == [])
    #expect(
      Self.warnings {
        ($0.queueTimeout, $0.timeout, $0.maxConcurrentPerHost) = (.seconds(90), .seconds(20), nil)
      } == [])
    #expect(Self.warnings { $0.attemptTimeout = .zero } == [.noTime(.zero)])
    #expect(Self.warnings { $0.timeout = .seconds(-1) }.contains(.noTime(.seconds(-1))))
  }

  @Test(
    "Retries that cannot be are told: one attempt, a cap below the base, waits beyond the deadline, an empty budget"
  )
  func retries() {
    #expect(Self.warnings { $0.retry.maxAttempts = 1 } == [.retryOfOneAttempt])
    #expect(Self.warnings { ($0.retry.maxAttempts, $0.budget) = (1, nil) } == [])
    #expect(
      Self.warnings { ($0.retry.base, $0.retry.cap) = (.seconds(2), .seconds(1)) }
        == [.capBelowBase(cap: .seconds(1), base: .seconds(2))])
    #expect(
      Self.warnings { ($0.retry.jitter, $0.retry.base, $0.timeout) = (.none, .seconds(9), .seconds(11)) }
        == [.attemptsPastDeadline(possible: 2, attempts: 3, deadline: .seconds(11))])
    #expect(Self.warnings { $0.budget = RetryBudget(ratio: 0, minimumRetries: 0) } == [.budgetNeverPays])
    #expect(
      Self.warnings { $0.budget = RetryBudget(ratio: 0.2, minimumRetries: 0) } == [
        .budgetWithoutFloor(ratio: 0.2)
      ])
  }

  @Test("Breakers that may never open, never close, or never see a slow call are told")
  func breakers() {
    // 20 calls of 10 s in 120 s are 1.67 at once.
    #expect(Self.warnings { $0.maxConcurrentPerHost = 2 } == [])
    #expect(
      Self.warnings { $0.maxConcurrentPerHost = 1 }
        == [
          .breakerNeverOpens(minimumCalls: 20, timeout: .seconds(10), window: .seconds(120), concurrency: 1)
        ])
    #expect(
      Self.warnings {
        $0.maxConcurrentPerHost = 1
        $0.breaker?.lastCalls = 12
      } == [])
    #expect(
      Self.warnings { $0.breaker = .init(minimumCalls: 2, window: .seconds(19)) }
        == [.breakerWindowTooShort(window: .seconds(19), timeout: .seconds(10))])
    #expect(Self.warnings { $0.breaker = .init(minimumCalls: 2, window: .seconds(20)) } == [])
    #expect(
      Self.warnings { $0.breaker?.slowCallDuration = .seconds(11) }
        == [.slowCallsTimeOut(slow: .seconds(11), timeout: .seconds(10))])
    #expect(
      Self.warnings { $0.breaker?.probeTimeout = .seconds(10) }
        == [.probeTimeoutTooShort(probe: .seconds(10), timeout: .seconds(10))])
    #expect(
      Self.warnings { $0.breaker?.maxOpenFor = .seconds(4) }
        == [.openTimeBelowFirst(longest: .seconds(4), first: .seconds(5))])
    #expect(Self.warnings { ($0.breaker, $0.maxConcurrentPerHost) = (nil, 1) } == [])
  }

  @Test("Hedges, limits and throttles that have no effect are told")
  func stages() {
    #expect(
      Self.warnings { $0.hedge = .init(delay: .fixed(.seconds(10))) }
        == [.hedgeAfterTimeout(delay: .seconds(10), timeout: .seconds(10))])
    #expect(Self.warnings { $0.hedge = .init(ratio: 0, minimumHedges: 0) } == [.hedgeNeverPaid])
    #expect(Self.warnings { $0.hedge = .init() } == [])
    #expect(
      Self.warnings { $0.adaptiveConcurrency = .init(minLimit: 5, maxLimit: 3) } == [
        .limitCannotAdapt(limit: 5)
      ])
    #expect(
      Self.warnings { $0.adaptiveConcurrency = .init(queueTimeout: .zero) } == [
        .queueWithoutTime(queueLimit: 64)
      ])
    // The fixed bulkhead's numbers are not looked at then.
    #expect(Self.warnings { ($0.adaptiveConcurrency, $0.queueTimeout) = (.init(), .zero) } == [])
    #expect(
      Self.warnings { $0.rateLimit = .init(calls: 1, maxWait: .zero) } == [.queueWithoutTime(queueLimit: 64)])
    #expect(Self.warnings { $0.throttle = .init(maxRejection: 0) } == [.throttleNeverRefuses])
    #expect(
      Self.warnings { ($0.throttle, $0.rateLimit) = (.init(), .init(calls: 4)) }
        == [.rateLimitBelowThrottle(limit: 4, minimum: 5)])
    #expect(Self.warnings { ($0.throttle, $0.rateLimit) = (.init(), .init(calls: 5)) } == [])
    #expect(Self.warnings { $0.quota = QuotaPacing(maxWait: .zero) } == [.quotaWithoutWait(.zero)])
    #expect(Self.warnings { $0.quota = QuotaPacing(maxWait: .nanoseconds(1)) } == [])
  }

  @Test("Rates, permits and multipliers that leave no room for another policy are told with their numbers")
  func rates() {
    #expect(
      Self.warnings { $0.rateLimit = .init(calls: 1, per: .seconds(10)) }
        == [.rateLimitBelowBreaker(possible: 13, minimumCalls: 20, window: .seconds(120))])
    #expect(Self.warnings { $0.rateLimit = .init(calls: 1, per: .seconds(6), burst: 1) } == [])
    #expect(
      Self.warnings { ($0.rateLimit, $0.timeout) = (.init(calls: 1, per: .seconds(6)), .seconds(12)) }
        == [.rateLimitBelowRetry(possible: 2, attempts: 3, deadline: .seconds(12))])
    #expect(
      Self.warnings {
        ($0.rateLimit, $0.timeout) = (.init(calls: 1, per: .seconds(6)), .seconds(12) + .nanoseconds(1))
      } == [])
    // An attempt of 10 s and a first wait of 0.2 s.
    func refusing(after token: Duration, _ change: (inout HTTPPolicy) -> Void = { _ in }) -> [PolicyWarning] {
      Self.warnings {
        $0.rateLimit = .init(calls: 1, per: token, queueLimit: 0)
        ($0.retryStatuses, $0.retryKeyedConflict, $0.breaker) = ([], false, nil)
        change(&$0)
      }
    }
    let latest = Duration.milliseconds(10_200)
    #expect(refusing(after: latest) == [])
    #expect(
      refusing(after: latest + .nanoseconds(1))
        == [.rateLimitRefusesRetry(token: latest + .nanoseconds(1), latest: latest)])
    #expect(refusing(after: .seconds(60)) { $0.rateLimit?.burst = 2 } == [])
    #expect(refusing(after: .seconds(60)) { $0.rateLimit?.queueLimit = 1 } == [])
    #expect(refusing(after: .seconds(60)) { $0.retryStatuses = [503] } == [])
    #expect(refusing(after: .seconds(60)) { $0.quota = QuotaPacing(maxWait: .seconds(50)) } == [])
    // There is one permit and several tokens in an attempt's time, so that the queue counts, of 64 attempts.
    #expect(
      refusing(after: .seconds(60)) { ($0.maxConcurrentPerHost, $0.attemptTimeout) = (1, .seconds(60)) } == []
    )
    #expect(
      Self.warnings { ($0.maxConcurrentPerHost, $0.hedge, $0.breaker) = (1, .init(), nil) }
        == [.hedgeWithoutRoom(permits: 1)])
    #expect(
      Self.warnings { ($0.adaptiveConcurrency, $0.hedge) = (.init(minLimit: 1, maxLimit: 1), .init()) }
        .contains(.hedgeWithoutRoom(permits: 1)))
    let slow = RateLimiter.Configuration(calls: 1, per: .seconds(6))
    #expect(
      Self.warnings { ($0.rateLimit, $0.hedge) = (slow, .init(delay: .fixed(.seconds(5)))) }
        == [.rateLimitBelowHedge(token: .seconds(6), latest: .seconds(5))])
    #expect(Self.warnings { ($0.rateLimit, $0.hedge) = (slow, .init(delay: .fixed(.seconds(6)))) } == [])
    // A quantile may be as late as the attempt's end.
    #expect(Self.warnings { ($0.rateLimit, $0.hedge) = (slow, .init()) } == [])
    #expect(
      Self.warnings {
        ($0.rateLimit, $0.hedge, $0.breaker) = (.init(calls: 1, per: .seconds(11)), .init(), nil)
      } == [.rateLimitBelowHedge(token: .seconds(11), latest: .seconds(10))])
    #expect(
      Self.warnings {
        ($0.rateLimit, $0.hedge, $0.breaker) = (.init(calls: 1, per: .seconds(11), burst: 2), .init(), nil)
      } == [])
    #expect(Self.warnings { $0.throttle = .init(multiplier: 1) } == [.throttleHardlyRecovers(multiplier: 1)])
    #expect(Self.warnings { $0.maxConcurrentPerHost = nil } == [])
    #expect(
      Self.warnings { ($0.maxConcurrentPerHost, $0.rateLimit) = (nil, .init(calls: 10)) } == [])
  }

  @Test("Faults in a policy are told, a mix of none is not")
  func faults() {
    #expect(Self.warnings { $0.faults = HTTPFaults(hang: 0.5) } == [.injectsFaults("faults (0.5 hang)")])
    #expect(Self.warnings { $0.faults = HTTPFaults() } == [])
  }

  @Test("Each warning is one sentence with its numbers, and says what to do")
  func sentences() {
    let warning = PolicyWarning.breakerNeverOpens(
      minimumCalls: 20, timeout: .seconds(10), window: .seconds(12), concurrency: 8)
    #expect(
      warning.description
        == "the breaker wants 20 calls in 12s, and 8 at once that hang for 10s each are fewer in that time, so it may "
        + "never open; lengthen its window, or ask for fewer calls")
    let all: [PolicyWarning] = [
      warning, .noTime(.zero), .attemptTimeoutPastDeadline(attempt: .seconds(10), deadline: .seconds(5)),
      .queueTimeoutPastDeadline(queue: .seconds(10), deadline: .seconds(5)), .queueWithoutTime(queueLimit: 3),
      .capBelowBase(cap: .seconds(1), base: .seconds(2)), .retryOfOneAttempt, .retryWithinRetry(attempts: 3),
      .attemptsPastDeadline(possible: 1, attempts: 3, deadline: .seconds(5)), .budgetNeverPays,
      .budgetWithoutFloor(ratio: 0.1), .breakerWindowTooShort(window: .seconds(5), timeout: .seconds(10)),
      .openTimeBelowFirst(longest: .seconds(1), first: .seconds(5)),
      .slowCallsTimeOut(slow: .seconds(20), timeout: .seconds(10)),
      .probeTimeoutTooShort(probe: .seconds(1), timeout: .seconds(10)),
      .breakerInsideTimeLimit(limit: .seconds(5)),
      .hedgeAfterTimeout(delay: .seconds(3), timeout: .seconds(2)),
      .hedgeNeverPaid, .limitCannotAdapt(limit: 3), .throttleNeverRefuses,
      .rateLimitBelowThrottle(limit: 4, minimum: 5), .quotaWithoutWait(.zero),
      .hedgeWithoutRoom(permits: 1), .rateLimitBelowHedge(token: .seconds(6), latest: .seconds(5)),
      .rateLimitBelowRetry(possible: 1, attempts: 3, deadline: .seconds(5)),
      .rateLimitBelowBreaker(possible: 13, minimumCalls: 20, window: .seconds(120)),
      .rateLimitRefusesRetry(token: .seconds(60), latest: .seconds(5)),
      .throttleHardlyRecovers(multiplier: 1),
      .injectsFaults("faults (0.5 hang)"),
    ]
    for warning in all {
      let text = warning.description
      #expect(text.contains("; ") && text.contains { $0.isNumber } && !text.contains("\n"), "\(text)")
    }
  }

  @Test(
    "What is warned of happens: a retry that cannot be is not made, an attempt that cannot time out does not")
  func consequences() throws {
    try simulate(seeds: 0..<3) {
      let slow = Lab(attempts: 3) { ($0.retry.base, $0.timeout) = (.seconds(9), .seconds(11)) }
      slow.transport.on(.get("/a"), respond: [.status(503)])
      #expect(await slow.get("/a") == "deadline_exceeded")
      #expect(slow.transport.requests.count == 2)
      let hanging = Lab(attempts: 3) { $0.timeout = .seconds(10) }
      hanging.transport.on(.get("/a"), respond: [.hang])
      #expect(await hanging.get("/a") == "deadline_exceeded")
      #expect(hanging.transport.requests.count == 1)
    }
  }

  @Test("A server's quota that is waited for no time holds nobody up, as is warned of")
  func unpaced() throws {
    try simulate(seeds: 0..<20) {
      let unpaced = Lab { $0.quota = QuotaPacing(maxWait: .zero) }
      unpaced.transport.on(.any, respond: [.status(200, headers: ["RateLimit": #""q";r=0;t=60"#])])
      for _ in 0..<3 { #expect(await unpaced.getAll(["/a", "/b"]) == ["200", "200"]) }
    }
  }

  @Test("A breaker that may never open does not open on a host that hangs, and one without the warning does")
  func breakerOpens() throws {
    try simulate(seeds: 0..<3) {
      for (window, opens) in [(Duration.seconds(120), false), (.seconds(300), true)] {
        let lab = Lab { ($0.maxConcurrentPerHost, $0.breaker, $0.budget) = (1, .init(window: window), nil) }
        #expect(lab.api.policy.warnings.isEmpty == opens)
        lab.transport.on(.any, respond: [.hang])
        let outcomes = await lab.getAll((0..<30).map { "/\($0)" })
        #expect(outcomes.contains("breaker_open") == opens)
      }
    }
  }
}
