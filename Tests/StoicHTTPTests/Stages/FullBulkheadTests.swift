import StoicHTTP
import StoicTesting
import Testing

@Suite("A full bulkhead behind a pace", .timeLimit(.minutes(30)))
struct FullBulkheadTests {
  private static func count(_ outcomes: [String], _ outcome: String) -> Int {
    outcomes.filter { $0 == outcome }.count
  }

  @Test("Who has waited for a token waits for a permit, too: of thirty that come at once none is refused")
  func limiter() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 10)
        ($0.maxConcurrentPerHost, $0.queueLimitPerHost) = (1, 0)
      }
      lab.transport.on(.any, respond: [.status(200).after(.milliseconds(200))])
      let outcomes = await lab.getAll((0..<30).map { "/\($0)" })
      #expect(Self.count(outcomes, "200") == 30 && lab.transport.maxInFlight == 1)
    }
  }

  @Test(
    "They do so for the longest wait of the limiter, and no longer; who comes without one is refused at once")
  func patience() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 10, maxWait: .seconds(2))
        ($0.maxConcurrentPerHost, $0.queueLimitPerHost) = (1, 0)
      }
      lab.transport.on(.any, respond: [.status(200).after(.milliseconds(450))])
      let start = Ambient.clock.now
      let crowd = Ambient.task { await lab.getAll((0..<15).map { "/\($0)" }) }
      try await Ambient.sleep(for: .milliseconds(1_950))
      // By now there is a token for whoever comes, and no permit.
      #expect(await lab.get("/late") == "bulkhead_full")
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(1_950))
      let outcomes = try await crowd.value
      // Begun at 0, 0.45, 0.9, 1.35 and 1.8 s.
      #expect(Self.count(outcomes, "200") == 5 && Self.count(outcomes, "bulkhead_full") == 10)
      #expect(start.duration(to: Ambient.clock.now) == .milliseconds(2_250))
    }
  }

  @Test(
    "A quota that no server has announced adds nothing to the patience of who waits for a token",
    arguments: [true, false])
  func unannounced(hasQuota: Bool) throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        ($0.rateLimit, $0.quota) = (.init(calls: 10, maxWait: .seconds(2)), hasQuota ? QuotaPacing() : nil)
        ($0.maxConcurrentPerHost, $0.queueLimitPerHost, $0.attemptTimeout) = (1, 0, .seconds(30))
      }
      lab.transport.on(.any, respond: [.status(200).after(.seconds(20))])
      let outcomes = await lab.getAll((0..<12).map { "/\($0)" })
      #expect(Self.count(outcomes, "200") == 1 && Self.count(outcomes, "bulkhead_full") == 11)
    }
  }

  @Test("Who is in the queue proper when the patience ends goes on, for the queue's own time")
  func queueTime() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 10, maxWait: .seconds(3))
        ($0.maxConcurrentPerHost, $0.queueLimitPerHost, $0.queueTimeout) = (1, 2, .seconds(3))
        $0.attemptTimeout = .seconds(20)
      }
      lab.transport.on(.any, respond: [.status(200).after(.milliseconds(1_200))])
      let start = Ambient.clock.now
      let outcomes = await lab.getAll((0..<9).map { "/\($0)" })
      // Three have begun by 3 s. The two that are first in the queue then begin at 3.6 and 4.8 s.
      #expect(Self.count(outcomes, "200") == 5 && Self.count(outcomes, "bulkhead_full") == 4)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(6))
    }
  }

  @Test("Those who have waited for a server's quota are not refused for a full bulkhead when it is renewed")
  func quota() throws {
    try simulate(seeds: 0..<5, stepLimit: 400_000) {
      let lab = Lab { $0.quota = QuotaPacing() }
      lab.transport.on(
        .any,
        respond: [
          .status(200, headers: ["RateLimit": #""q";r=0;t=9"#, "RateLimit-Policy": #""q";q=200;w=9"#])
        ])
      #expect(await lab.get("/first") == "200")
      lab.transport.on(.any, respond: [.status(200).after(.milliseconds(100))])
      let outcomes = await lab.getAll((0..<200).map { "/\($0)" })
      #expect(Self.count(outcomes, "200") == 200 && lab.transport.maxInFlight == 8)
    }
  }

  @Test("The bound in time holds for those who wait behind a full queue")
  func bound() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 10, queueLimit: 20)
        ($0.maxConcurrentPerHost, $0.queueLimitPerHost, $0.attemptTimeout) = (1, 2, .milliseconds(1_100))
      }
      lab.transport.on(.any, respond: [.hang])
      let start = Ambient.clock.now
      let outcomes = await lab.getAll((0..<20).map { "/\($0)" })
      // At 2 s the patience ends: the second one runs until 2.2 s, and two are in the queue proper.
      #expect(Self.count(outcomes, "timed_out") == 4)
      let elapsed = start.duration(to: Ambient.clock.now)
      #expect(elapsed == .milliseconds(4_400) && lab.api.policy.bound.elapsed == .milliseconds(5_300))
    }
  }
}
