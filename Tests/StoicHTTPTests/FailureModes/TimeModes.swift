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

  @Test("Mode 10: a transport that enforces no timeout is raced against it", .timeLimit(.minutes(30)))
  func mode10Foreign() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.hang])
    let call = Task {
      try await rig.inForce {
        var policy = Rig.pinned
        policy.retry.maxAttempts = 1
        let api = HTTPClient(
          base: makeURL("https://h"), transport: Forgetful(inner: rig.transport), policy: policy)
        return try await api.send(.get("/x"))
      }
    }
    await rig.clock.waitForSleepers(1)
    // The timer is there before the transport is asked.
    while rig.transport.inFlight == 0 { await Task.yield() }
    #expect(rig.clock.sleepers.map(\.offset) == [.seconds(10)])
    rig.clock.advance(by: .seconds(10))
    let error = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(error?.timedOutAttempt == 1)
    #expect(rig.transport.aborted == 1 && rig.isClean)
  }

  static let words: [any Error & Sendable] = [
    URLError(.cancelled), TransportError(code: .networkConnectionLost, mayHaveActed: true),
    URLError(.unknown),
    CancellationError(),
  ]

  @Test(
    "A raced transport that tells of its cancellation in words of its own has timed out, and is retried",
    arguments: words)
  func racedWords(error: any Error & Sendable) async throws {
    let rig = Rig()
    let call = Task {
      try await rig.inForce {
        try await HTTPClient(
          base: makeURL("https://h"), transport: Talkative(error: error), policy: Rig.pinned
        )
        .send(.get("/x"))
      }
    }
    for step in [10_000, 200, 10_000, 400, 10_000] {
      await rig.clock.waitForSleepers(step == 10_000 ? 2 : 1)
      rig.clock.advance(by: .milliseconds(step))
    }
    let failure = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(failure?.timedOutAttempt == 3)
    #expect(rig.elapsed == .milliseconds(30_600))
  }

  @Test("A raced transport's own words do not hide the deadline", arguments: words)
  func racedDeadline(error: any Error & Sendable) async throws {
    var rig = Rig()
    rig.policy.timeout = .seconds(3)
    let call = Task { [rig] in
      try await rig.inForce {
        try await HTTPClient(
          base: makeURL("https://h"), transport: Talkative(error: error), policy: rig.policy
        )
        .send(.get("/x"))
      }
    }
    await rig.clock.waitForSleepers(2)
    rig.clock.advance(by: .seconds(3))
    let failure = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(failure?.rejection == Rejection(.deadlineExceeded))
  }

  @Test("A POST of a caller who is cancelled already is not sent, under a deadline neither")
  func cancelledUnderDeadline() async throws {
    let rig = Rig()
    rig.transport.on(.post("/charge"), respond: [.status(201)])
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await rig.inForce {
        try await withDeadline(.seconds(5)) { try await rig.api.send(.post("/charge")) }
      }
    }
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.transport.requests.isEmpty)
  }

  @Test(
    "A caller cancelled before the policy's timeout gets CancellationError, however slow the transport leaves"
  )
  func cancelledBeforeTimeout() async throws {
    var rig = Rig()
    rig.policy.timeout = .seconds(5)
    let call = Task { [rig] in
      try await rig.inForce {
        try await HTTPClient(
          base: makeURL("https://h"), transport: Lingering(clock: rig.clock), policy: rig.policy
        )
        .send(.get("/x"))
      }
    }
    await rig.clock.waitForSleepers(2)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.elapsed == .seconds(9))
  }

  @Test(
    "A caller who is cancelled gets CancellationError, though a deadline comes before the transport leaves",
    arguments: [[5], [5, 8], [8, 5], [5, 20], [20, 5]])
  func cancelledAndLate(deadlines: [Int64]) async throws {
    let rig = Rig()
    let api = HTTPClient(
      base: makeURL("https://h"), transport: Lingering(clock: rig.clock), policy: Rig.pinned)
    let call = Task {
      try await rig.inForce {
        try await Self.within(deadlines) {
          try await api.send(.get("/x"))
        }
      }
    }
    await rig.clock.waitForSleepers(deadlines.count + 2)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(rig.elapsed == .seconds(9) && rig.isClean)
  }

  @Test(
    "Of deadlines within each other each lets the client's own error through",
    arguments: [[5], [5, 8], [8, 5], [5, 5]])
  func deadlinesWithin(deadlines: [Int64]) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.hang])
    let call = Task {
      try await rig.inForce { try await Self.within(deadlines) { try await rig.api.send(.get("/x")) } }
    }
    await rig.clock.waitForSleepers(deadlines.count + 1)
    rig.clock.advance(by: .seconds(5))
    let error = await #expect(throws: HTTPError.self) { try await call.value }
    #expect(error?.rejection == Rejection(.deadlineExceeded) && error?.attempts == 1 && rig.isClean)
  }

  /// Runs a body within deadlines of so many seconds, the first outermost.
  private static func within<Value>(
    _ deadlines: [Int64], _ body: () async throws -> Value
  ) async throws -> Value {
    guard let first = deadlines.first else { return try await body() }
    return try await withDeadline(.seconds(first)) {
      try await within(Array(deadlines.dropFirst()), body)
    }
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

/// A transport that hangs and tells of its cancellation by an error of its own.
struct Talkative: HTTPTransport {
  let error: any Error & Sendable

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    do { try await Ambient.sleep(for: .seconds(1_000)) } catch { throw self.error }
    return HTTPResponse(status: 200)
  }
}

/// A transport that hangs, and after its cancellation takes its time.
struct Lingering: HTTPTransport {
  let clock: TestClock

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    try? await Ambient.sleep(for: .seconds(1_000))
    clock.advance(by: .seconds(9))
    throw CancellationError()
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
