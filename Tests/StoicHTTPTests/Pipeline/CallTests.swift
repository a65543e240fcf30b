import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Time, budget and record of a call")
struct CallTests {
  @Test("The record of a body that does not fit ends with the answer, however long decoding takes")
  func elapsed() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.json("1").after(.seconds(2))])
    let clock = rig.clock
    let schema = Schema<Int>.int.refine("something else") { _ in
      clock.advance(by: .seconds(5))
      return false
    }
    let error = await rig.failure { _ = try await $0.send(.get("/x"), decoding: schema) } as? HTTPError
    #expect(error?.call.elapsed == .seconds(2) && rig.elapsed == .seconds(7))
  }

  @Test("A retry that the breaker refuses when it is due costs the budget nothing")
  func refusedRetry() throws {
    try simulate(seeds: 0..<20) {
      let budget = RetryBudget(ratio: 0, minimumRetries: 1, window: .seconds(3_600))
      let lab = Lab(attempts: 2) {
        $0.budget = budget
        $0.breaker?.minimumCalls = 3
      }
      lab.transport.on(.get("/a"), respond: [.status(503, headers: ["Retry-After": "1"])])
      lab.transport.on(.post("/b"), respond: [.status(500)])
      let call = try await lab.start("/a")
      #expect(budget.available == 0)
      for _ in 0..<2 { _ = try? await lab.api.send(.post("/b")) }
      #expect(try await call.value == "breaker_open")
      #expect(lab.transport.requests.count == 3 && budget.available == 1)
    }
  }

  @Test("A call that queues leaves at the policy's own timeout, though the one before it does not")
  func queuedTimeout() throws {
    try simulate(seeds: 0..<20) {
      var policy = Rig.pinned
      policy.maxConcurrentPerHost = 1
      policy.timeout = .seconds(3)
      let stubborn = AnsweringTransport { _, request in
        try await Ambient.task { try await Ambient.sleep(for: .seconds(9)) }.value
        return HTTPResponse(status: 200, url: request.url)
      }
      let api = HTTPClient(base: makeURL("https://h"), transport: stubborn, policy: policy)
      let holder = Ambient.task { try await api.send(.get("/a")) }
      try await Ambient.sleep(for: .seconds(1))
      let start = Ambient.clock.now
      let error = await #expect(throws: HTTPError.self) { try await api.send(.get("/b")) }
      #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 0)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(3))
      #expect(try await holder.value.status == 200 && stubborn.requests.count == 1)
    }
  }

  @Test(
    "Of a caller who is cancelled, or has no time, a transport hears nothing",
    arguments: [HTTPRequest.get("/x"), .post("/x")], [true, false])
  func tooLate(request: HTTPRequest, isCancelled: Bool) async throws {
    var rig = Rig()
    if !isCancelled { rig.policy.timeout = .zero }
    let transport = AnsweringTransport { _, request in HTTPResponse(status: 200, url: request.url) }
    let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
    let call = Task { [rig] in
      if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
      return try await rig.inForce { try await api.send(request) }
    }
    let result = await call.result
    #expect(transport.requests.isEmpty)
    guard case .failure(let error) = result else { return #expect(Bool(false)) }
    #expect(isCancelled == (error is CancellationError))
    #expect(isCancelled || (error as? HTTPError)?.attempts == 0)
  }

  @Test("What the budget refuses tells the wait that the server asked for")
  func askedWait() throws {
    try simulate(seeds: 0..<5) {
      let lab = Lab(attempts: 2) { $0.budget = RetryBudget(ratio: 0, minimumRetries: 0) }
      lab.transport.on(.get("/a"), respond: [.status(503, headers: ["Retry-After": "90"])])
      let error = await #expect(throws: HTTPError.self) { try await lab.api.send(.get("/a")) }
      #expect(error?.rejection == Rejection(.budgetExhausted, retryAfter: .seconds(90)))
    }
  }

  @Test(
    "A transport sees as its deadline when the attempt has to end, and that it is within an attempt",
    arguments: [(nil, 10), (Duration.seconds(4), 4), (.seconds(60), 10)] as [(Duration?, Int64)])
  func insideDeadline(timeout: Duration?, expected: Int64) async throws {
    var rig = Rig()
    rig.policy.timeout = timeout
    let seen = Kept<[Duration?]>([])
    let transport = AnsweringTransport { _, request in
      let remaining = Ambient.deadline.map { Ambient.clock.now.duration(to: $0) }
      seen.change { $0.append(remaining) }
      return HTTPResponse(status: 200, url: request.url)
    }
    let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
    try await rig.run {
      _ = $0; try await api.send(.get("/x"))
    }
    #expect(seen.value == [.seconds(expected)])
    #expect(transport.requests.map(\.timeout) == [.seconds(expected)])
  }

  @Test(
    "A redirect that comes as the attempt's time is over is not followed, and the server behind it may have acted"
  )
  func lateRedirect() async throws {
    let rig = Rig()
    let clock = rig.clock
    let transport = AnsweringTransport { _, request in
      clock.advance(by: .seconds(10))
      return HTTPResponse(status: 307, headers: ["Location": "/y"], url: request.url)
    }
    let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
    let error =
      await rig.failure {
        _ = $0; try await api.send(.post("/x"))
      } as? HTTPError
    #expect(error?.timedOutAttempt == 1 && error?.call.mayHaveActed == true)
    #expect(transport.requests.count == 1)
  }

  @Test("A raced transport that was cut off may have acted, whatever it says", arguments: [true, false])
  func racedAction(isCut: Bool) async throws {
    var rig = Rig()
    rig.policy.retry.maxAttempts = 1
    let transport = AnsweringTransport(enforcesTimeout: !isCut) { _, _ in
      if isCut { try? await Ambient.sleep(for: .seconds(1_000)) }
      throw TransportError(isCut ? .cannotConnectToHost : .timedOut)
    }
    let call = Task { [rig] in
      try await rig.inForce {
        try await HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
          .send(.get("/x"))
      }
    }
    if isCut {
      await rig.clock.waitForSleepers(2)
      rig.clock.advance(by: .seconds(10))
    }
    let error = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(error?.timedOutAttempt == 1 && error?.call.mayHaveActed == true)
  }

  @Test("A transport that times out before it has sent anything has not acted")
  func unsentTimeout() async throws {
    let rig = Rig()
    let transport = AnsweringTransport { _, _ in throw TransportError(code: .timedOut, mayHaveActed: false) }
    let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
    let error =
      await rig.failure {
        _ = $0; try await api.send(.post("/x"))
      } as? HTTPError
    #expect(error?.timedOutAttempt == 1 && error?.call.mayHaveActed == false)
    #expect(transport.requests.map(\.mayRepeat) == [false])
  }
}
