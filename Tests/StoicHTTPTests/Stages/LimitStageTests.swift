import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Rate limit, throttle and adaptive bulkhead in the client", .timeLimit(.minutes(30)))
struct LimitStageTests {
  /// The virtual time that a body takes.
  private static func time(_ body: () async throws -> Void) async rethrows -> Duration {
    let start = Ambient.clock.now
    try await body()
    return start.duration(to: Ambient.clock.now)
  }

  @Test("Attempts to one host begin at the rate, retries too, and those to another host at their own")
  func rate() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab(attempts: 2) {
        $0.rateLimit = .init(calls: 1, per: .seconds(1))
        $0.retry.base = .zero
      }
      lab.transport.on(.get("/a"), respond: [.status(503), .status(200)])
      lab.transport.on(.get("/x"), host: "other.example", respond: [.status(200)])
      let time = await Self.time { #expect(await lab.get("/a") == "200") }
      #expect(time == .seconds(1))
      let other = try await lab.api.send(.get(makeURL("https://other.example/x")))
      #expect(other.status == 200)
      let rest = await Self.time { _ = await lab.getAll(["/a", "/a", "/a"]) }
      #expect(rest == .seconds(3))
    }
  }

  @Test(
    "What would wait past its deadline, or finds the queue full, is refused at once, and a refused retry costs nothing"
  )
  func refused() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab(attempts: 3) {
        $0.rateLimit = .init(calls: 1, per: .seconds(10), queueLimit: 1)
        ($0.timeout, $0.attemptTimeout) = (.seconds(9), .seconds(1))
      }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      let error = await #expect(throws: HTTPError.self) { try await lab.api.send(.get("/a")) }
      #expect(error?.rejection == Rejection(.rateLimited, retryAfter: .milliseconds(9_800)))
      #expect(error?.attempts == 1 && lab.api.policy.budget?.available == 10)
      let full = Lab { $0.rateLimit = .init(calls: 1, per: .seconds(10), queueLimit: 1) }
      full.transport.on(.any, respond: [.status(200)])
      let outcomes = await full.getAll(["/a", "/b", "/c"])
      #expect(outcomes.sorted() == ["200", "200", "rate_limited"])
    }
  }

  @Test("The bound with a rate limit is reached: behind a full queue")
  func rateBound() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 2, per: .seconds(9), queueLimit: 3)
        $0.maxConcurrentPerHost = nil
      }
      lab.transport.on(.any, respond: [.hang])
      let time = await Self.time { _ = await lab.getAll((0..<4).map { "/\($0)" }) }
      #expect(time == .milliseconds(23_500) && lab.api.policy.bound.elapsed == time)
    }
  }

  @Test(
    "A token whose attempt a breaker refuses is given back, and so is one of a caller who leaves the bulkhead's queue"
  )
  func givenBack() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 1, per: .seconds(100), burst: 3)
        $0.breaker = .init(minimumCalls: 2, openFor: .seconds(5))
        $0.maxConcurrentPerHost = 1
      }
      let start = Ambient.clock.now
      await lab.open()
      for _ in 0..<5 { #expect(await lab.get("/a") == "breaker_open") }
      try await Ambient.sleep(for: .seconds(5))
      lab.transport.on(.get("/a"), respond: [.status(200)])
      let time = await Self.time { #expect(await lab.get("/a") == "200") }
      #expect(time == .zero)
      // The three that were there are spent, and no more were: the next one comes 100 s after the first was taken.
      #expect(await lab.get("/a") == "200")
      #expect(start.duration(to: Ambient.clock.now) == .seconds(100))
    }
    try simulate(seeds: 0..<10) {
      let lab = Lab {
        $0.rateLimit = .init(calls: 1, per: .seconds(100), burst: 3)
        ($0.breaker, $0.maxConcurrentPerHost, $0.attemptTimeout) = (nil, 1, .seconds(900))
      }
      lab.transport.on(.any, respond: [.status(200)])
      lab.transport.on(.get("/hang"), respond: [.hang])
      let start = Ambient.clock.now
      let inside = try await lab.start("/hang")
      let queued = try await lab.start("/b")
      queued.cancel()
      #expect(try await queued.value == "cancelled")
      inside.cancel()
      #expect(try await inside.value == "cancelled")
      // Of three tokens the one inside has spent one, and who only waited for a permit none.
      let time = await Self.time { for _ in 0..<2 { #expect(await lab.get("/a") == "200") } }
      #expect(time == .zero)
      #expect(await lab.get("/a") == "200")
      #expect(start.duration(to: Ambient.clock.now) == .seconds(100))
    }
  }

  @Test("A caller who is cancelled in the limiter's queue leaves, and those behind move up")
  func cancelled() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab { $0.rateLimit = .init(calls: 1, per: .seconds(10)) }
      lab.transport.on(.any, respond: [.status(200)])
      #expect(await lab.get("/a") == "200")
      let start = Ambient.clock.now
      let (first, second) = (try await lab.start("/b"), try await lab.start("/c"))
      first.cancel()
      #expect(try await first.value == "cancelled")
      #expect(try await second.value == "200")
      #expect(start.duration(to: Ambient.clock.now) <= .seconds(10))
    }
  }

  @Test(
    "A throttle holds back a share while the server turns many away, 429 among them, and none when it is well again"
  )
  func throttle() throws {
    try simulate(seeds: 0..<5, schedules: [.uniform], stepLimit: 400_000) {
      for status in [429, 503] {
        let lab = Lab {
          $0.throttle = .init(window: .seconds(10))
          $0.breaker = nil
        }
        lab.transport.on(.get("/a"), respond: [.status(status)])
        lab.transport.on(.get("/b"), respond: [.status(200)])
        var counts: [String: Int] = [:]
        for _ in 0..<200 {
          counts[await lab.get("/a"), default: 0] += 1
          try await Ambient.sleep(for: .milliseconds(50))
        }
        #expect(counts["throttled", default: 0] > 100 && counts["\(status)", default: 0] > 10)
        #expect(lab.transport.requests.count == counts["\(status)"])
        try await Ambient.sleep(for: .seconds(11))
        for _ in 0..<100 { #expect(await lab.get("/b") == "200") }
      }
    }
  }

  @Test("What the server works on, a 404 too, is accepted: it throttles nothing")
  func accepted() throws {
    try simulate(seeds: 0..<5, stepLimit: 400_000) {
      let lab = Lab { $0.throttle = .init(window: .seconds(10), minimumRate: 0) }
      lab.transport.on(.get("/a"), respond: [.status(404)])
      for _ in 0..<200 { #expect(await lab.get("/a") == "404") }
    }
  }

  @Test("The throttle comes before the breaker: what it refuses takes no probe's place")
  func throttleFirst() throws {
    try simulate(seeds: 0..<5, stepLimit: 400_000) {
      let lab = Lab {
        $0.throttle = .init(minimumRate: 0)
        $0.breaker = .init(minimumCalls: 5, openFor: .seconds(5))
      }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      var outcomes: [String] = []
      for _ in 0..<300 { outcomes.append(await lab.get("/a")) }
      #expect(outcomes.filter { $0 == "503" }.count == 5)
      // The breaker is open, and the throttle refuses its share all the same.
      #expect(outcomes.suffix(200).contains("throttled") && outcomes.suffix(200).contains("breaker_open"))
    }
  }

  @Test("An adaptive bulkhead takes the place of the fixed one, and its limit falls while attempts time out")
  func adaptive() throws {
    try simulate(seeds: 0..<3, stepLimit: 400_000) {
      let lab = Lab {
        $0.adaptiveConcurrency = .init(
          initialLimit: 8, minLimit: 2, maxLimit: 16, samples: 8, queueLimit: 200)
        ($0.breaker, $0.maxConcurrentPerHost, $0.attemptTimeout) = (nil, 1, .seconds(1))
      }
      lab.transport.on(.get("/fast"), respond: [.status(200).after(.milliseconds(50))])
      lab.transport.on(.get("/slow"), respond: [.hang])
      _ = await lab.getAll(Array(repeating: "/fast", count: 200))
      #expect(lab.transport.maxInFlight > 1 && lab.transport.maxInFlight <= 16)
      let events = EventRecorder()
      try await withEvents(events) {
        for _ in 0..<10 { _ = await lab.getAll(Array(repeating: "/slow", count: 60)) }
      }
      let changes = events.events(named: "bulkhead.limit")
      #expect(!changes.isEmpty && changes.last?["limit"] == "2")
    }
  }

  @Test("An adaptive bulkhead's bound is that of its least limit, and its queue refuses what is too much")
  func adaptiveQueue() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab {
        $0.adaptiveConcurrency = .init(initialLimit: 1, minLimit: 1, maxLimit: 1, queueLimit: 2)
      }
      lab.transport.on(.any, respond: [.hang])
      var outcomes: [String] = []
      let time = await Self.time { outcomes = await lab.getAll(["/a", "/b", "/c", "/d"]) }
      #expect(outcomes.sorted() == ["bulkhead_full", "timed_out", "timed_out", "timed_out"])
      #expect(time == .seconds(30) && lab.api.policy.bound.elapsed == time)
      #expect(lab.api.policy.warnings.contains(.limitCannotAdapt(limit: 1)))
    }
  }
}
