import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: deadlines and cancellation")
struct DeadlineCases {
  /// A client of its own for each run, and its script.
  private static func bench(
    _ request: HTTPRequest, _ steps: [ScriptedTransport.Step], _ change: (inout HTTPPolicy) -> Void = { _ in }
  ) -> (api: HTTPClient, transport: ScriptedTransport) {
    let transport = ScriptedTransport()
    transport.on(request, respond: steps)
    var policy = Rig.pinned
    change(&policy)
    return (HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy), transport)
  }

  private static func since(_ start: AmbientClock.Instant) -> Duration {
    start.duration(to: Ambient.clock.now)
  }

  static let endings: [(Duration, [ScriptedTransport.Step], Int, Int, [String])] = [
    (.seconds(15), [.hang], 2, 2, ["timed_out", "deadline_exceeded"]),
    (.seconds(3), [.hang], 1, 1, ["deadline_exceeded"]),
    (.seconds(10), [.hang], 1, 1, ["deadline_exceeded"]),
    (.milliseconds(10_201), [.hang], 2, 2, ["timed_out", "deadline_exceeded"]),
    (.seconds(1), [.status(503), .hang], 2, 1, ["status_503", "deadline_exceeded"]),
    (
      .milliseconds(601), [.status(503), .status(503), .hang], 3, 1,
      ["status_503", "status_503", "deadline_exceeded"]
    ),
    (.seconds(7), [.status(503).after(.seconds(6)), .hang], 2, 1, ["status_503", "deadline_exceeded"]),
    (.seconds(5), [.status(200).after(.seconds(6))], 1, 1, ["deadline_exceeded"]),
    (.seconds(5), [.status(503).after(.seconds(6))], 1, 1, ["deadline_exceeded"]),
    (.nanoseconds(1), [.hang], 1, 1, ["deadline_exceeded"]),
    (.seconds(7), [.redirect(307, to: "/x").after(.seconds(4))], 2, 1, ["deadline_exceeded"]),
  ]

  @Test(
    "DL-03, DL-05: A deadline spans attempts and waits, and is what the caller is told, at its instant",
    arguments: endings)
  func spans(
    deadline: Duration, steps: [ScriptedTransport.Step], count: Int, aborted: Int, outcomes: [String]
  ) throws {
    for request in [HTTPRequest.get("/x"), .carrying(.post, "/x").keyed("k")] {
      for isPolicys in [false, true] {
        try simulate(seeds: 0..<10) {
          let (api, transport) = Self.bench(request, steps) { if isPolicys { $0.timeout = deadline } }
          let start = Ambient.clock.now
          let error = await #expect(throws: HTTPError.self) {
            if isPolicys { return try await api.send(request) }
            return try await withDeadline(deadline) { try await api.send(request) }
          }
          #expect(error?.rejection == Rejection(.deadlineExceeded))
          #expect(error?.call.history.map(\.outcome) == outcomes && error?.call.elapsed == deadline)
          #expect(Self.since(start) == deadline)
          #expect(
            transport.requests.count == count && transport.aborted == aborted && transport.inFlight == 0)
        }
      }
    }
  }

  @Test("DL-05: A deadline on a raced transport is the deadline as well, and an unkeyed POST is sent once")
  func raced() throws {
    try simulate(seeds: 0..<50) {
      let inner = ScriptedTransport()
      inner.on(.post("/x"), respond: [.hang])
      let api = HTTPClient(base: makeURL("https://h"), transport: Forgetful(inner: inner), policy: Rig.pinned)
      let start = Ambient.clock.now
      let error = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(3)) { try await api.send(.post("/x")) }
      }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 1)
      #expect(Self.since(start) == .seconds(3) && inner.aborted == 1 && inner.requests.count == 1)
    }
  }

  @Test("DL-05: The nearer of two deadlines counts, whoever set it", arguments: [(3, 5), (5, 3), (3, 3)])
  func nearer(callers: Int, policys: Int) throws {
    try simulate(seeds: 0..<20) {
      let (api, transport) = Self.bench(.get("/x"), [.hang]) { $0.timeout = .seconds(policys) }
      let start = Ambient.clock.now
      let error = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(callers)) { try await api.send(.get("/x")) }
      }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && transport.requests.count == 1)
      #expect(Self.since(start) == .seconds(3))
    }
  }

  static let moments: [([ScriptedTransport.Step], Int64, Int)] = [
    ([.status(429, headers: ["Retry-After": "3"]), .status(200)], 100, 1),
    ([.status(503), .status(200)], 100, 1),
    ([.status(429, headers: ["Retry-After": "3600"]), .status(200)], 59_999, 1),
    ([.failure(.networkConnectionLost)], 199, 1),
    ([.status(503)], 599, 2), ([.hang], 9_999, 1), ([.hang], 10_100, 1), ([.hang, .status(200)], 10_199, 1),
    ([.status(503), .hang], 201, 2), ([.redirect(302, to: "/x"), .hang], 1, 2),
    ([.redirect(302, to: "/x").after(.seconds(1)), .hang], 1_500, 2),
  ]

  @Test(
    "CX-01: A cancel ends the call at once, in a wait, an attempt or a later hop, and sends nothing more",
    arguments: moments)
  func cancelled(steps: [ScriptedTransport.Step], milliseconds: Int64, count: Int) throws {
    try simulate(seeds: 0..<30) {
      let (api, transport) = Self.bench(.get("/x"), steps)
      let start = Ambient.clock.now
      let call = Ambient.task { try await api.send(.get("/x")) }
      try await Ambient.sleep(for: .milliseconds(milliseconds))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(Self.since(start) == .milliseconds(milliseconds))
      // The rest of the run: nothing is sent later, and the simulation fails where a timer is left.
      try await Ambient.sleep(for: .seconds(10_000))
      #expect(transport.requests.count == count && transport.inFlight == 0)
    }
  }

  @Test("CX-01: Cancelling one of many in their waits leaves the others to their answers")
  func neighbours() throws {
    try simulate(seeds: 0..<30) {
      let transport = ScriptedTransport()
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: Rig.pinned)
      let calls = (0..<6).map { index in
        transport.on(.get("/\(index)"), respond: [.status(503, headers: ["Retry-After": "3"]), .status(200)])
        return Ambient.task { try await api.send(.get("/\(index)")) }
      }
      try await Ambient.sleep(for: .milliseconds(100))
      for call in calls.prefix(3) { call.cancel() }
      for call in calls.prefix(3) { await #expect(throws: CancellationError.self) { try await call.value } }
      for call in calls.dropFirst(3) { #expect(try await call.value.status == 200) }
      #expect(transport.requests.count == 9)
    }
  }

  @Test(
    "CX-02: A task that is cancelled before it sends sends nothing and leaves breaker, budget and bulkhead as they were"
  )
  func before() throws {
    try simulate(seeds: 0..<20) {
      let (api, transport) = Self.bench(.get("/x"), [.status(503), .status(200)]) {
        $0.retry.maxAttempts = 2
        $0.breaker?.minimumCalls = 2
        $0.maxConcurrentPerHost = 1
        $0.queueLimitPerHost = 0
        $0.budget = RetryBudget(ratio: 0, minimumRetries: 1)
      }
      for request in [HTTPRequest.get("/x"), .post("/x"), .post("/x").keyed("k")] {
        for hasDeadline in [false, true] {
          let call = Ambient.task {
            withUnsafeCurrentTask { $0?.cancel() }
            guard hasDeadline else { return try await api.send(request) }
            return try await withDeadline(.seconds(5)) { try await api.send(request) }
          }
          await #expect(throws: CancellationError.self) { try await call.value }
        }
      }
      #expect(transport.requests.isEmpty)
      let answer = try await api.send(.get("/x"))
      #expect(answer.status == 200)
      #expect(transport.requests.count == 2)
    }
  }

  @Test(
    "CX-02: A transport that does not look whether it is cancelled is not asked at all",
    arguments: [nil, 1, 8])
  func notAsked(permits: Int?) throws {
    try simulate(seeds: 0..<20) {
      for isEnforcing in [false, true] {
        let transport = AnsweringTransport(enforcesTimeout: isEnforcing) { _, _ in HTTPResponse(status: 200) }
        var policy = Rig.pinned
        policy.maxConcurrentPerHost = permits
        let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
        let call = Ambient.task {
          withUnsafeCurrentTask { $0?.cancel() }
          return try await api.send(.post("/charge"))
        }
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(transport.requests.isEmpty)
      }
    }
  }

  @Test("CX-02: A cancelled caller does not take an open breaker's probe, nor close it")
  func probe() throws {
    try simulate(seeds: 0..<20) {
      let (api, transport) = Self.bench(.get("/x"), [.status(500), .status(200)]) {
        $0.retry.maxAttempts = 1
        $0.breaker?.minimumCalls = 1
      }
      await #expect(throws: HTTPError.self) { try await api.send(.get("/x")) }
      try await Ambient.sleep(for: .seconds(5))
      let call = Ambient.task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await api.send(.get("/x"))
      }
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(transport.requests.count == 1)
      let answer = try await api.send(.get("/x"))
      #expect(answer.status == 200)
      #expect(transport.requests.count == 2)
    }
  }
}
