import StoicHTTP
import StoicTesting
import Testing

@Suite("What a hedged attempt was told")
struct HedgeWaitTests {
  @Test(
    "The longest wait that either of two attempts was asked for is waited, whichever decides",
    arguments: [(nil, 7), (3, 7), (7, 3), (7, nil)] as [(Int?, Int?)])
  func longest(_ first: Int?, _ second: Int?) throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab(attempts: 2) {
        $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10)
      }
      func headers(_ wait: Int?) -> HTTPHeaders { wait.map { ["Retry-After": "\($0)"] } ?? [:] }
      lab.transport.on(
        .get("/a"),
        respond: [
          .status(503, headers: headers(first)).after(.seconds(3)),
          .status(429, headers: headers(second)).after(.seconds(1)), .status(200),
        ])
      let start = Ambient.clock.now
      #expect(await lab.get("/a") == "200")
      #expect(start.duration(to: Ambient.clock.now) == .seconds(10))
    }
  }

  @Test("A failure that is final stays so, whatever the attempt beside it was asked for")
  func final() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab(attempts: 2) { $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10) }
      lab.transport.on(
        .get("/a"),
        respond: [.status(404).after(.seconds(3)), .status(503, headers: ["Retry-After": "7"])])
      var error: HTTPError?
      do { try await lab.api.send(.get("/a")) } catch let failure as HTTPError { error = failure }
      guard case .status(404, _, let asked, _)? = error else { throw try #require(error) }
      #expect(asked == nil && lab.transport.requests.count == 2)
    }
  }

  @Test("The error of two attempts that are the last tells the longest wait that either was asked for")
  func told() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab { $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10) }
      lab.transport.on(
        .get("/a"),
        respond: [.status(503).after(.seconds(3)), .status(429, headers: ["Retry-After": "7"])])
      var error: HTTPError?
      do { try await lab.api.send(.get("/a")) } catch let failure as HTTPError { error = failure }
      guard case .status(503, _, let asked, _)? = error else { throw try #require(error) }
      #expect(asked == .seconds(7))
    }
  }
}

@Suite("What a client's refusal in the end costs those around it")
struct ReachedRefusalTests {
  private static func refusal(after attempts: Int) -> HTTPError {
    let attempt = CallRecord.Attempt(outcome: "status_503", waitBefore: .zero, mayHaveActed: true)
    return .rejected(
      Rejection(.breakerOpen), call: CallRecord(history: Array(repeating: attempt, count: attempts)))
  }

  @Test(
    "A client's call that is refused after attempts has cost a hedge around it, one that sent nothing has not",
    arguments: [(0, 3), (1, 2), (2, 2)])
  func hedge(_ attempts: Int, _ left: Int) throws {
    try simulate(seeds: 0..<50) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 3, window: .seconds(60))
      let hedge = Hedge(.init(delay: .fixed(.seconds(1)), minimumHedges: 3), budget: budget)
      let begun = Lock(0)
      try await hedge.run {
        let turn = begun.withLock { count in
          count += 1
          return count
        }
        if turn == 2 { throw Self.refusal(after: attempts) }
        try await Ambient.sleep(for: .seconds(2))
      }
      #expect(budget.available == left)
    }
  }

  @Test(
    "A client's call that is refused after attempts has cost a retry around it, one that sent nothing has not",
    arguments: [(0, 3), (1, 2)])
  func retried(_ attempts: Int, _ left: Int) throws {
    try simulate(seeds: 0..<20) {
      struct Down: Error {}
      let budget = RetryBudget(ratio: 0, minimumRetries: 3, window: .seconds(60))
      await #expect(throws: HTTPError.self) {
        try await retry(RetrySchedule(maxAttempts: 2), budget: budget) { attempt in
          if attempt.number == 1 { throw Down() }
          throw Self.refusal(after: attempts)
        }
      }
      #expect(budget.available == left)
    }
  }
}
