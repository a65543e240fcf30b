import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes of breaker, bulkhead and budget")
struct PolicyModes {
  /// The virtual seconds that a body takes.
  private static func time(_ body: () async throws -> Void) async rethrows -> Double {
    let start = Ambient.clock.now
    try await body()
    return start.duration(to: Ambient.clock.now) / .seconds(1)
  }

  @Test("Half of at least twenty failed attempts open a host's breaker, which refuses without an attempt")
  func opens() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab()
      lab.transport.on(.get("/a"), respond: [.status(503)])
      for _ in 0..<20 { #expect(await lab.get("/a") == "503") }
      #expect(await lab.get("/a") == "breaker_open")
      #expect(lab.transport.requests.count == 20)
      try await Ambient.sleep(for: .seconds(5))
      #expect(await lab.get("/a") == "503")
      #expect(await lab.get("/a") == "breaker_open")
    }
  }

  @Test(
    "BK-09, BK-14: Neither 4xx nor too large nor undecodable answers open it",
    arguments: [400, 401, 404, 408, 422, 429])
  func neutral(status: Int) throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab { $0.maxResponseBytes = 10 }
      lab.transport.on(.get("/a"), respond: [.status(status)])
      lab.transport.on(.get("/big"), respond: [.oversized(1 << 30)])
      lab.transport.on(.get("/odd"), respond: [.json("[]")])
      for _ in 0..<60 {
        _ = await lab.get("/a")
        _ = await lab.get("/big")
        _ = try? await lab.api.send(.get("/odd"), decoding: Schema<String>.string)
      }
      #expect(lab.transport.requests.count == 180)
    }
  }

  @Test("BK-15, CX-08: A device that is offline, or a caller who leaves, does not open it")
  func offline() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab()
      lab.transport.on(.get("/a"), respond: [.failure(.notConnectedToInternet)])
      lab.transport.on(.get("/hang"), respond: [.hang])
      for _ in 0..<40 {
        _ = await lab.get("/a")
        let call = Ambient.task { await lab.get("/hang") }
        try await Ambient.sleep(for: .milliseconds(1))
        call.cancel()
        _ = await call.result
      }
      #expect(lab.transport.requests.count == 80)
    }
  }

  @Test("BK-18, HI-01, HI-02: Breakers are per host, and one host has one, however it is spelled")
  func perHost() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab()
      lab.transport.on(.get("/x"), respond: [.status(500)])
      for _ in 0..<20 { _ = try? await lab.api.send(.get(makeURL("https://H.example:443/x"))) }
      let before = lab.transport.requests.count
      for spelling in ["https://h.example/x", "https://h.example:443/x", "https://h.example./x"] {
        await #expect(throws: HTTPError.self) { try await lab.api.send(.get(makeURL(spelling))) }
      }
      #expect(lab.transport.requests.count == before)
      _ = try? await lab.api.send(.get(makeURL("https://h.example:8443/x")))
      _ = try? await lab.api.send(.get(makeURL("http://h.example/x")))
      #expect(lab.transport.requests.count == before + 2)
    }
  }

  @Test("BK-05: A probe that the bulkhead refuses gives its place back")
  func refusedProbe() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.maxConcurrentPerHost = 2
        $0.queueLimitPerHost = 0
        $0.breaker?.minimumCalls = 2
        $0.breaker?.probes = 2
        $0.breaker?.successesToClose = 2
      }
      lab.transport.on(.get("/down"), respond: [.status(500)])
      lab.transport.on(.get("/slow"), respond: [.status(200).after(.seconds(9))])
      let early = Ambient.task { await lab.get("/slow") }
      try await Ambient.sleep(for: .milliseconds(1))
      for _ in 0..<2 { #expect(await lab.get("/down") == "500") }
      #expect(await lab.get("/down") == "breaker_open")
      try await Ambient.sleep(for: .seconds(5))
      // The early call and a probe hold both permits; the second probe's place is free again after each refusal.
      let probe = Ambient.task { await lab.get("/slow") }
      try await Ambient.sleep(for: .milliseconds(1))
      for _ in 0..<3 { #expect(await lab.get("/down") == "bulkhead_full") }
      #expect(try await early.value == "200")
      #expect(try await probe.value == "200")
      // The second success of two closes the breaker.
      let events = EventRecorder()
      try await withEvents(events) { #expect(await lab.get("/slow") == "200") }
      #expect(events.events(named: "breaker.closed").count == 1)
    }
  }

  @Test(
    "BH-01, BH-03, BH-06: Eight run, sixty-four wait without their timeout running, the rest is refused at once"
  )
  func bulkhead() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab()
      for index in 0..<73 {
        lab.transport.on(.get("/\(index)"), respond: [.status(200).after(.seconds(9))])
      }
      var words: [String] = []
      let time = await Self.time { words = await lab.getAll((0..<73).map { "/\($0)" }) }
      #expect(words.count { $0 == "200" } == 72)
      #expect(words.count { $0 == "bulkhead_full" } == 1)
      #expect(lab.transport.maxInFlight == 8)
      #expect(time == 81)
    }
  }

  @Test(
    "A call that queued while the breaker opened is refused when it gets its permit, and has made no attempt")
  func askedAgain() throws {
    try simulate(seeds: 0..<20) {
      let lab = Lab {
        $0.maxConcurrentPerHost = 1
        $0.breaker?.minimumCalls = 2
      }
      lab.transport.on(.get("/down"), respond: [.status(500).after(.seconds(1))])
      let words = await lab.getAll(["/down", "/down?2", "/down?3", "/down?4"])
      #expect(words.sorted() == ["500", "500", "breaker_open", "breaker_open"])
      #expect(lab.transport.requests.count == 2)
    }
  }

  @Test("DL-06: A queued call leaves at its deadline without an attempt")
  func queuedDeadline() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab { $0.attemptTimeout = .seconds(60) }
      lab.transport.on(.get("/hang"), respond: [.hang])
      let calls = (0..<8).map { _ in Ambient.task { await lab.get("/hang") } }
      try await Ambient.sleep(for: .milliseconds(1))
      let time = await Self.time {
        let error = await #expect(throws: HTTPError.self) {
          try await withDeadline(.seconds(2)) { try await lab.api.send(.get("/late")) }
        }
        #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 0)
      }
      #expect(time == 2)
      for call in calls { call.cancel() }
      for call in calls { _ = await call.result }
      #expect(lab.transport.requests.count == 8)
    }
  }

  @Test(
    "BG-01, BG-04, BG-08: A burst makes no more retries than the budget, over all hosts of a client and of no other"
  )
  func budget() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab(attempts: 2) {
        $0.breaker = nil
        $0.maxConcurrentPerHost = nil
      }
      let words = await withTaskGroup(of: String.self, returning: [String].self) { group in
        for index in 0..<100 {
          group.addTask {
            lab.transport.on(.get("/\(index)"), respond: [.status(503)])
            let host = index % 2 == 0 ? "https://h.example" : "https://other.example"
            do {
              try await lab.api.send(.get(makeURL("\(host)/\(index)")))
              return "200"
            } catch { return (error as? HTTPError)?.rejection?.reason.rawValue ?? "status" }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(lab.transport.requests.count == 110)
      #expect(words.count { $0 == "budget_exhausted" } == 90)
      let other = Lab(attempts: 2)
      other.transport.on(.get("/a"), respond: [.status(503), .status(200)])
      #expect(await other.get("/a") == "200")
    }
  }

  @Test("BG-05: A retry that a deadline or a cancel stops costs the budget nothing")
  func refund() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab(attempts: 2) { $0.budget = RetryBudget(ratio: 0, minimumRetries: 1) }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      _ = try? await withDeadline(.milliseconds(100)) { try await lab.api.send(.get("/a")) }
      let call = Ambient.task { await lab.get("/a") }
      try await Ambient.sleep(for: .milliseconds(100))
      call.cancel()
      _ = await call.result
      #expect(lab.transport.requests.count == 2)
      #expect(await lab.get("/a") == "503")
      #expect(lab.transport.requests.count == 4)
      #expect(await lab.get("/a") == "budget_exhausted")
    }
  }

  @Test("No wait is begun that ends before the breaker may let a call through")
  func doomedWait() throws {
    try simulate(seeds: 0..<10) {
      let lab = Lab(attempts: 3) { $0.breaker?.minimumCalls = 2 }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      let time = await Self.time {
        let error = await #expect(throws: HTTPError.self) { try await lab.api.send(.get("/a")) }
        #expect(error?.rejection == Rejection(.breakerOpen, retryAfter: .seconds(5)))
        #expect(error?.call.history.map(\.outcome) == ["status_503", "status_503"])
      }
      #expect(time == 0.2)
    }
  }

  @Test("CF-07: Without breaker, bulkhead and budget nothing is refused")
  func without() throws {
    try simulate(seeds: 0..<3) {
      let lab = Lab(attempts: 2) {
        $0.breaker = nil
        $0.maxConcurrentPerHost = nil
        $0.budget = nil
      }
      lab.transport.on(.get("/a"), respond: [.status(503)])
      for _ in 0..<40 { #expect(await lab.get("/a") == "503") }
      #expect(lab.transport.requests.count == 80)
    }
  }

  @Test("BK-11, BK-12: A host with a call in it, or an open breaker, is not forgotten among many others")
  func manyHosts() throws {
    try simulate(seeds: 0..<2) {
      let lab = Lab {
        $0.breaker?.minimumCalls = 2
        $0.breaker?.openFor = .seconds(3_600)
        $0.maxConcurrentPerHost = 1
        $0.attemptTimeout = .seconds(600)
        $0.queueLimitPerHost = 0
      }
      lab.transport.on(.get("/down"), respond: [.status(500)])
      lab.transport.on(.get("/hang"), respond: [.hang])
      for _ in 0..<2 { _ = await lab.get("/down") }
      let busy = Ambient.task { try await lab.api.send(.get(makeURL("https://busy.example/hang"))) }
      try await Ambient.sleep(for: .milliseconds(1))
      for index in 0..<600 { _ = try? await lab.api.send(.get(makeURL("https://h\(index).example/x"))) }
      #expect(lab.api.knownHosts == 256)
      #expect(await lab.get("/down") == "breaker_open")
      let second = await #expect(throws: HTTPError.self) {
        try await lab.api.send(.get(makeURL("https://busy.example/hang")))
      }
      #expect(second?.rejection == Rejection(.bulkheadFull))
      busy.cancel()
      _ = await busy.result
    }
  }

  @Test("Hosts beyond 256 are forgotten when their calls have ended, however many came at once")
  func manyHostsAtOnce() throws {
    try simulate(seeds: 0..<2) {
      let lab = Lab()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<400 {
          group.addTask {
            lab.transport.on(.get("/\(index)"), respond: [.status(200).after(.seconds(1))])
            _ = try? await lab.api.send(.get(makeURL("https://h\(index).example/\(index)")))
          }
        }
        group.addTask {
          try? await Ambient.sleep(for: .milliseconds(500))
          #expect(lab.api.knownHosts == 400)
        }
      }
      #expect(lab.api.knownHosts == 256)
    }
  }

  /// Sends GETs to hosts of their own, one after the other.
  private static func visit(_ hosts: Range<Int>, _ path: String, by lab: Lab) async {
    for index in hosts { _ = try? await lab.api.send(.get(makeURL("https://h\(index).test\(path)"))) }
  }

  @Test("However many hosts have to stay, a call that ends looks at few of them", .timeLimit(.minutes(30)))
  func fewLooks() async throws {
    let reads = Kept(0)
    try await withClock(CountingClock(inner: TestClock(), reads: reads)) {
      let lab = Lab {
        $0.breaker?.minimumCalls = 1
        $0.breaker?.openFor = .seconds(3_600)
      }
      lab.transport.on(.get("/down"), respond: [.status(500)])
      await Self.visit(0..<1_000, "/down", by: lab)
      #expect(lab.api.knownHosts == 1_000)
      let before = reads.value
      // Each look at a host reads its clock.
      await Self.visit(1_000..<1_300, "/x", by: lab)
      #expect(reads.value - before < 300 * 30)
      // Of the others none stays for long.
      #expect(1_000...1_200 ~= lab.api.knownHosts)
    }
  }

  @Test("Beyond 4,096 hosts those with an open breaker are forgotten as well, first those used longest ago")
  func hardLimit() async throws {
    try await withClock(TestClock()) {
      let lab = Lab {
        $0.breaker?.minimumCalls = 1
        $0.breaker?.openFor = .seconds(3_600)
      }
      lab.transport.on(.get("/down"), respond: [.status(500)])
      await Self.visit(0..<4_096, "/down", by: lab)
      let before = lab.transport.requests.count
      // All refuse still.
      await Self.visit(0..<1, "/down", by: lab)
      await Self.visit(4_095..<4_096, "/down", by: lab)
      #expect(lab.api.knownHosts == 4_096 && lab.transport.requests.count == before)
      await Self.visit(4_096..<4_100, "/down", by: lab)
      #expect(lab.api.knownHosts == 4_096 && lab.transport.requests.count == before + 4)
      // Those used longest ago went: the second to the fifth.
      await Self.visit(0..<1, "/down", by: lab)
      await Self.visit(5..<4_100, "/down", by: lab)
      #expect(lab.transport.requests.count == before + 4)
      await Self.visit(1..<5, "/down", by: lab)
      #expect(lab.transport.requests.count == before + 8)
    }
  }

  @Test("A breaker around the client goes by the client's own table", arguments: [404, 500, 0])
  func breakerAround(status: Int) throws {
    try simulate(seeds: 0..<5) {
      let lab = Lab {
        $0.breaker = nil
        $0.timeout = .seconds(1)
      }
      lab.transport.on(.get("/a"), respond: [status == 0 ? .hang : .status(status)])
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 3))
      for _ in 0..<3 { _ = try? await breaker.run { try await lab.api.send(.get("/a")) } }
      // A hanging host is noticed by the deadline that the client sets itself.
      #expect(breaker.state == (status == 404 ? .closed : .open))
    }
  }
}

/// A clock that stands still and counts how often it is read.
private struct CountingClock: Clock {
  let inner: TestClock
  let reads: Kept<Int>

  var now: TestClock.Instant {
    reads.change { $0 += 1 }
    return inner.now
  }

  var minimumResolution: Duration { inner.minimumResolution }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await inner.sleep(until: deadline, tolerance: tolerance)
  }
}
