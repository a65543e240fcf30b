import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Calls heed a server's quota", .timeLimit(.minutes(30)))
struct QuotaPacingTests {
  private static func lab(
    attempts: Int = 1, _ pacing: QuotaPacing? = QuotaPacing(spread: 0),
    _ change: (inout HTTPPolicy) -> Void = { _ in }
  ) -> Lab {
    Lab(attempts: attempts) {
      $0.quota = pacing
      change(&$0)
    }
  }

  private static func quota(_ remaining: Int, _ reset: Int, status: Int = 200) -> ScriptedTransport.Step {
    .status(status, headers: ["RateLimit": #""q";r=\#(remaining);t=\#(reset)"#])
  }

  /// The virtual time that a body takes.
  private static func time(_ body: () async throws -> Void) async rethrows -> Duration {
    let start = Ambient.clock.now
    try await body()
    return start.duration(to: Ambient.clock.now)
  }

  /// What comes of a GET, and after what time.
  private static func timed(_ lab: Lab, _ path: String) async -> String {
    let (start, outcome) = (Ambient.clock.now, await lab.get(path))
    return "\(outcome) after \(start.duration(to: Ambient.clock.now).text)"
  }

  @Test("A call waits before the quota is used up, and goes when there is more")
  func waits() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab()
      lab.transport.on(.any, respond: [Self.quota(2, 30), .status(200)])
      let time = await Self.time { for _ in 0..<3 { #expect(await lab.get("/a") == "200") } }
      #expect(time == .zero)
      #expect(await Self.timed(lab, "/a") == "200 after 30s")
    }
  }

  @Test("Unless the policy says so, no quota is heeded")
  func off() throws {
    try simulate(seeds: 0..<3) {
      let lab = Self.lab(nil)
      lab.transport.on(.any, respond: [Self.quota(0, 30)])
      for _ in 0..<5 { #expect(await Self.timed(lab, "/a") == "200 after 0s") }
      #expect(HTTPPolicy.standard.quota == nil && HTTPPolicy.server.quota == nil)
    }
  }

  @Test("A wait that would reach the deadline is not started: the call is refused at once, and told how long")
  func deadline() throws {
    try simulate(seeds: 0..<10) {
      for (limit, outcome) in [(Duration.seconds(30), "rate_limited"), (.seconds(31), "200")] {
        let lab = Self.lab { ($0.timeout, $0.attemptTimeout) = (limit, .seconds(1)) }
        lab.transport.on(.any, respond: [Self.quota(0, 30), .status(200)])
        #expect(await lab.get("/a") == "200")
        let time = await Self.time { #expect(await lab.get("/a") == outcome) }
        #expect(time == (outcome == "200" ? .seconds(30) : .zero))
      }
      let lab = Self.lab()
      lab.transport.on(.any, respond: [Self.quota(0, 30)])
      _ = await lab.get("/a")
      let error = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(5)) { try await lab.api.send(.get("/a")) }
      }
      #expect(error?.rejection == Rejection(.rateLimited, retryAfter: .seconds(30)) && error?.attempts == 0)
    }
  }

  @Test(
    "A retry waits for the quota too, is refused at once where that is too late, and then costs the budget nothing"
  )
  func retries() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab(attempts: 3)
      lab.transport.on(.any, respond: [Self.quota(0, 30, status: 429), .status(200)])
      #expect(await Self.timed(lab, "/a") == "200 after 30s")
      let short = Self.lab(attempts: 3) { ($0.timeout, $0.attemptTimeout) = (.seconds(20), .seconds(1)) }
      short.transport.on(.any, respond: [Self.quota(0, 30, status: 429)])
      let time = await Self.time { #expect(await short.get("/a") == "rate_limited") }
      #expect(time == .milliseconds(200) && short.api.policy.budget?.available == 10)
    }
  }

  @Test("A server that asks for ever is believed for a minute; what a call cannot get by then is refused")
  func bounded() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab()
      lab.transport.on(.any, respond: [Self.quota(0, 999_999_999_999_999)])
      _ = await lab.get("/a")
      var outcomes: [String] = []
      let time = await Self.time { outcomes = await lab.getAll((0..<5).map { "/\($0)" }) }
      // One asks again, and is told the same.
      #expect(outcomes.sorted() == ["200"] + Array(repeating: "rate_limited", count: 4))
      #expect(time == .seconds(60) && lab.api.policy.bound.elapsed == .seconds(150))
    }
  }

  @Test("The bound with a quota is reached: a minute's wait, and an attempt that hangs")
  func reached() throws {
    try simulate(seeds: 0..<3) {
      let lab = Self.lab { $0.queueLimitPerHost = 0 }
      lab.transport.on(.any, respond: [Self.quota(0, 60), .hang])
      _ = await lab.get("/a")
      let time = await Self.time { #expect(await lab.get("/a") == "timed_out") }
      #expect(time == .seconds(70) && lab.api.policy.bound.elapsed == time)
    }
  }

  @Test("A caller who is cancelled in the wait leaves, and sends nothing")
  func cancelled() throws {
    try simulate(seeds: 0..<20) {
      let lab = Self.lab()
      lab.transport.on(.any, respond: [Self.quota(0, 30)])
      _ = await lab.get("/a")
      let call = try await lab.start("/b")
      call.cancel()
      #expect(try await call.value == "cancelled")
      #expect(lab.transport.requests.count == 1)
    }
  }

  @Test("Quotas are each host's own, and a redirect to another host tells nothing about the first")
  func hosts() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab()
      lab.transport.on(
        .get("/away"), respond: [.status(307, headers: ["Location": "https://other.example/x"])])
      lab.transport.on(.get("/x"), host: "other.example", respond: [Self.quota(0, 30)])
      lab.transport.on(.get("/a"), respond: [.status(200)])
      #expect(await lab.get("/away") == "200")
      #expect(await Self.timed(lab, "/a") == "200 after 0s")
      try await lab.api.send(.get(makeURL("https://other.example/x")))
      #expect(await Self.timed(lab, "/a") == "200 after 0s")
      let time = await Self.time { _ = try? await lab.api.send(.get(makeURL("https://other.example/x"))) }
      #expect(time == .seconds(30))
    }
  }

  @Test("What a breaker refuses after the quota let it through is given back")
  func givenBack() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab { $0.breaker = .init(minimumCalls: 2, openFor: .seconds(5)) }
      lab.transport.on(.get("/down"), respond: [.status(500), Self.quota(1, 600, status: 500)])
      lab.transport.on(.get("/a"), respond: [.status(200)])
      for _ in 0..<2 { _ = await lab.get("/down") }
      for _ in 0..<5 { #expect(await lab.get("/a") == "breaker_open") }
      try await Ambient.sleep(for: .seconds(5))
      #expect(await Self.timed(lab, "/a") == "200 after 0s")
    }
  }

  @Test("Those who wait for the same instant do not come all at once, and none too early")
  func spread() throws {
    try simulate(seeds: 0..<20, schedules: [.uniform]) {
      let lab = Self.lab(QuotaPacing(spread: 0.5))
      let start = Ambient.clock.now
      let arrivals = Lock<[Duration]>([])
      lab.transport.on(
        .any,
        respond: [
          Self.quota(0, 30),
          .computed { _ in
            arrivals.withLock { $0.append(start.duration(to: Ambient.clock.now)) }
            return .status(200)
          },
        ])
      _ = await lab.get("/a")
      _ = await lab.getAll((0..<5).map { "/\($0)" })
      let all = arrivals.withLock { $0 }
      #expect(Set(all).count > 1 && all.allSatisfy { $0 >= .seconds(30) && $0 <= .seconds(45) })
    }
  }

  @Test("Waits and refusals are told, without anything of the field")
  func events() throws {
    try simulate(seeds: 0..<3) {
      let events = EventRecorder()
      try await withEvents(events) {
        let lab = Self.lab()
        lab.transport.on(.any, respond: [Self.quota(0, 30), .status(200)])
        for _ in 0..<2 { _ = await lab.get("/a") }
        let refused = Self.lab { ($0.timeout, $0.attemptTimeout) = (.seconds(9), .seconds(1)) }
        refused.transport.on(.any, respond: [Self.quota(0, 30)])
        for _ in 0..<2 { _ = await refused.get("/a") }
      }
      let (waits, refusals) = (
        events.events(named: "http.quota_wait"), events.events(named: "http.quota_rejected")
      )
      #expect(waits.map { $0["delay"] } == ["30s"] && waits.first?.label == "http h.example")
      #expect(refusals.map { $0["retry_after"] } == ["30s"])
    }
  }

  @Test(
    "Numbers out of range are taken for the nearest in range",
    arguments: [(Double.nan, 0.0), (-1, 0), (2, 1), (.infinity, 1), (0.5, 0.5)])
  func numbers(_ spread: Double, _ expected: Double) {
    var pacing = QuotaPacing(maxWait: .seconds(-5), spread: spread)
    #expect(pacing.spread == expected && pacing.maxWait == .zero)
    (pacing.maxWait, pacing.spread) = (.seconds(Int64.max), spread)
    #expect(pacing.maxWait == .longest && pacing.spread == expected)
  }

  @Test(
    "A slow response that tells of more does not hold the host up for those that were quicker and said nothing"
  )
  func slowTeller() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab { ($0.quota, $0.maxConcurrentPerHost) = (QuotaPacing(), nil) }
      lab.transport.on(.any, respond: [.status(200)])
      lab.transport.on(
        .get("/slow"),
        respond: [.status(200, headers: ["RateLimit": #""q";r=50;t=40"#]).after(.seconds(5))])
      lab.transport.on(
        .get("/asks"), respond: [.status(200, headers: ["RateLimit": #""q";r=30;t=40"#]).after(.seconds(1))])
      let slow = try await lab.start("/slow")
      _ = await lab.getAll((0..<100).map { "/\($0)" })
      #expect(try await slow.value == "200")
      let start = Ambient.clock.now
      #expect(await lab.get("/asks") == "200")
      #expect(await lab.getAll((0..<30).map { "/\($0)" }) == Array(repeating: "200", count: 30))
      #expect(start.duration(to: Ambient.clock.now) == .seconds(1))
    }
  }
}
