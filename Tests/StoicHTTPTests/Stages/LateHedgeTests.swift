import StoicHTTP
import StoicTesting
import Testing

@Suite("Hedged attempts on a machine that is late", .timeLimit(.minutes(30)))
struct LateHedgeTests {
  @Test(
    "A second attempt that gets its turn before the first one takes nothing of it: permits are back, each once",
    arguments: [200, 503])
  func order(_ status: Int) throws {
    try simulate(seeds: 0..<500, earlyTimers: true) {
      let lab = Lab {
        ($0.hedge, $0.maxConcurrentPerHost) = (.init(delay: .fixed(.zero), minimumHedges: 10), 1)
        ($0.breaker, $0.queueTimeout) = (nil, nil)
      }
      lab.transport.on(.any, respond: [.status(200).after(.seconds(1))])
      lab.transport.on(.get("/a"), respond: [.status(status).after(.seconds(1))])
      #expect(await lab.get("/a") == "\(status)")
      #expect(await lab.getAll(["/b", "/c", "/d"]) == ["200", "200", "200"])
      // One permit only: a second attempt is made where the first one has left it, and costs what is sent.
      #expect(lab.transport.maxInFlight == 1)
      #expect(lab.api.policy.budget?.available == 14 - lab.transport.requests.count)
    }
  }

  @Test(
    "A second attempt that gets its turn when its time is over is not made, not recorded and not paid for")
  func late() throws {
    try simulate(seeds: 0..<500, earlyTimers: true) {
      let lab = Lab {
        $0.hedge = .init(delay: .fixed(.seconds(1)), minimumHedges: 10)
        ($0.attemptTimeout, $0.budget) = (
          .seconds(1) + .nanoseconds(1), RetryBudget(minimumRetries: 10, window: .seconds(600))
        )
      }
      lab.transport.on(.any, respond: [.hang])
      var error: HTTPError?
      do { try await lab.api.send(.get("/a")) } catch let failure as HTTPError { error = failure }
      let count = lab.transport.requests.count
      #expect(error?.attempts == count && error?.call.history.count == count)
      #expect(lab.api.policy.budget?.available == 11 - count)
    }
  }
}
