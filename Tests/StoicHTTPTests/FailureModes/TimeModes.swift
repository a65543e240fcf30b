import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes 9, 10, 25, 26: time and cancellation")
struct TimeModes {
  @Test("Mode 9: a server that never answers costs one attempt timeout per attempt")
  func mode9() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.hang])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.timedOutAttempt == 3)
    #expect(error.attempts == 3 && error.call.mayHaveActed)
    #expect(rig.elapsed == .milliseconds(30_600))
    #expect(rig.transport.aborted == 3)
    #expect(rig.isClean)
  }

  @Test("Mode 10: an answer that takes longer than the attempt timeout is timed out, however it trickles in")
  func mode10() async throws {
    let rig = Rig()
    rig.transport.on(
      .get("/x"),
      respond: [.status(200).after(.seconds(6)).after(.seconds(6)), .status(200).after(.seconds(10))],
      then: .status(200).after(.milliseconds(9_999)))
    let response = try await rig.run { try await $0.send(.get("/x")) }
    #expect(response.status == 200)
    #expect(rig.transport.aborted == 2)
    #expect(
      rig.elapsed == .seconds(10) + .milliseconds(200) + .seconds(10) + .milliseconds(400)
        + .milliseconds(9_999))
  }

  @Test("Mode 10: the attempt timeout covers all redirect hops together")
  func mode10Redirects() async throws {
    var rig = Rig()
    rig.policy.retry.maxAttempts = 1
    rig.transport.on(.get("/a"), respond: [.status(302, headers: ["Location": "/b"]).after(.seconds(6))])
    rig.transport.on(.get("/b"), respond: [.hang])
    let error = try #require(await rig.failure(.get("/a")))
    #expect(error.timedOutAttempt == 1)
    #expect(rig.elapsed == .seconds(10))
    #expect(rig.transport.requests.map(\.timeout) == [.seconds(10), .seconds(4)])
  }

  @Test("Mode 10: a transport that enforces no timeout is raced against it")
  func mode10Foreign() async throws {
    let rig = Rig()
    let call = Task {
      try await rig.inForce {
        var policy = Rig.pinned
        policy.retry.maxAttempts = 1
        let api = HTTPClient(
          base: makeURL("https://h"), transport: Forgetful(inner: rig.transport), policy: policy)
        return try await api.send(.get("/x"))
      }
    }
    rig.transport.on(.get("/x"), respond: [.hang])
    await rig.clock.waitForSleepers(1)
    #expect(rig.clock.sleepers.map(\.offset) == [.seconds(10)])
    rig.clock.advance(by: .seconds(10))
    let error = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(error?.timedOutAttempt == 1)
    #expect(rig.transport.aborted == 1 && rig.isClean)
  }

  @Test(
    "An attempt timeout of zero or less sends nothing and is not retried",
    arguments: [Duration.zero, .seconds(-1)])
  func noTime(timeout: Duration) async throws {
    var rig = Rig()
    rig.policy.attemptTimeout = timeout
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.timedOutAttempt == 1)
    #expect(error.attempts == 0)
    #expect(rig.transport.requests.isEmpty)
  }

  @Test("An attempt timeout and a deadline of the largest duration bound nothing")
  func unbounded() async throws {
    var rig = Rig()
    rig.policy.attemptTimeout = .seconds(Int64.max)
    rig.policy.timeout = Duration(attoseconds: .max)
    rig.transport.on(
      .get("/x"),
      respond: [.status(503, headers: ["Retry-After": "30"]), .status(200).after(.seconds(9_000))])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.elapsed == .seconds(9_030))
    #expect(rig.transport.requests.map(\.timeout) == [nil, nil])
  }

  @Test(
    "Mode 25: a caller cancelled while waiting or in flight gets CancellationError and leaves nothing",
    arguments: [
      ([ScriptedTransport.Step.hang], 1), ([.status(200).after(.seconds(3))], 1), ([.status(503)], 1),
      ([.status(429, headers: ["Retry-After": "3"])], 1), ([.status(503), .hang], 2),
    ])
  func mode25(steps: [ScriptedTransport.Step], attempts: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: steps)
    let call = Task { try await rig.inForce { try await rig.api.send(.get("/x")) } }
    if attempts == 2 {
      await rig.clock.waitForSleepers(1)
      rig.clock.advance(by: .milliseconds(200))
    }
    await rig.clock.waitForSleepers(1)
    let before = rig.elapsed
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.elapsed == before)
    #expect(rig.transport.requests.count == attempts)
    #expect(rig.isClean)
    #expect(rig.events.events(named: "http.failed").isEmpty)
  }

  @Test("Mode 25: a task cancelled before it sends sends nothing")
  func cancelledBefore() async throws {
    let rig = Rig()
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await rig.inForce { try await rig.api.send(.get("/x")) }
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.transport.requests.isEmpty)
  }

  @Test(
    "Mode 26: a deadline that passes in flight is a rejection, not a timeout and not cancellation",
    arguments: [
      (Duration.seconds(3), 1, Duration.seconds(3)), (.seconds(10), 1, .seconds(10)),
      (.seconds(15), 2, .seconds(15)),
    ])
  func mode26(deadline: Duration, attempts: Int, elapsed: Duration) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.hang])
    let call = Task {
      try await rig.inForce { try await withDeadline(deadline) { try await rig.api.send(.get("/x")) } }
    }
    // Beside the deadline's own timer there is one of the attempt, or of the wait.
    for step in [Duration.seconds(10), .milliseconds(200), .seconds(10)] where rig.elapsed < deadline {
      await rig.clock.waitForSleepers(2)
      rig.clock.advance(by: min(step, deadline - rig.elapsed))
    }
    let error = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(error?.rejection == Rejection(.deadlineExceeded))
    #expect(error?.attempts == attempts)
    #expect(rig.elapsed == elapsed)
    #expect(rig.transport.aborted == attempts)
    #expect(rig.isClean)
  }

  @Test("Mode 26: the policy's own timeout tightens the caller's deadline and is reported the same way")
  func mode26Policy() async throws {
    var rig = Rig()
    rig.policy.timeout = .seconds(15)
    rig.transport.on(.get("/x"), respond: [.hang])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.rejection == Rejection(.deadlineExceeded))
    #expect(error.call.history.map(\.outcome) == ["timed_out", "deadline_exceeded"])
    #expect(rig.elapsed == .seconds(15))
  }

  @Test("Mode 26: a deadline that has passed sends nothing", arguments: [Duration.zero, .seconds(-5)])
  func mode26Before(timeout: Duration) async throws {
    var rig = Rig()
    rig.policy.timeout = timeout
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.rejection == Rejection(.deadlineExceeded))
    #expect(error.attempts == 0)
    #expect(rig.transport.requests.isEmpty)
  }
}

/// A transport that leaves the timeout to the client.
struct Forgetful: HTTPTransport {
  let inner: ScriptedTransport

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let timeless = TransportRequest(
      method: request.method, url: request.url, headers: request.headers, body: request.body)
    return try await inner.send(timeless, maxResponseBytes: maxResponseBytes)
  }
}
