import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Faults of a policy", .timeLimit(.minutes(30)))
struct FaultPolicyTests {
  /// A client with faults on a server that is well.
  private static func lab(_ faults: HTTPFaults, attempts: Int = 1) -> Lab {
    let lab = Lab(attempts: attempts) { ($0.faults, $0.breaker) = (faults, nil) }
    lab.transport.on(.any, respond: [.status(200)])
    return lab
  }

  @Test("Without faults in the policy nothing is drawn, and nothing goes wrong")
  func none() async throws {
    let lab = Lab()
    lab.transport.on(.any, respond: [.status(200)])
    let draws = Lock(0)
    let random = RandomSource {
      draws.withLock { $0 += 1 }
      return .max
    }
    try await withRandom(random) { #expect(await lab.get("/a") == "200") }
    // One for the host's breaker.
    #expect(draws.withLock { $0 } == 1)
  }

  @Test("A status is answered in the server's place, which hears nothing")
  func status() throws {
    try simulate(seeds: 0..<5) {
      let lab = Self.lab(HTTPFaults(status: 1, statuses: [503, 429, 418]))
      var seen: Set<String> = []
      for _ in 0..<60 { seen.insert(await lab.get("/a")) }
      #expect(seen == ["503", "429", "418"] && lab.transport.requests.isEmpty)
    }
  }

  @Test(
    "A failure after which the server may have acted loses its answer, any other keeps the request from it")
  func failures() throws {
    try simulate(seeds: 0..<5) {
      let lost = Self.lab(HTTPFaults(failure: 1))
      #expect(await lost.get("/a") == "other" && lost.transport.requests.count == 1)
      let refused = Self.lab(HTTPFaults(failure: 1, codes: [.cannotConnectToHost]))
      #expect(await refused.get("/a") == "other" && refused.transport.requests.isEmpty)
    }
  }

  @Test("A failure is one to the rest of the policy: it is retried, and the record says so")
  func retried() throws {
    try simulate(seeds: 0..<5) {
      let lab = Self.lab(HTTPFaults(failure: 1), attempts: 3)
      let error = await #expect(throws: HTTPError.self) { try await lab.api.send(.delete("/a")) }
      #expect(
        error?.attempts == 3 && error?.code == .networkConnectionLost && error?.call.mayHaveActed == true)
      #expect(lab.transport.requests.count == 3)
    }
  }

  @Test("A request that hangs ends by the attempt's timeout, one that is late comes late")
  func late() throws {
    try simulate(seeds: 0..<5) {
      let start = Ambient.clock.now
      let hanging = Self.lab(HTTPFaults(hang: 1))
      #expect(await hanging.get("/a") == "timed_out" && hanging.transport.requests.isEmpty)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(10))
      let late = Self.lab(HTTPFaults(delay: .seconds(2) ... .seconds(2)))
      #expect(await late.get("/a") == "200")
      #expect(start.duration(to: Ambient.clock.now) == .seconds(12))
      let tooLate = Self.lab(HTTPFaults(delay: .seconds(11) ... .seconds(11)))
      #expect(await tooLate.get("/a") == "timed_out" && tooLate.transport.requests.count == 1)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(22))
    }
  }

  @Test("A caller's deadline and cancellation end what a fault holds up")
  func ends() throws {
    try simulate(seeds: 0..<20) {
      let lab = Self.lab(HTTPFaults(hang: 1))
      let error = await #expect(throws: HTTPError.self) {
        try await withDeadline(.seconds(3)) { try await lab.api.send(.get("/a")) }
      }
      #expect(error?.rejection?.reason == .deadlineExceeded)
      let call = try await lab.start("/b")
      call.cancel()
      #expect(try await call.value == "cancelled")
    }
  }

  @Test("Each fault is told by a warning, with method, host and path and without the query")
  func events() throws {
    try simulate(seeds: 0..<5) {
      let events = EventRecorder()
      try await withEvents(events) {
        let lab = Self.lab(HTTPFaults(status: 1, delay: .seconds(1) ... .seconds(1)))
        _ = try? await lab.api.send(.get("/a", query: ["secret": "s"]))
      }
      let all = events.events(named: "http.fault_injected")
      #expect(all.count == 1 && all.first?.level == .warning && all.first?.label == "http h.example")
      #expect(all.first?["fault"] == "status_503" && all.first?["delay"] == "1s")
      #expect(
        all.first?["method"] == "GET" && all.first?["host"] == "h.example" && all.first?["path"] == "/a")
      #expect(all.first?.fields.contains { $0.value.contains("secret") } == false)
    }
  }

  @Test("Only the share of requests that is to be late is, and it is told as a delay")
  func lateShare() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform], stepLimit: 200_000) {
      let events = EventRecorder()
      try await withEvents(events) {
        let lab = Self.lab(HTTPFaults(late: 0.25, delay: .seconds(1) ... .seconds(2)))
        for _ in 0..<1_000 { _ = await lab.get("/a") }
      }
      let all = events.events(named: "http.fault_injected")
      #expect((200...300).contains(all.count) && all.allSatisfy { $0["fault"] == "delay" })
    }
  }

  @Test("A seed of its own gives a client the same faults, whatever else is drawn")
  func seeds() throws {
    let seen = Lock<[UInt64: Set<[String]>]>([:])
    for (run, seed) in [(0, UInt64(1)), (1, 1), (2, 2)] {
      try simulate(seeds: run..<run + 1, schedules: [.uniform]) {
        let lab = Self.lab(HTTPFaults(failure: 0.3, status: 0.3, hang: 0.1, seed: seed))
        var outcomes: [String] = []
        for _ in 0..<40 { outcomes.append(await lab.get("/a")) }
        seen.withLock { _ = $0[seed, default: []].insert(outcomes) }
      }
    }
    let all = seen.withLock { $0 }
    #expect(all[1]?.count == 1 && all[2]?.count == 1 && all[1] != all[2])
  }

  @Test("The same mix and the same numbers give a script, a policy and any other fake the same faults")
  func oneImplementation() async throws {
    let mix = HTTPFaults(failure: 0.2, status: 0.2, hang: 0.1)
    let clock = TestClock()
    try await withClock(clock) {
      var seen: [[Bool]] = []
      try await withRandom(.seeded(5)) {
        let transport = ScriptedTransport([.status(200)])
        transport.faults = HTTPFaults(failure: mix.failure + mix.status)
        var outcomes: [Bool] = []
        for _ in 0..<50 { outcomes.append((try? await transport.send(.scripted())) != nil) }
        seen.append(outcomes)
      }
      let lab = Self.lab(HTTPFaults(failure: mix.failure + mix.status, seed: 5))
      var outcomes: [Bool] = []
      for _ in 0..<50 { outcomes.append(await lab.get("/a") == "200") }
      seen.append(outcomes)
      try await withRandom(.seeded(5)) {
        let faults = Faults(failure: mix.failure + mix.status)
        var outcomes: [Bool] = []
        for _ in 0..<50 { outcomes.append((try? await faults.meet(URLError(.unknown))) != nil) }
        seen.append(outcomes)
      }
      #expect(seen[0] == seen[1] && seen[1] == seen[2] && Set(seen[0]).count == 2)
    }
  }

  @Test("A transport that is raced has the same faults")
  func raced() throws {
    struct Raced: HTTPTransport {
      let inner: ScriptedTransport
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        try await inner.send(request, maxResponseBytes: maxResponseBytes)
      }
    }
    try simulate(seeds: 0..<20) {
      let transport = ScriptedTransport([.status(200)])
      var policy = Rig.pinned
      (policy.faults, policy.retry.maxAttempts) = (HTTPFaults(hang: 1), 1)
      let api = HTTPClient(base: makeURL("https://h"), transport: Raced(inner: transport), policy: policy)
      let error = await #expect(throws: HTTPError.self) { try await api.send(.get("/a")) }
      #expect(error?.timedOutAttempt == 1 && transport.requests.isEmpty)
    }
  }
}
