import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases of the core through the client: bulkhead, breaker, budget, flights")
struct CorePolicyCases {
  private static func breaking(_ policy: inout HTTPPolicy) { policy.breaker?.minimumCalls = 2 }

  @Test("CX-04, CX-05, BH-04: Whenever callers leave and however calls end, every permit comes back")
  func churn() throws {
    try simulate(seeds: 0..<150) {
      let lab = Lab {
        $0.maxResponseBytes = 10
        $0.breaker = nil
      }
      let endings: [ScriptedTransport.Step] = [
        .status(200).after(.seconds(1)), .status(503), .failure(.networkConnectionLost), .hang,
        .oversized(11),
        .status(200),
      ]
      lab.transport.on(
        .any, respond: [.computed { _ in endings[Int(Ambient.random.next() % UInt64(endings.count))] }])
      var calls: [Task<String, any Error>] = []
      for number in 0..<24 { calls.append(Ambient.task { await lab.get("/\(number)") }) }
      for call in calls where Ambient.random.next() % 2 == 0 {
        if Ambient.random.next() % 4 == 0 { try await Ambient.sleep(for: .milliseconds(300)) }
        call.cancel()
      }
      for call in calls { _ = await call.result }
      #expect(lab.transport.maxInFlight <= 8 && lab.transport.inFlight == 0)
      // All eight permits are there: eight calls are in flight together.
      try await Ambient.sleep(for: .seconds(300))
      lab.transport.on(.any, respond: [.status(200).after(.seconds(1))])
      let start = Ambient.clock.now
      let last = (0..<8).map { number in Ambient.task { await lab.get("/\(number)") } }
      for call in last { #expect(try await call.value == "200") }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(1))
    }
  }

  @Test("CX-10: On real threads a call that is cancelled as it begins to wait always returns")
  func registration() async throws {
    let lab = Lab { $0.maxConcurrentPerHost = 1 }
    lab.transport.on(.get("/hold"), respond: [.hang])
    // A clock that stands still: nothing but cancellation may end these calls, however busy the machine is.
    try await withClock(TestClock()) {
      let holder = Task { await lab.get("/hold") }
      while lab.transport.inFlight == 0 { await Task.yield() }
      for _ in 0..<300 {
        let call = Task { await lab.get("/x") }
        if Bool.random() { await Task.yield() }
        call.cancel()
        #expect(await call.value == "cancelled")
      }
      holder.cancel()
      #expect(await holder.value == "cancelled")
      lab.transport.on(.get("/x"), respond: [.status(200)])
      #expect(await lab.get("/x") == "200")
    }
  }

  @Test("CF-05: A bulkhead and limits of any numbers neither deadlock nor trap", arguments: [0, -1, Int.min])
  func numbers(number: Int) throws {
    try simulate(seeds: 0..<5) {
      let lab = Lab {
        $0.maxConcurrentPerHost = number
        $0.queueLimitPerHost = number
        $0.maxRetryAfter = .seconds(number)
        $0.maxResponseBytes = number
      }
      lab.transport.on(.get("/slow"), respond: [.status(200).after(.seconds(1))])
      lab.transport.on(.get("/body"), respond: [.bytes([1])])
      let slow = try await lab.start("/slow")
      #expect(await lab.get("/slow") == "bulkhead_full")
      #expect(try await slow.value == "200")
      #expect(await lab.get("/body") == "other")
      let late = Lab { $0.attemptTimeout = .seconds(number) }
      #expect(await late.get("/x") == "timed_out")
      #expect(late.transport.requests.isEmpty)
    }
  }

  @Test("BK-02: One probe alone when ten callers come as the open period ends")
  func oneProbe() throws {
    try simulate(seeds: 0..<50) {
      let lab = Lab(Self.breaking)
      await lab.open()
      lab.transport.on(.any, respond: [.status(200).after(.seconds(1))])
      let before = lab.transport.requests.count
      let calls = (0..<10).map { number in
        Ambient.task {
          try await Ambient.sleep(for: .seconds(5))
          return await lab.get("/\(number)")
        }
      }
      var words: [String] = []
      for call in calls { words.append(try await call.value) }
      #expect(words.filter { $0 == "200" }.count == 1 && words.filter { $0 == "breaker_open" }.count == 9)
      #expect(lab.transport.requests.count == before + 1)
      #expect(await lab.get("/next") == "200")
    }
  }

  @Test(
    "BK-03, BK-06: A probe that is cancelled gives its place back, one that hangs fails by the attempt's timeout"
  )
  func probes() throws {
    try simulate(seeds: 0..<50) {
      let lab = Lab(Self.breaking)
      await lab.open()
      lab.transport.on(.get("/hang"), respond: [.hang])
      lab.transport.on(.get("/ok"), respond: [.status(200)])
      try await Ambient.sleep(for: .seconds(5))
      let probe = try await lab.start("/hang")
      #expect(await lab.get("/ok") == "breaker_open")
      probe.cancel()
      #expect(try await probe.value == "cancelled")
      #expect(try await lab.start("/hang").value == "timed_out")
      #expect(await lab.get("/ok") == "breaker_open")
      // The second open period is longer, and drawn.
      try await Ambient.sleep(for: .seconds(60))
      #expect(await lab.get("/ok") == "200")
    }
  }

  @Test(
    "BK-08: A call from before the opening that succeeds late neither closes the breaker nor lets a second probe in"
  )
  func lateSuccess() throws {
    try simulate(seeds: 0..<50) {
      let lab = Lab(Self.breaking)
      lab.transport.on(.get("/slow"), respond: [.status(200).after(.seconds(3))])
      lab.transport.on(.get("/slower"), respond: [.status(200).after(.seconds(6))])
      lab.transport.on(.get("/probe"), respond: [.status(200).after(.seconds(4))])
      let early = [try await lab.start("/slow"), try await lab.start("/slower")]
      await lab.open()
      #expect(try await early[0].value == "200")
      #expect(await lab.get("/probe") == "breaker_open")
      try await Ambient.sleep(for: .milliseconds(2_001))
      let probe = try await lab.start("/probe")
      #expect(try await early[1].value == "200")
      #expect(await lab.get("/probe") == "breaker_open")
      #expect(try await probe.value == "200")
      #expect(await lab.get("/probe") == "200")
    }
  }

  @Test("BK-17: The wall clock moves no breaker", arguments: [-3_600.0, 86_400, .infinity])
  func wallClock(jump: TimeInterval) throws {
    try simulate(seeds: 0..<5) {
      let now = Kept(Date(timeIntervalSince1970: 1_780_315_200))
      let lab = Lab {
        Self.breaking(&$0)
        $0.wallClock = { now.value }
      }
      await lab.open()
      now.change { $0 = $0.addingTimeInterval(jump) }
      lab.transport.on(.get("/ok"), respond: [.status(200)])
      try await Ambient.sleep(for: .milliseconds(4_999))
      #expect(await lab.get("/ok") == "breaker_open")
      try await Ambient.sleep(for: .milliseconds(1))
      #expect(await lab.get("/ok") == "200")
    }
  }

  @Test("BG-02: A drained budget pays again when calls have succeeded")
  func refill() throws {
    try simulate(seeds: 0..<5) {
      let lab = Lab(attempts: 2) {
        $0.budget = RetryBudget(ratio: 0.5, minimumRetries: 1, window: .seconds(100))
        $0.breaker = nil
      }
      lab.transport.on(.get("/down"), respond: [.status(503)])
      lab.transport.on(.get("/ok"), respond: [.status(200)])
      lab.transport.on(.get("/flaky"), respond: [.status(503), .status(200)])
      #expect(await lab.get("/down") == "503")
      #expect(await lab.get("/down") == "budget_exhausted")
      for _ in 0..<2 { #expect(await lab.get("/ok") == "200") }
      #expect(await lab.get("/flaky") == "200")
    }
  }
}

@Suite("Cases of the core through the client: flights")
struct CoreFlightCases {
  /// A transport that goes on for a while after it was cancelled, and one that fails in a way of its own.
  private struct Stubborn: HTTPTransport {
    struct Private: Error {}

    let calls = Kept(0)

    var count: Int { calls.value }

    func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
      let number = calls.change { $0 += 1 }
      if request.url.path() == "/private" {
        try await Ambient.sleep(for: .seconds(1))
        throw Private()
      }
      if number == 1 {
        do { try await Ambient.sleep(for: .seconds(100)) } catch {
          try await Ambient.task { try await Ambient.sleep(for: .seconds(1)) }.value
          throw error
        }
      }
      try await Ambient.sleep(for: .seconds(3))
      return HTTPResponse(status: 200, body: [UInt8(number)], url: request.url)
    }
  }

  @Test(
    "SF-03, SF-06: A request that is being cancelled is joined by nobody, and its late end leaves the newer one alone"
  )
  func dying() throws {
    try simulate(seeds: 0..<100) {
      let transport = Stubborn()
      var policy = Rig.pinned
      policy.attemptTimeout = .seconds(200)
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      let first = Ambient.task { try await api.send(.get("/x")).body }
      try await Ambient.sleep(for: .nanoseconds(1))
      first.cancel()
      let second = Ambient.task { try await api.send(.get("/x")).body }
      // The first has ended by now, and the second has not.
      try await Ambient.sleep(for: .seconds(2))
      let third = try await api.send(.get("/x")).body
      #expect(third == [2] && transport.count == 2)
      #expect(try await second.value == [2])
      await #expect(throws: CancellationError.self) { try await first.value }
    }
  }

  @Test("SF-04: One of those who wait leaves, and a newcomer joins the others")
  func leaving() throws {
    try simulate(seeds: 0..<100) {
      let transport = ScriptedTransport()
      transport.on(.get("/x"), respond: [.bytes([1]).after(.seconds(1))])
      let api = HTTPClient(base: makeURL("https://h"), transport: transport)
      var calls: [Task<[UInt8], any Error>] = []
      for _ in 0..<3 {
        calls.append(Ambient.task { try await api.send(.get("/x")).body })
        try await Ambient.sleep(for: .nanoseconds(1))
      }
      calls[1].cancel()
      await #expect(throws: CancellationError.self) { try await calls[1].value }
      calls.append(Ambient.task { try await api.send(.get("/x")).body })
      for call in [calls[0], calls[2], calls[3]] { #expect(try await call.value == [1]) }
      #expect(transport.requests.count == 1)
    }
  }

  @Test("SF-13: A transport that fails in a way of its own strands nobody, and the next call starts anew")
  func unforeseen() throws {
    try simulate(seeds: 0..<100) {
      let transport = Stubborn()
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: Rig.pinned)
      let calls = (0..<10).map { _ in Ambient.task { try await api.send(.get("/private")) } }
      for call in calls {
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.code == .unknown && error?.attempts == 1)
      }
      #expect(transport.count == 1)
      _ = try? await api.send(.get("/private"))
      #expect(transport.count == 2 && api.flights == 0)
    }
  }
}
