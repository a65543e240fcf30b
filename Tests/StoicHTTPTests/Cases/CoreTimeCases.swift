import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases of the core through the client: waits, deadlines, clocks")
struct CoreTimeCases {
  /// The waits of a GET that meets 503 for ever, in seconds.
  private func waits(attempts: Int, _ change: (inout RetrySchedule) -> Void) async throws -> [Double] {
    var rig = Rig()
    rig.policy.retry.maxAttempts = attempts
    rig.policy.budget = nil
    rig.policy.breaker = nil
    change(&rig.policy.retry)
    rig.transport.on(.get("/x"), respond: [.status(503)])
    let error = await rig.failure(.get("/x"))
    return (error?.call.history ?? []).dropFirst().map { $0.waitBefore / .seconds(1) }
  }

  @Test("BJ-01, BJ-07: Waits begin with the base, double, and stay at the cap, however many there are")
  func growth() async throws {
    let waits = try await waits(attempts: 64) { _ in }
    #expect(Array(waits.prefix(8)) == [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 10, 10])
    #expect(waits.dropFirst(6).allSatisfy { $0 == 10 })
  }

  @Test(
    "BJ-03, BJ-04, BJ-06: Drawn waits stay below their own nominal one, never pass the cap, and differ at it")
  func jitter() async throws {
    var drawn: Set<Double> = []
    for _ in 0..<5 {
      let waits = try await waits(attempts: 40) {
        $0.jitter = .full
        $0.base = .milliseconds(100)
        $0.cap = .milliseconds(500)
      }
      for (index, wait) in waits.enumerated() {
        #expect(wait >= 0 && wait <= min(0.5, 0.1 * Double(1 << min(index, 10))))
      }
      drawn.formUnion(waits.dropFirst(3))
    }
    #expect(drawn.count > 100)
  }

  @Test(
    "CF-04: Whatever the schedule's numbers are, every wait is from zero to the cap",
    arguments: [Double.nan, .infinity, -.infinity, 0, -1, 1e300])
  func numbers(multiplier: Double) async throws {
    for (base, cap) in [
      (Duration.seconds(-1), Duration.seconds(1)), (.seconds(2), .seconds(1)),
      (.seconds(Int64.max), .seconds(1)),
      (.zero, .zero), (.milliseconds(1), .seconds(-5)),
    ] {
      let waits = try await waits(attempts: 5) {
        $0.multiplier = multiplier
        $0.base = base
        $0.cap = cap
      }
      #expect(waits.count == 4 && waits.allSatisfy { $0 >= 0 && $0 <= max(0, cap / .seconds(1)) })
    }
  }

  @Test(
    "DL-02, DL-08: A wait that would end at the deadline or after it is not started",
    arguments: [
      (Duration.milliseconds(100), nil), (.milliseconds(200), nil), (.seconds(10), "10"),
      (.seconds(10), "11"),
    ] as [(Duration, String?)])
  func doomed(deadline: Duration, asked: String?) async throws {
    let rig = Rig()
    rig.transport.on(
      .get("/x"), respond: [.status(503, headers: asked.map { ["Retry-After": $0] } ?? [:]), .status(200)])
    // Nobody moves the clock: the deadline's timer is there from the start, and none other is to come.
    let error = await #expect(throws: HTTPError.self) {
      try await rig.inForce {
        try await withDeadline(deadline) { _ = try await rig.api.send(.get("/x")) }
      }
    }
    #expect(error?.rejection?.reason == .deadlineExceeded)
    #expect(rig.transport.requests.count == 1 && rig.elapsed == .zero)
  }

  @Test(
    "DL-09: Of nested deadlines the nearer one ends the call, in either order", arguments: [(5, 50), (50, 5)])
  func nested(outer: Int64, inner: Int64) throws {
    try simulate(seeds: 0..<20) {
      let (transport, start) = (ScriptedTransport(), Ambient.clock.now)
      transport.on(.get("/x"), respond: [.hang])
      let api = HTTPClient(base: makeURL("https://h"), transport: transport)
      do {
        try await withDeadline(.seconds(outer)) {
          try await withDeadline(.seconds(inner)) { _ = try await api.send(.get("/x")) }
        }
        Issue.record("an answer came from nowhere")
      } catch let error as HTTPError {
        #expect(error.rejection?.reason == .deadlineExceeded && error.attempts == 1)
      }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(5))
    }
  }

  @Test("TR-07: A retry around a call does not multiply its attempts", arguments: [1, 2, 3, 7])
  func nesting(attempts: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(503)])
    _ = await rig.failure { api in
      try await retry(RetrySchedule(maxAttempts: attempts, jitter: .none)) { _ in
        _ = try await api.send(.get("/x"))
      }
    }
    #expect(rig.transport.requests.count == attempts)
  }

  @Test(
    "CK-01, CK-06: A deadline, a timeout or a delay as long as can be written means none, and nothing overflows",
    arguments: [Duration.seconds(Int64.max), .nanoseconds(Int64.max), .seconds(Int64.max / 2)])
  func huge(time: Duration) throws {
    try simulate(seeds: 0..<10) {
      let (transport, start) = (ScriptedTransport(), Ambient.clock.now)
      var policy = Rig.pinned
      policy.timeout = time
      policy.attemptTimeout = time
      policy.queueTimeout = time
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      transport.on(.get("/x"), respond: [.status(503, headers: ["Retry-After": "30"]), .status(200)])
      try await withDeadline(time) { _ = try await api.send(.get("/x")) }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(30))
      transport.on(.get("/late"), respond: [.status(200).after(time)])
      let call = Ambient.task { try await api.send(.get("/late")) }
      try await Ambient.sleep(for: .seconds(1))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
    }
  }

  @Test(
    "CK-03, CK-04: Answers that are due come in the order of their instants, those that are due now without an advance"
  )
  func order() async throws {
    let (rig, clock) = (Rig(), TestClock())
    rig.transport.on(.get("/now"), respond: [.status(200).after(.zero)])
    try await withClock(clock) { _ = try await rig.api.send(.get("/now")) }
    #expect(clock.now.offset == .zero)
    let ended = Kept<[Int]>([])
    let calls = (0..<50).map { number in
      rig.transport.on(.delete("/\(number)"), respond: [.status(200).after(.seconds(50 - number))])
      return Task {
        try await withClock(clock) {
          var policy = Rig.pinned
          policy.maxConcurrentPerHost = nil
          policy.attemptTimeout = .seconds(100)
          let api = HTTPClient(base: makeURL("https://h"), transport: rig.transport, policy: policy)
          _ = try await api.send(.delete("/\(number)"))
          ended.change { $0.append(number) }
        }
      }
    }
    await clock.waitForSleepers(50)
    while let next = clock.sleepers.first, ended.value.count < 50 {
      let due = ended.value.count + 1
      clock.advance(to: next)
      while ended.value.count < due { await Task.yield() }
    }
    for call in calls { try await call.value }
    #expect(ended.value == (0..<50).reversed())
  }
}
