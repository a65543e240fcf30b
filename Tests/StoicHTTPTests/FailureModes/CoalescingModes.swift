import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes of shared requests")
struct CoalescingModes {
  /// A client on a script in virtual time.
  private struct Bench: Sendable {
    let transport = ScriptedTransport()
    let events = EventRecorder()
    let api: HTTPClient

    init(_ change: (inout HTTPPolicy) -> Void = { _ in }) {
      var policy = Rig.pinned
      change(&policy)
      api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy, label: "api")
    }

    /// Starts a caller, who has reached the client when this returns.
    func start(
      _ request: HTTPRequest, deadline: Duration? = nil
    ) async throws -> Task<HTTPResponse, any Error> {
      let call = Ambient.task { [self] in
        try await withEvents(events) {
          guard let deadline else { return try await api.send(request) }
          return try await withDeadline(deadline) { try await api.send(request) }
        }
      }
      try await Ambient.sleep(for: .nanoseconds(1))
      return call
    }

    var sent: Int { transport.requests.count }

    /// Whether nothing is left behind.
    var isClean: Bool { transport.inFlight == 0 && api.flights == 0 }
  }

  private static var elapsed: Duration { Ambient.clock.now.offset }

  @Test(
    "Mode 22, SF-01: Ten identical GETs make one request, whose outcome all share, and the next one another")
  func sharing() throws {
    try simulate(seeds: 0..<100) {
      let bench = Bench()
      bench.transport.on(.get("/a.png"), respond: [.bytes([1, 2, 3]).after(.seconds(1))])
      var calls: [Task<HTTPResponse, any Error>] = []
      for _ in 0..<10 { calls.append(try await bench.start(.get("/a.png"))) }
      for call in calls { #expect(try await call.value.body == [1, 2, 3]) }
      #expect(bench.sent == 1 && bench.isClean)
      #expect(bench.events.events(named: "http.coalesced").count == 9)
      #expect(bench.events.events(named: "http.request").count == 1)
      let event = try #require(bench.events.events(named: "http.coalesced").first)
      #expect(event.label == "api h" && event.level == .debug && event["path"] == "/a.png")
      try await bench.api.send(.get("/a.png"))
      #expect(bench.sent == 2)
    }
  }

  @Test("Mode 22: Failures are shared with the attempts that were made")
  func sharedFailure() throws {
    try simulate(seeds: 0..<100) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.status(503).after(.seconds(1))])
      var calls: [Task<HTTPResponse, any Error>] = []
      for _ in 0..<4 { calls.append(try await bench.start(.get("/x"))) }
      for call in calls {
        let error = await #expect(throws: HTTPError.self) { try await call.value }
        #expect(error?.status == 503 && error?.attempts == 3)
      }
      #expect(bench.sent == 3 && bench.events.events(named: "http.failed").count == 1)
    }
  }

  @Test(
    "Mode 23: When the one whose request is shared is cancelled, the others send one of their own, and share that"
  )
  func cancelledStarter() throws {
    try simulate(seeds: 0..<200) {
      let bench = Bench()
      bench.transport.on(
        .get("/x"), respond: [.bytes([1]).after(.seconds(1)), .bytes([7]).after(.seconds(1))])
      let starter = try await bench.start(.get("/x"))
      let others = [try await bench.start(.get("/x")), try await bench.start(.get("/x"))]
      try await Ambient.sleep(for: .milliseconds(500))
      starter.cancel()
      await #expect(throws: CancellationError.self) { try await starter.value }
      #expect(Self.elapsed < .milliseconds(501) && bench.transport.aborted == 1)
      for call in others { #expect(try await call.value.body == [7]) }
      #expect(Self.elapsed < .milliseconds(1_501) && bench.sent == 2 && bench.isClean)
    }
  }

  @Test("Mode 23, 25: When the last caller leaves the request is cancelled, and nobody joins it from then on")
  func lastCaller() throws {
    try simulate(seeds: 0..<200) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.hang, .bytes([2]).after(.seconds(1))])
      let leavers = [try await bench.start(.get("/x")), try await bench.start(.get("/x"))]
      for leaver in leavers { leaver.cancel() }
      // Comes before the request has been taken back.
      let next = try await bench.api.send(.get("/x"))
      #expect(next.body == [2])
      for leaver in leavers { await #expect(throws: CancellationError.self) { try await leaver.value } }
      #expect(bench.sent == 2 && bench.transport.aborted == 1 && bench.isClean)
    }
  }

  @Test("Mode 23, SF-12: Who joined with more time than the starter starts a request of its own")
  func lentDeadline() throws {
    try simulate(seeds: 0..<200) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.hang, .bytes([2])])
      let starter = try await bench.start(.get("/x"), deadline: .seconds(1))
      try await Ambient.sleep(for: .milliseconds(500))
      let joiner = try await bench.start(.get("/x"), deadline: .seconds(10))
      let error = await #expect(throws: HTTPError.self) { try await starter.value }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 1)
      #expect(try await joiner.value.body == [2])
      #expect(Self.elapsed < .milliseconds(1_001) && bench.sent == 2 && bench.isClean)
    }
  }

  @Test("Mode 23: A wait that would outlast the starter's deadline fails the starter alone")
  func doomedWait() throws {
    try simulate(seeds: 0..<100) {
      let bench = Bench()
      bench.transport.on(
        .get("/x"),
        respond: [.status(503, headers: ["Retry-After": "5"]).after(.seconds(1)), .bytes([2])])
      let starter = try await bench.start(.get("/x"), deadline: .seconds(3))
      let same = try await bench.start(.get("/x"), deadline: .milliseconds(2_900))
      let patient = try await bench.start(.get("/x"), deadline: .seconds(30))
      let error = await #expect(throws: HTTPError.self) { try await starter.value }
      #expect(
        error?.rejection == Rejection(.deadlineExceeded, retryAfter: .seconds(5)) && error?.attempts == 1)
      // Who has the most time goes on for all.
      #expect(try await same.value.body == [2])
      #expect(try await patient.value.body == [2])
      #expect(bench.sent == 2)
    }
  }

  @Test("Mode 23: A joiner whose own time is over leaves without an attempt, and the request goes on")
  func hastyJoiner() throws {
    try simulate(seeds: 0..<200) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.bytes([1]).after(.seconds(3))])
      let starter = try await bench.start(.get("/x"))
      let joiner = try await bench.start(.get("/x"), deadline: .seconds(1))
      let error = await #expect(throws: HTTPError.self) { try await joiner.value }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 0)
      #expect(error?.call.method == .get && error?.call.elapsed == .seconds(1))
      #expect(try await starter.value.body == [1])
      #expect(bench.sent == 1 && bench.transport.aborted == 0)
      #expect(bench.events.events(named: "http.failed").map { $0["attempts"] } == ["0"])
    }
  }

  @Test("Mode 23: The policy's own timeout is each caller's, from when it came")
  func ownTimeout() throws {
    try simulate(seeds: 0..<100) {
      let bench = Bench { $0.timeout = .seconds(5) }
      bench.transport.on(.get("/x"), respond: [.hang, .bytes([2])])
      let starter = try await bench.start(.get("/x"))
      try await Ambient.sleep(for: .seconds(2))
      let joiner = try await bench.start(.get("/x"))
      let error = await #expect(throws: HTTPError.self) { try await starter.value }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 1)
      #expect(try await joiner.value.body == [2])
      #expect(bench.sent == 2)
    }
  }

  @Test(
    "Mode 24, SF-07, SF-09, SF-10: GETs that differ in any field are different requests",
    arguments: [
      "Authorization", "Cookie", "X-API-Key", "If-None-Match", "If-Modified-Since", "Range", "Accept",
      "Accept-Language", "X-Tenant", "Prefer",
    ])
  func fields(name: String) throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench()
      bench.transport.on(
        .get("/me"), respond: [.bytes([1]).after(.seconds(1)), .bytes([2]).after(.seconds(1))])
      let calls = [
        try await bench.start(.get("/me").header(name, "a")),
        try await bench.start(.get("/me").header(name, "b")),
        try await bench.start(.get("/me").header(name.uppercased(), "a")),
      ]
      let bodies = try await calls.asyncMap { try await $0.value.body }
      #expect(bodies == [[1], [2], [1]] && bench.sent == 2)
    }
  }

  @Test(
    "Mode 24: Values that Unicode holds equal are different on the wire, and so are the requests",
    arguments: [("K", "\u{212A}"), (";", "\u{37E}"), ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}")])
  func lookalikes(one: String, other: String) throws {
    try simulate(seeds: 0..<10) {
      #expect(one == other)
      let bench = Bench()
      bench.transport.on(
        .get("/me"), respond: [.bytes([1]).after(.seconds(1)), .bytes([2]).after(.seconds(1))])
      let calls = [
        try await bench.start(.get("/me").header("X-API-Key", one)),
        try await bench.start(.get("/me").header("X-API-Key", other)),
      ]
      let bodies = try await calls.asyncMap { try await $0.value.body }
      #expect(bodies == [[1], [2]] && bench.sent == 2)
    }
  }

  @Test(
    "Mode 24: Requests for two authorities are never one, whatever fields the policy counts",
    arguments: [
      VaryHeaders.only([]), .only(["Accept"]), .all(except: ["host"]), .all(except: VaryHeaders.tracing),
    ])
  func authorities(vary: VaryHeaders) throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench { $0.varyHeaders = vary }
      bench.transport.on(
        .get("/me"), respond: [.bytes([1]).after(.seconds(1)), .bytes([2]).after(.seconds(1))])
      var calls: [Task<HTTPResponse, any Error>] = []
      for authority in ["a.test", "b.test", "a.test"] {
        var request = HTTPRequest.get("/me")
        request.authority = authority
        calls.append(try await bench.start(request))
      }
      let bodies = try await calls.asyncMap { try await $0.value.body }
      #expect(bodies == [[1], [2], [1]] && bench.sent == 2)
    }
  }

  @Test(
    "Only GETs to one URL are shared: no other method, query, path or host, and nothing when the policy says so"
  )
  func others() throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench()
      bench.transport.on(.any, respond: [.status(200).after(.seconds(1))])
      for request in [
        HTTPRequest.head("/x"), .options("/x"), .delete("/x"), .put("/x"), .post("/x").keyed("k"),
      ] {
        let before = bench.sent
        let calls = [try await bench.start(request), try await bench.start(request)]
        for call in calls { _ = await call.result }
        #expect(bench.sent == before + 2, "\(request)")
      }
      let before = bench.sent
      let gets = [
        HTTPRequest.get("/x"), .get("/x?a=1"), .get("/x?a=2"), .get("/x/"), .get(makeURL("https://other/x")),
        .get(makeURL("http://h/x")), .get("/x", query: ["a": "1"]),
      ]
      for request in gets { _ = try await bench.start(request) }
      // The last is the second, spelled another way.
      #expect(bench.sent == before + 6)
      let alone = Bench { $0.coalescesGETs = false }
      alone.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      for _ in 0..<3 { _ = try await alone.start(.get("/x")) }
      #expect(alone.sent == 3)
      try await Ambient.sleep(for: .seconds(10))
    }
  }

  @Test("The fields of tracing and those that the policy leaves out do not keep requests apart")
  func exemptFields() throws {
    try simulate(seeds: 0..<10) {
      let standard = Bench()
      standard.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      let only = Bench { $0.varyHeaders = .only(["accept", "Authorization"]) }
      only.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      let allBut = Bench { $0.varyHeaders = .all(except: ["x-tag"]) }
      allBut.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      for number in ["1", "2"] {
        _ = try await standard.start(.get("/x").header("TraceParent", number).header("X-Request-ID", number))
        _ = try await only.start(.get("/x").header("X-Tag", number))
        _ = try await only.start(.get("/x").header("Accept", number))
        _ = try await allBut.start(.get("/x").header("X-Tag", number))
        _ = try await allBut.start(.get("/x").header("traceparent", number))
      }
      #expect(standard.sent == 1 && only.sent == 3 && allBut.sent == 3)
      try await Ambient.sleep(for: .seconds(10))
    }
  }

  @Test("The parts of a key cannot pass for one another, whatever delimiters a value holds")
  func forgedKeys() throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      let pairs: [[(String, String)]] = [
        [("A", "1, 2")], [("A", "1"), ("A", "2")], [("A", "1"), ("B", "2")], [("A", "1|B=2")],
        [("A", "1\tB: 2")],
        [("A", "1;B:2")], [("AB", "12")],
      ]
      for fields in pairs {
        var request = HTTPRequest.get("/x")
        for (name, value) in fields { request.headers.add(name, value) }
        _ = try await bench.start(request)
      }
      #expect(bench.sent == pairs.count)
      try await Ambient.sleep(for: .seconds(10))
    }
  }

  @Test("BG-07: Ten callers of one request pay one success into the budget")
  func deposit() throws {
    try simulate(seeds: 0..<10) {
      let budget = RetryBudget(ratio: 1, minimumRetries: 0, window: .seconds(100))
      let bench = Bench { $0.budget = budget }
      bench.transport.on(.get("/x"), respond: [.status(200).after(.seconds(1))])
      var calls: [Task<HTTPResponse, any Error>] = []
      for _ in 0..<10 { calls.append(try await bench.start(.get("/x"))) }
      for call in calls { _ = try await call.value }
      #expect(budget.available == 1)
    }
  }

  @Test("SF-15: A shared response is shared with its cookies, but never with a caller of other cookies")
  func cookies() throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench()
      bench.transport.on(
        .get("/x"),
        respond: ["1", "2"].map { .status(200, headers: ["Set-Cookie": "sid=\($0)"]).after(.seconds(1)) })
      let calls = [
        try await bench.start(.get("/x").header("Cookie", "a")),
        try await bench.start(.get("/x").header("Cookie", "a")),
        try await bench.start(.get("/x").header("Cookie", "b")),
      ]
      let cookies = try await calls.asyncMap { try await $0.value.headers["Set-Cookie"] }
      #expect(cookies == ["sid=1", "sid=1", "sid=2"])
    }
  }

  @Test("Each caller decodes by its own schema what all share")
  func decoding() throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench()
      bench.transport.on(.get("/x"), respond: [.json("[1]").after(.seconds(1))])
      let fits = Ambient.task { try await bench.api.send(.get("/x"), decoding: Schema<[Int]>.array(.int)) }
      let fails = Ambient.task { try await bench.api.send(.get("/x"), decoding: Schema<String>.string) }
      let value = try await fits.value
      #expect(value == [1])
      let error = await #expect(throws: HTTPError.self) { try await fails.value }
      guard case .decoding(let failure, _) = error else { return #expect(Bool(false)) }
      #expect(failure.total == 1 && bench.sent == 1)
    }
  }

  @Test("A caller who is cancelled or out of time already starts nothing and joins nothing")
  func tooLate() throws {
    try simulate(seeds: 0..<10) {
      let bench = Bench { $0.timeout = .zero }
      let error = await #expect(throws: HTTPError.self) { try await bench.api.send(.get("/x")) }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 0 && bench.sent == 0)
    }
  }
}

extension Array {
  fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}
