import StoicHTTP
import StoicTesting
import Testing

/// Policies whose values are the run's choice: what a warning says cannot happen does not.
@Suite("Warnings under simulation", .timeLimit(.minutes(30)))
struct WarningSimulation {
  private static func draw(_ bound: Int) -> Int { Int(Ambient.random.next() % UInt64(bound)) }

  private static func one<Value>(of values: [Value]) -> Value { values[draw(values.count)] }

  private static func policy() -> HTTPPolicy {
    var policy = HTTPPolicy.standard
    policy.coalescesGETs = false
    policy.attemptTimeout = one(of: [.seconds(1), .seconds(2), .seconds(5)])
    policy.timeout = one(of: [nil, nil, .seconds(3), .seconds(9)])
    policy.retry = RetrySchedule(
      maxAttempts: 1 + draw(4), base: one(of: [.zero, .milliseconds(500)]), cap: .seconds(2), jitter: .none)
    policy.budget = one(of: [nil, RetryBudget(minimumRetries: 100), RetryBudget(ratio: 0, minimumRetries: 0)])
    policy.breaker = one(of: [nil, .init(minimumCalls: 2 + draw(6), window: .seconds(one(of: [10, 30])))])
    policy.maxConcurrentPerHost = one(of: [nil, 1, 2, 20])
    policy.queueLimitPerHost = one(of: [0, 4, 64])
    policy.queueTimeout = one(of: [nil, .seconds(1), .seconds(20)])
    policy.rateLimit = one(of: [
      nil,
      .init(
        calls: 1, per: .seconds(1 + draw(20)), burst: 1 + draw(3), queueLimit: one(of: [0, 0, 64]),
        maxWait: one(of: [nil, .seconds(2)])),
      .init(calls: 50, burst: 10),
    ])
    policy.retryStatuses = one(of: [HTTPPolicy.standard.retryStatuses, []])
    policy.retryKeyedConflict = !policy.retryStatuses.isEmpty
    policy.throttle = one(of: [
      nil, .init(window: .seconds(20), maxRejection: one(of: [0, 0.9]), minimumRate: 0),
    ])
    policy.hedge = one(of: [
      nil,
      .init(
        delay: .fixed(.milliseconds(one(of: [200, 900, 3_000]))), ratio: 0, minimumHedges: one(of: [0, 50])),
    ])
    policy.quota = one(of: [nil, QuotaPacing(maxWait: one(of: [.zero, .seconds(4)]))])
    return policy
  }

  /// What each warning says does not happen, as the event that would tell it.
  private static func excluded(by warning: PolicyWarning, isHanging: Bool) -> [String] {
    switch warning {
    case .retryOfOneAttempt, .budgetNeverPays: ["http.retry"]
    case .hedgeAfterTimeout, .hedgeNeverPaid, .hedgeWithoutRoom, .rateLimitBelowHedge: ["hedge.started"]
    case .rateLimitBelowBreaker: ["breaker.opened"]
    // That is said of calls that hang.
    case .breakerNeverOpens: isHanging ? ["breaker.opened"] : []
    case .throttleNeverRefuses: ["throttle.rejected"]
    case .quotaWithoutWait: ["http.quota_wait"]
    default: []
    }
  }

  private static func name(_ warning: PolicyWarning) -> String {
    Mirror(reflecting: warning).children.first?.label ?? ""
  }

  @Test("What is warned of does not happen, and happens under policies that are not warned of")
  func warnings() throws {
    let happening = ["http.retry", "hedge.started", "breaker.opened", "throttle.rejected", "http.quota_wait"]
    let warned = [
      "rateLimitBelowHedge", "hedgeWithoutRoom", "rateLimitBelowBreaker", "rateLimitBelowRetry",
      "rateLimitRefusesRetry",
    ]
    try simulate(seeds: 0..<1_000, stepLimit: 400_000, marks: happening + warned) {
      let (policy, events, transport) = (Self.policy(), EventRecorder(), ScriptedTransport())
      let warnings = policy.warnings
      // All calls fare alike: it is calls of one kind for which a breaker's warning holds.
      let isHanging = Self.draw(3) == 0
      let step: ScriptedTransport.Step = Self.one(
        of: isHanging
          ? [.hang]
          : [
            .status(503), .status(503, headers: ["RateLimit": #""q";r=0;t=2"#]),
            .status(503).after(.milliseconds(800)),
          ])
      transport.on(.any, respond: [step])
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      try await withEvents(events) {
        await withTaskGroup(of: Int.self) { group in
          for call in 0..<12 {
            group.addTask {
              do { try await api.send(.get("/\(call)")) } catch let error as HTTPError {
                return error.attempts
              } catch {}
              return 0
            }
          }
          for await attempts in group {
            for case .rateLimitBelowRetry(let possible, _, _) in warnings where policy.hedge == nil {
              #expect(attempts <= possible, "\(policy)")
            }
            for case .rateLimitRefusesRetry in warnings where policy.hedge == nil {
              #expect(attempts <= 1, "\(policy)")
            }
          }
        }
      }
      let seen = Set(events.events.map(\.name))
      for name in seen where happening.contains(name) { mark(name) }
      for warning in warnings {
        if warned.contains(Self.name(warning)) { mark(Self.name(warning)) }
        for name in Self.excluded(by: warning, isHanging: isHanging) {
          #expect(!seen.contains(name), "\(warning): \(policy)")
        }
      }
    }
  }

  @Test("A throttle that lets through one call for each accepted one goes on refusing when all is well")
  func neverRecovers() throws {
    try simulate(seeds: 0..<5, schedules: [.uniform], stepLimit: 4_000_000) {
      for (multiplier, recovers) in [(1.0, false), (2.0, true)] {
        let lab = Lab {
          $0.throttle = .init(multiplier: multiplier, window: .seconds(10), minimumRate: 5)
          $0.breaker = nil
        }
        #expect(lab.api.policy.warnings.contains(.throttleHardlyRecovers(multiplier: 1)) != recovers)
        lab.transport.on(.get("/a"), respond: [.status(503)])
        lab.transport.on(.get("/b"), respond: [.status(200)])
        for _ in 0..<200 {
          _ = await lab.get("/a")
          try await Ambient.sleep(for: .milliseconds(100))
        }
        // Ten windows in which the server does all that it is asked.
        for _ in 0..<1_000 {
          _ = await lab.get("/b")
          try await Ambient.sleep(for: .milliseconds(100))
        }
        var served = 0
        for _ in 0..<100 where await lab.get("/b") == "200" { served += 1 }
        #expect(recovers ? served == 100 : served < 80, "\(served)")
      }
    }
  }

  @Test(
    "Policies that fit together have no warning",
    arguments: [HTTPPolicy.standard, .interactive, .server], [1, 2, 3])
  func sensible(_ preset: HTTPPolicy, _ kind: Int) {
    var policy = preset
    policy.hedge = .init()
    policy.throttle = .init()
    policy.quota = QuotaPacing()
    if kind > 1 { policy.rateLimit = .init(calls: 10, burst: kind) }
    if kind == 3 { policy.adaptiveConcurrency = .init() }
    #expect(policy.warnings == [])
  }
}
