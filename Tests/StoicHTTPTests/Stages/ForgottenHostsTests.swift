import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Which hosts are forgotten", .timeLimit(.minutes(30)))
struct ForgottenHostsTests {
  /// Sends a GET to each of many other hosts.
  private static func visit(_ hosts: Range<Int>, by lab: Lab) async {
    for index in hosts { _ = try? await lab.api.send(.get(makeURL("https://h\(index).test/x"))) }
  }

  private static func lab(attempts: Int = 1, _ change: (inout HTTPPolicy) -> Void) -> Lab {
    let lab = Lab(attempts: attempts, change)
    lab.transport.on(.any, respond: [.status(200)])
    return lab
  }

  @Test(
    "A host whose bucket is not full is not forgotten among many others, and one whose bucket is full again is"
  )
  func limiter() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      let lab = Self.lab {
        $0.rateLimit = .init(calls: 1, per: .seconds(10), burst: 2, queueLimit: 0)
      }
      for _ in 0..<2 { #expect(await lab.get("/a") == "200") }
      await Self.visit(0..<600, by: lab)
      #expect(lab.api.knownHosts == 601)
      #expect(await lab.get("/a") == "rate_limited")
      // The others' are full again.
      clock.advance(by: .seconds(10))
      await Self.visit(600..<700, by: lab)
      #expect(lab.api.knownHosts == 256)
      #expect(await [lab.get("/a"), lab.get("/a")] == ["200", "rate_limited"])
    }
  }

  @Test("A host with a quota whose end is to come is not forgotten, and one whose quota has ended is")
  func quota() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      let lab = Self.lab { $0.quota = QuotaPacing(maxWait: .seconds(10)) }
      let fields: HTTPHeaders = ["RateLimit": #""q";r=0;t=100"#]
      lab.transport.on(.get("/quota"), respond: [.status(200, headers: fields)])
      #expect(await lab.get("/quota") == "200")
      await Self.visit(0..<600, by: lab)
      #expect(lab.api.knownHosts == 256)
      let error = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(1)) { try await lab.api.send(.get("/a")) }
      }
      #expect(error?.rejection == Rejection(.rateLimited, retryAfter: .seconds(10)))
      clock.advance(by: .seconds(100))
      await Self.visit(600..<900, by: lab)
      #expect(lab.api.knownHosts == 256)
      #expect(await lab.get("/a") == "200")
    }
  }

  @Test("A host whose throttle has calls in its window is not forgotten")
  func throttle() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      let lab = Self.lab {
        $0.throttle = .init(window: .seconds(100), maxRejection: 1, minimumRate: 0)
        $0.breaker = nil
      }
      lab.transport.on(.get("/down"), respond: [.status(503)])
      for _ in 0..<1_000 { _ = await lab.get("/down") }
      await Self.visit(0..<300, by: lab)
      #expect(lab.api.knownHosts == 301)
      // Of the last hundred almost all are held back: the throttle still knows.
      var held = 0
      for _ in 0..<100 where await lab.get("/down") == "throttled" { held += 1 }
      #expect(held > 80)
      clock.advance(by: .seconds(101))
      await Self.visit(300..<500, by: lab)
      #expect(lab.api.knownHosts == 256)
    }
  }

  @Test("A host whose adaptive limit has changed is not forgotten")
  func adaptive() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: 400_000) {
      let lab = Self.lab {
        $0.adaptiveConcurrency = .init(initialLimit: 8, minLimit: 2, maxLimit: 16, samples: 8, queueLimit: 0)
        ($0.breaker, $0.attemptTimeout) = (nil, .seconds(1))
      }
      lab.transport.on(.get("/slow"), respond: [.hang])
      lab.transport.on(.get("/fast"), respond: [.status(200).after(.milliseconds(50))])
      for _ in 0..<100 { _ = await lab.get("/fast") }
      for _ in 0..<100 { _ = await lab.getAll(Array(repeating: "/slow", count: 8)) }
      await Self.visit(0..<600, by: lab)
      #expect(lab.api.knownHosts == 256)
      let outcomes = await lab.getAll(Array(repeating: "/slow", count: 8))
      #expect(outcomes.filter { $0 == "bulkhead_full" }.count == 6)
    }
  }

  @Test("A host whose breaker has not closed again is not forgotten, though its time is over")
  func halfOpen() throws {
    try simulate(seeds: 0..<2) {
      let lab = Self.lab { $0.breaker = .init(minimumCalls: 2, openFor: .seconds(5)) }
      lab.transport.on(.get("/slow"), respond: [.status(200).after(.seconds(1))])
      await lab.open()
      try await Ambient.sleep(for: .seconds(60))
      await Self.visit(0..<600, by: lab)
      #expect(lab.api.knownHosts == 256)
      // One is a probe.
      #expect(await lab.getAll(["/slow", "/slow"]).sorted() == ["200", "breaker_open"])
    }
  }

  @Test("A host that has spent its own retry budget is not forgotten, and retries no more than that")
  func budget() async throws {
    try await withClock(TestClock()) {
      let lab = Self.lab(attempts: 2) {
        ($0.budget, $0.budgetScope) = (
          RetryBudget(ratio: 0, minimumRetries: 1, window: .seconds(3_600)), .host
        )
        ($0.retry.base, $0.breaker) = (.zero, nil)
      }
      lab.transport.on(.get("/down"), respond: [.status(503)])
      #expect(await lab.get("/down") == "503")
      await Self.visit(0..<600, by: lab)
      #expect(lab.api.knownHosts == 256)
      let before = lab.transport.requests.count
      #expect(await lab.get("/down") == "budget_exhausted")
      #expect(lab.transport.requests.count == before + 1)
    }
  }
}
