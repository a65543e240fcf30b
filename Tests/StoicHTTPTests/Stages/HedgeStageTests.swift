import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Hedged attempts of the client", .timeLimit(.minutes(30)))
struct HedgeStageTests {
  private static func lab(attempts: Int = 1, _ change: (inout HTTPPolicy) -> Void = { _ in }) -> Lab {
    Lab(attempts: attempts) {
      $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10)
      change(&$0)
    }
  }

  /// What comes of a request: the error's record where it fails.
  private static func send(_ lab: Lab, _ request: HTTPRequest, key: String? = nil) async -> HTTPError? {
    do { try await lab.api.send(request, idempotencyKey: key) } catch { return error as? HTTPError }
    return nil
  }

  @Test(
    "A second attempt beside a slow one brings the answer, the slow one is cancelled, and both are attempts")
  func wins() throws {
    try simulate(seeds: 0..<30) {
      let events = EventRecorder()
      try await withEvents(events) {
        let lab = Self.lab()
        lab.transport.on(.get("/a"), respond: [.hang, .status(200).after(.milliseconds(100))])
        let start = Ambient.clock.now
        #expect(await lab.get("/a") == "200")
        #expect(start.duration(to: Ambient.clock.now) == .milliseconds(1_100))
        #expect(lab.transport.counts(2, aborted: 1, most: 2))
        #expect(lab.api.policy.budget?.available == 9)
      }
      let attempts = events.events(named: "http.request").sorted { $0["attempt"] ?? "" < $1["attempt"] ?? "" }
      #expect(attempts.map { $0["attempt"] } == ["1", "2"])
      #expect(attempts.map { $0["outcome"] } == ["cancelled", "status_200"])
      #expect(events.events(named: "hedge.won").count == 1)
    }
  }

  @Test("A quick answer, and a quick failure, have no second attempt beside them")
  func quick() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab()
      lab.transport.on(.get("/a"), respond: [.status(200).after(.milliseconds(900))])
      lab.transport.on(.get("/b"), respond: [.status(503)])
      #expect(await lab.get("/a") == "200")
      #expect(await lab.get("/b") == "503")
      #expect(lab.transport.requests.count == 2 && lab.api.policy.budget?.available == 10)
    }
  }

  @Test(
    "Only what is idempotent by its method is hedged: no POST and no PATCH, keyed or not",
    arguments: [
      (HTTPRequest.get("/a"), nil, 2), (.put("/a"), nil, 2), (.delete("/a"), nil, 2), (.head("/a"), nil, 2),
      (.post("/a"), nil, 1), (.post("/a"), "k", 1), (.patch("/a"), "k", 1),
    ] as [(HTTPRequest, String?, Int)])
  func methods(_ request: HTTPRequest, _ key: String?, _ count: Int) throws {
    try simulate(seeds: 0..<5) {
      let lab = Self.lab()
      lab.transport.on(.any, respond: [.status(200).after(.seconds(2))])
      #expect(await Self.send(lab, request, key: key) == nil)
      #expect(lab.transport.requests.count == count)
    }
  }

  @Test("Where both fail the first one's failure is told, and the record has both")
  func bothFail() throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab()
      lab.transport.on(
        .get("/a"), respond: [.status(500).after(.seconds(3)), .status(502).after(.seconds(1))])
      let error = await Self.send(lab, .get("/a"))
      #expect(error?.status == 500 && error?.attempts == 2)
      #expect(error?.call.history.map(\.outcome) == ["status_502", "status_500"])
      #expect(error?.call.elapsed == .seconds(3))
    }
  }

  @Test(
    "Both end by the first one's timeout: the bound in time is that of one attempt, and in attempts that of two"
  )
  func bound() throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab(attempts: 3) { ($0.queueLimitPerHost, $0.maxRetryAfter) = (0, .zero) }
      lab.transport.on(.get("/a"), respond: [.hang])
      let error = await Self.send(lab, .get("/a"))
      let bound = lab.api.policy.bound
      #expect(error?.attempts == 6 && bound.attempts == 6 && error?.timedOutAttempt == 6)
      #expect(error?.call.elapsed == .milliseconds(30_600) && bound.elapsed == .milliseconds(30_600))
      #expect(lab.transport.requests.count == 6)
    }
  }

  @Test(
    "Hedges and retries together draw no more than the retry budget has, and the hedges no more than their own"
  )
  func budgets() throws {
    try simulate(seeds: 0..<30) {
      let lab = Self.lab(attempts: 3) {
        ($0.budget, $0.breaker, $0.maxConcurrentPerHost) = (
          RetryBudget(minimumRetries: 5, window: .seconds(600)), nil, nil
        )
      }
      lab.transport.on(.any, respond: [.hang])
      _ = await lab.getAll((0..<10).map { "/\($0)" })
      #expect(lab.transport.requests.count == 15)
      #expect(lab.api.policy.bound.attempts(ofCalls: 10, within: .zero) == 15)
      let own = Self.lab {
        ($0.hedge, $0.breaker) = (.init(delay: .fixed(.seconds(1)), minimumHedges: 2), nil)
      }
      own.transport.on(.any, respond: [.hang])
      _ = await own.getAll((0..<6).map { "/\($0)" })
      #expect(own.transport.requests.count == 8 && own.api.policy.budget?.available == 8)
    }
  }

  @Test(
    "A second attempt waits for nothing: where there is no permit, no token or no quota there is none, and it costs nothing"
  )
  func waitsForNothing() throws {
    try simulate(seeds: 0..<20) {
      let changes: [(inout HTTPPolicy) -> Void] = [
        { $0.maxConcurrentPerHost = 1 }, { $0.rateLimit = .init(calls: 1, per: .seconds(100)) },
      ]
      for change in changes {
        let lab = Self.lab(change)
        lab.transport.on(.any, respond: [.status(200).after(.seconds(3))])
        let start = Ambient.clock.now
        #expect(await lab.get("/a") == "200")
        #expect(start.duration(to: Ambient.clock.now) == .seconds(3))
        #expect(lab.transport.requests.count == 1 && lab.api.policy.budget?.available == 10)
      }
      let lab = Self.lab { $0.quota = QuotaPacing(spread: 0) }
      lab.transport.on(
        .any,
        respond: [.status(200, headers: ["RateLimit": #""q";r=1;t=60"#]), .status(200).after(.seconds(3))])
      for _ in 0..<2 { #expect(await lab.get("/a") == "200") }
      #expect(lab.transport.requests.count == 2)
    }
  }

  @Test("A second attempt is none to a breaker's probe, nor within another retry's attempt")
  func none() throws {
    try simulate(seeds: 0..<20) {
      let lab = Self.lab { $0.breaker = .init(minimumCalls: 2, openFor: .seconds(5)) }
      await lab.open()
      try await Ambient.sleep(for: .seconds(5))
      lab.transport.on(.get("/a"), respond: [.status(200).after(.seconds(3))])
      #expect(await lab.get("/a") == "200")
      #expect(lab.transport.requests.count == 3)
      let nested = Self.lab()
      nested.transport.on(.get("/a"), respond: [.status(200).after(.seconds(3))])
      _ = try await retry(RetrySchedule(maxAttempts: 2)) { _ in try await nested.api.send(.get("/a")) }
      #expect(nested.transport.requests.count == 1)
    }
  }

  @Test("A second attempt that would begin at the deadline is not made, and the deadline ends both")
  func deadline() throws {
    try simulate(seeds: 0..<30) {
      for (limit, count) in [(Duration.seconds(1), 1), (.seconds(2), 2)] {
        let lab = Self.lab { ($0.timeout, $0.attemptTimeout) = (limit, .seconds(1) + .nanoseconds(1)) }
        lab.transport.on(.any, respond: [.hang])
        _ = await lab.get("/a")
        #expect(lab.transport.requests.count == count && lab.transport.inFlight == 0)
      }
    }
  }

  @Test("A caller who is cancelled takes both along, and gives back what they held")
  func cancelled() throws {
    try simulate(seeds: 0..<50) {
      let lab = Self.lab { $0.maxConcurrentPerHost = 2 }
      lab.transport.on(.get("/a"), respond: [.hang])
      lab.transport.on(.get("/b"), respond: [.status(200)])
      let call = try await lab.start("/a")
      try await Ambient.sleep(for: .seconds(2))
      #expect(lab.transport.inFlight == 2)
      call.cancel()
      #expect(try await call.value == "cancelled")
      #expect(lab.transport.inFlight == 0 && lab.transport.aborted == 2)
      #expect(await lab.getAll(["/b", "/b"]) == ["200", "200"])
    }
  }

  @Test("A success pays into the retry budget once, hedged or not")
  func deposit() throws {
    try simulate(seeds: 0..<10) {
      let lab = Self.lab { $0.budget = RetryBudget(ratio: 1, minimumRetries: 1) }
      lab.transport.on(.any, respond: [.status(200)])
      for _ in 0..<3 { #expect(await lab.get("/a") == "200") }
      #expect(lab.api.policy.budget?.available == 4)
    }
  }

  /// What was answered to each path, in order, and how many callers there were.
  private final class Answers: Sendable {
    static let steps: [(step: ScriptedTransport.Step, isSuccess: Bool)] = [
      (.status(200), true), (.status(200).after(.milliseconds(1_500)), true), (.hang, false),
      (.status(503).after(.milliseconds(1_200)), false), (.failure(.networkConnectionLost), false),
    ]

    private let state = Lock([String: [Bool]]())

    func next(to path: String) -> ScriptedTransport.Step {
      let answer = Self.steps[Int(Ambient.random.next() % 5)]
      state.withLock { $0[path, default: []].append(answer.isSuccess) }
      return answer.step
    }

    /// Whether each request to a path was answered by a success.
    subscript(path: String) -> [Bool] { state.withLock { $0[path] ?? [] } }

    /// How many requests there were that a budget paid for.
    var paid: Int { state.withLock { $0.values.map { $0.count - 1 }.reduce(0, +) } }
  }

  /// The greatest of some numbers.
  private final class Most: Sendable {
    private let state = Lock(0)

    var count: Int { state.withLock { $0 } }

    func take(_ count: Int) { state.withLock { $0 = max($0, count) } }
  }

  @Test(
    "Whatever attempts bring and whenever callers leave: attempts within the bound, nothing left, permits all back"
  )
  func simulated() throws {
    let most = Most()
    try simulate(seeds: 0..<1_000, stepLimit: 200_000) {
      let lab = Self.lab(attempts: 3) {
        ($0.breaker, $0.maxConcurrentPerHost, $0.attemptTimeout) = (nil, 3, .seconds(4))
        $0.budget = RetryBudget(ratio: 0, minimumRetries: 100, window: .seconds(3_600))
      }
      let answers = Answers()
      lab.transport.on(.any, respond: [.computed { answers.next(to: $0.url.path) }])
      lab.transport.on(.get("/after"), respond: [.status(200)])
      await withTaskGroup(of: Void.self) { group in
        for number in 0..<5 {
          group.addTask {
            let path = "/\(number)"
            let call = Ambient.task { await Self.send(lab, .get(path)) }
            if number > 2 {
              try? await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 6_000)))
              call.cancel()
            }
            guard case .success(let error) = await call.result else { return }
            let answered = answers[path]
            most.take(answered.count)
            #expect(answered.count <= lab.api.policy.bound.attempts)
            // Who was not cancelled fails only where nothing succeeded, and knows of each request.
            guard number < 3 else { return }
            #expect((error == nil) == answered.contains(true))
            if let error {
              #expect(error.attempts == answered.count && error.call.history.count == answered.count)
              #expect(answered.count >= 3)
            }
          }
        }
      }
      #expect(lab.transport.inFlight == 0)
      // What was sent beyond each call's first request was paid for, and nothing else.
      #expect(lab.api.policy.budget?.available == 100 - answers.paid)
      #expect(await lab.getAll(["/after", "/after", "/after"]) == ["200", "200", "200"])
      #expect(lab.transport.maxInFlight <= 3)
    }
    // The bound was reached.
    #expect(most.count == 6)
  }
}
