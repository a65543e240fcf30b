import Foundation
import StoicHTTP
import StoicTesting
import Testing

/// The same seventeen callers, of a client whose every limit is on: quotas, rate limit, throttle, adaptive bulkhead and hedge.
@Suite("Seventeen callers under all limits")
struct LimitedCrowdTests {
  private static let burst = 4
  private static let second = 12

  @Test(
    "With every limit on, what may be sent once is sent once, no limit is passed, and nothing is left",
    arguments: [false, true])
  func crowd(earlyTimers: Bool) throws {
    try simulate(
      seeds: 0..<(earlyTimers ? 100 : 500), earlyTimers: earlyTimers,
      marks: [
        "hedge.started", "http.quota_wait", "rate_limiter.queued", "throttle.rejected", "bulkhead.queued",
        "bulkhead.limit",
        // Too rare where timers are not early.
      ] + (earlyTimers ? ["hedge.won"] : [])
    ) {
      let start = Ambient.clock.now
      let crowd = Crowd(Self.limit)
      let results = await crowd.run()
      checkRequests(of: crowd)
      checkRate(of: crowd, since: start)
      checkResults(results, of: crowd)
      try await checkLife(after: crowd)
    }
  }

  private static func limit(_ policy: inout HTTPPolicy) {
    policy.rateLimit = RateLimiter.Configuration(
      calls: second, burst: burst, queueLimit: 8, maxWait: .seconds(2))
    policy.throttle = Throttle.Configuration(window: .seconds(10), minimumRate: 0.5)
    policy.adaptiveConcurrency = AdaptiveBulkhead.Configuration(
      initialLimit: 2, minLimit: 1, maxLimit: 3, samples: 5, queueLimit: 8)
    policy.hedge = Hedge.Configuration(delay: .fixed(.milliseconds(700)), ratio: 0.5, minimumHedges: 3)
    policy.quota = QuotaPacing(maxWait: .seconds(4))
  }

  /// What was sent is what may be sent: a hedge is a second request, of methods that may be repeated.
  private func checkRequests(of crowd: Crowd) {
    for plan in crowd.plans where !plan.path.hasPrefix("/shared") {
      let sent = crowd.sent(to: plan.path)
      let most = if !Crowd.once.contains(plan.request.method) { 6 } else if plan.key == nil { 1 } else { 3 }
      #expect(sent.count <= most, "\(plan.path)")
      #expect(Set(sent.map(\.body)).count <= 1)
      #expect(
        sent.allSatisfy { $0.headers["Idempotency-Key"] == plan.key && $0.method == plan.request.method })
    }
    #expect(crowd.transport.maxInFlight <= 3)
    // One, and the hedge beside it.
    #expect(crowd.watch.mostAtOnce <= 2)
  }

  /// Tokens come at their rate, so that no more requests than those can have been sent by any time.
  private func checkRate(of crowd: Crowd, since start: AmbientClock.Instant) {
    for (index, arrival) in crowd.watch.arrivals.enumerated() {
      let tokens = start.duration(to: arrival) * Self.second / .seconds(1)
      #expect(Double(index + 1) <= Double(Self.burst) + tokens + 1e-9, "request \(index + 1) at \(arrival)")
    }
  }

  /// Every caller has an answer of its own, or was told why not.
  private func checkResults(_ results: [Result<HTTPResponse, any Error>], of crowd: Crowd) {
    for (plan, result) in zip(crowd.plans, results) {
      switch result {
      case .success(let response):
        #expect(response.body == Array(plan.path.utf8))
      case .failure(let error as HTTPError):
        #expect(error.attempts <= 6 && error.call.method == plan.request.method)
        let isOutOfTime = error.rejection?.reason == .deadlineExceeded
        #expect(!isOutOfTime || plan.deadline != nil)
      case .failure(let error as Rejection):
        #expect(error.reason == .deadlineExceeded && plan.deadline != nil)
      case .failure(is CancellationError):
        #expect(plan.cancelledAfter != nil)
      case .failure(let error):
        Issue.record("unexpected: \(error)")
      }
    }
  }

  /// Nothing is left, and once the faults have stopped everything works again.
  private func checkLife(after crowd: Crowd) async throws {
    #expect(crowd.transport.inFlight == 0 && crowd.api.flights == 0)
    #expect(crowd.budget.available <= crowd.owed)
    // Every third run ends here, where the simulation sees which timers are left; the others let them pass.
    guard Ambient.random.next() % 3 > 0 else { return }
    // Longer than any breaker stays open, any quota lasts and the throttle remembers.
    try await Ambient.sleep(for: .seconds(200))
    crowd.transport.on(.init(path: "/after"), respond: [.status(200)])
    // One after the other: with a permit or a token less than one it would never end.
    for number in 0..<5 {
      #expect(try await crowd.api.send(.post("/after"), idempotencyKey: "\(number)").status == 200)
    }
  }
}
