import Foundation
import StoicHTTP
import StoicTesting
import Testing

/// Policies whose every value is the run's choice, under callers and a server that are too.
@Suite("The bound under simulation", .timeLimit(.minutes(30)))
struct BoundSimulation {
  private static let callers = 6

  private static func draw(_ bound: Int) -> Int { Int(Ambient.random.next() % UInt64(bound)) }

  private static func one<Value>(of values: [Value]) -> Value { values[draw(values.count)] }

  private static func seconds(_ values: Double...) -> Duration { .seconds(one(of: values)) }

  /// A policy of any values, sensible or not.
  private static func policy() -> HTTPPolicy {
    var policy = HTTPPolicy.standard
    policy.attemptTimeout = seconds(2, 0.5, 0.01, 10, 2, 0, -1)
    policy.timeout = one(of: [nil, nil, .seconds(1), .seconds(5), .seconds(20), .zero])
    policy.retry = schedule()
    policy.maxRetryAfter = seconds(0, 1, 3, 60)
    policy.retryStatuses = one(of: [[503, 429], [503], []])
    policy.budget = budget()
    policy.budgetScope = one(of: [.client, .host])
    policy.breaker = one(of: [nil, .init(minimumCalls: 3, openFor: .milliseconds(300)), .init()])
    policy.maxConcurrentPerHost = one(of: [nil, 1, 2, 8])
    policy.queueLimitPerHost = draw(5)
    policy.queueTimeout = one(of: [nil, .zero, .milliseconds(400), .seconds(3)])
    policy.redirects = one(of: [.standard, .none])
    policy.quota = one(of: [nil, QuotaPacing(maxWait: .seconds(2)), QuotaPacing(maxWait: .zero)])
    policy.faults = one(of: [nil, nil, HTTPFaults(failure: 0.2, hang: 0.1, delay: .zero ... .seconds(1))])
    policy.rateLimit = one(of: [nil, nil, .init(calls: 4, burst: 2, queueLimit: 3)])
    policy.throttle = one(of: [nil, .init(window: .seconds(5), minimumRate: 0)])
    policy.adaptiveConcurrency = one(of: [
      nil, nil, .init(initialLimit: 3, minLimit: 1, maxLimit: 4, samples: 2, queueLimit: draw(4)),
    ])
    policy.hedge = one(of: [nil, .init(delay: .fixed(seconds(0, 0.3, 1, 5)), minimumHedges: draw(3))])
    // Who shares a request that its maker leaves begins anew: only the policy's own time bounds that.
    policy.coalescesGETs = policy.timeout != nil && draw(2) == 1
    return policy
  }

  private static func schedule() -> RetrySchedule {
    RetrySchedule(
      maxAttempts: 1 + draw(5), base: seconds(0, 0.2, 1), cap: seconds(0.1, 2, 10),
      multiplier: one(of: [2, 1, 1.5]),
      backoff: one(of: [
        .exponential, .exponential, .linear, .constant, .list([.seconds(1), .milliseconds(100)]),
      ]),
      jitter: one(of: [.none, .full, .equal, .decorrelated]))
  }

  private static func budget() -> RetryBudget? {
    guard draw(4) > 0 else { return nil }
    return RetryBudget(
      ratio: one(of: [0, 0.2, 1]), minimumRetries: one(of: [0, 1, 3, 10]), window: seconds(0.5, 3, 10))
  }

  /// What the server does with an exchange.
  private static func answer(canSucceed: Bool) -> ScriptedTransport.Step {
    let delay = seconds(0, 0, 0.3, 1.9, 12)
    switch draw(canSucceed ? 9 : 6) {
    case 0: return .status(503).after(delay)
    case 1: return .status(503, headers: ["Retry-After": one(of: ["0", "1", "2", "100"])])
    case 2: return .failure(one(of: [.networkConnectionLost, .cannotConnectToHost, .notConnectedToInternet]))
    case 3: return .hang
    case 4: return .status(one(of: [404, 429, 500, 501]), headers: ["RateLimit": #""q";r=0;t=1"#])
    case 5: return .status(503)
    case 6: return .status(307, headers: ["Location": "/again"])
    case 7: return .status(200, headers: ["RateLimit": #""q";r=1;t=9"#, "RateLimit-Policy": #""q";q=2;w=2"#])
    default: return .status(200).after(delay)
    }
  }

  @Test("No call of any policy exceeds its bound in attempts, requests or time, nor do all together in load")
  func bounded() throws {
    try simulate(seeds: 0..<2_000, stepLimit: 200_000) {
      let (policy, canSucceed) = (Self.policy(), Self.draw(2) == 1)
      let (transport, bound) = (ScriptedTransport(), policy.bound)
      transport.on(.any, respond: [.computed { _ in Self.answer(canSucceed: canSucceed) }])
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      let (start, events) = (Ambient.clock.now, EventRecorder())
      try await withEvents(events) {
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<Self.callers { group.addTask { await Self.call(number, api, within: bound) } }
        }
      }
      #expect(transport.requests.count <= bound.exchanges.saturatingMultiply(by: Self.callers), "\(policy)")
      let attempts = events.events(named: "http.request").count
      guard !canSucceed else { return }
      let span = start.duration(to: Ambient.clock.now)
      #expect(attempts <= bound.attempts(ofCalls: Self.callers, within: span), "\(policy)")
    }
  }

  /// One call, or one within a deadline, or one that is cancelled.
  private static func call(_ number: Int, _ api: HTTPClient, within bound: PolicyBound) async {
    try? await Ambient.sleep(for: seconds(0, 0, 0.1, 1, 3))
    let (request, start) = (HTTPRequest.get(number < 3 ? "/shared" : "/\(number)"), Ambient.clock.now)
    let kind = draw(6)
    let call = Ambient.task {
      let error = await failure { () async throws -> Void in
        guard kind == 0 else { return _ = try await api.send(request) }
        try await withDeadline(.seconds(4)) { _ = try await api.send(request) }
      }
      return (error, start.duration(to: Ambient.clock.now))
    }
    if kind == 1 {
      try? await Ambient.sleep(for: seconds(0, 0.2, 2))
      call.cancel()
    }
    guard case .success(let (error, elapsed)) = await call.result else { return }
    if let most = bound.elapsed { #expect(elapsed <= most, "\(api.policy): \(elapsed)") }
    #expect((error as? HTTPError)?.attempts ?? 0 <= bound.attempts, "\(api.policy)")
  }

  private static func failure(_ body: () async throws -> Void) async -> (any Error)? {
    do { try await body() } catch { return error }
    return nil
  }
}
