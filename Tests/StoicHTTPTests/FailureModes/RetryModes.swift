import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes 1-5, 7, 8: statuses and waits")
struct RetryModes {
  @Test("Mode 1: a GET that meets 503 twice waits per schedule and gives the value")
  func mode1() async throws {
    let rig = Rig()
    rig.transport.on(.get("/users/42"), respond: [.status(503), .status(503), .json(#"{"id":42}"#)])
    let response = try await rig.run { try await $0.send(.get("/users/42")) }
    #expect(response.status == 200)
    #expect(response.text == #"{"id":42}"#)
    #expect(rig.transport.requests.count == 3)
    #expect(rig.waits == ["0.2s", "0.4s"])
    #expect(rig.elapsed == .milliseconds(600))
    #expect(rig.isClean)
  }

  @Test("Mode 2: a GET that meets 503 for ever makes three attempts and no wait after the last")
  func mode2() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(503)])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.status == 503)
    #expect(error.attempts == 3 && error.wasRetried)
    #expect(error.call.history.map(\.outcome) == ["status_503", "status_503", "status_503"])
    #expect(error.call.history.map(\.waitBefore) == [.zero, .milliseconds(200), .milliseconds(400)])
    #expect(error.call.elapsed == .milliseconds(600) && rig.elapsed == .milliseconds(600))
    #expect(rig.isClean)
  }

  static let failures: [(ScriptedTransport.Step, Duration)] = [
    (.status(503), .zero), (.status(500), .zero), (.status(408), .zero),
    (.status(429, headers: ["Retry-After": "1"]), .zero), (.failure(.networkConnectionLost), .zero),
    (.failure(.cannotConnectToHost), .zero), (.failure(.cannotFindHost), .zero),
    (.failure(.notConnectedToInternet), .zero), (.failure(.timedOut), .zero), (.hang, .seconds(10)),
  ]

  @Test("Mode 3: a POST or PATCH without a key is sent once, whatever happens", arguments: failures)
  func mode3(step: ScriptedTransport.Step, elapsed: Duration) async throws {
    for request in [HTTPRequest.post("/orders", json: ["sku": "A-1"]), .patch("/orders"), .post("/orders")] {
      let rig = Rig()
      rig.transport.on(HTTPRequest(method: request.method, path: "/orders"), respond: [step])
      let error = try #require(await rig.failure(request))
      #expect(error.attempts == 1)
      #expect(rig.transport.requests.count == 1)
      #expect(rig.elapsed == elapsed)
      #expect(rig.waits.isEmpty)
      #expect(rig.isClean)
    }
  }

  @Test(
    "Mode 4: a POST with a key carries the same key and the same bytes on every attempt",
    arguments: [
      ScriptedTransport.Step.status(503), .failure(.networkConnectionLost), .hang,
    ])
  func mode4(step: ScriptedTransport.Step) async throws {
    var rig = Rig()
    rig.headers = ["Authorization": "Bearer t"]
    rig.transport.on(.post("/orders"), respond: [step, step, .status(201)])
    let response = try await rig.run {
      try await $0.send(.post("/orders", json: ["sku": "A-1", "count": 2]), idempotencyKey: "k-1")
    }
    #expect(response.status == 201)
    #expect(rig.transport.requests.count == 3)
    for request in rig.transport.requests {
      #expect(request.headers.values(for: "idempotency-key") == ["k-1"])
      #expect(request.headers.values(for: "authorization") == ["Bearer t"])
      #expect(request.headers.values(for: "content-type") == ["application/json"])
      #expect(request.headers.values(for: "accept") == ["*/*"])
      #expect(request.body == Array(#"{"sku":"A-1","count":2}"#.utf8))
      #expect(request.mayRepeat)
    }
  }

  @Test("Mode 5: 429 with Retry-After 30 waits 30 s, not 0.2 and not 30.2")
  func mode5() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(429, headers: ["Retry-After": "30"]), .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["30s"])
    #expect(rig.elapsed == .seconds(30))
  }

  @Test("Mode 7: Retry-After 3600 waits a minute, and the error still says an hour")
  func mode7() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(503, headers: ["Retry-After": "3600"])])
    let error = try #require(await rig.failure(.get("/x")))
    guard case .status(503, _, .seconds(3_600), _) = error else { return #expect(Bool(false), "\(error)") }
    #expect(rig.waits == ["60s", "60s"])
    #expect(rig.elapsed == .seconds(120))
  }

  @Test(
    "Mode 8: no wait is begun that would end after the deadline",
    arguments: [
      (Duration.seconds(10), "10", Duration.seconds(10)), (.seconds(10), "30", .seconds(30)),
      (.seconds(10), "3600", .seconds(3_600)), (.milliseconds(100), nil, nil), (.milliseconds(200), nil, nil),
    ] as [(Duration, String?, Duration?)])
  func mode8(deadline: Duration, asked: String?, told: Duration?) async throws {
    var rig = Rig()
    rig.policy.timeout = deadline
    let headers: HTTPHeaders = asked.map { ["Retry-After": $0] } ?? [:]
    rig.transport.on(.get("/x"), respond: [.status(503, headers: headers), .status(200)])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.rejection == Rejection(.deadlineExceeded, retryAfter: told))
    #expect(error.call.history.map(\.outcome) == ["status_503"])
    #expect(rig.elapsed == .zero)
    #expect(rig.isClean)
  }
}

@Suite("Failure mode 28: nesting")
struct NestingModes {
  @Test("A call inside another retry's attempt makes one attempt")
  func mode28() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(503)])
    let error = await rig.failure { api in
      _ = try await retry(RetrySchedule(jitter: .none)) { _ in try await api.send(.get("/x")) }
    }
    #expect((error as? HTTPError)?.attempts == 1)
    #expect(rig.transport.requests.count == 3)
    #expect(rig.elapsed == .milliseconds(600))
  }

  @Test(
    "A retry around the client does not double what may not be repeated",
    arguments: [
      ScriptedTransport.Step.status(503), .failure(.networkConnectionLost), .hang,
    ])
  func unkeyed(step: ScriptedTransport.Step) async throws {
    let rig = Rig()
    rig.transport.on(.post("/orders"), respond: [step, .status(201)])
    let error = await rig.failure { api in
      _ = try await retry(RetrySchedule(jitter: .none)) { _ in try await api.send(.post("/orders")) }
    }
    #expect((error as? HTTPError)?.attempts == 1)
    #expect(rig.transport.requests.count == 1)
  }
}

@Suite("Failure mode 30: bodies that did not come whole")
struct BrokenBodyModes {
  private static let codes: [URLError.Code] = [
    .networkConnectionLost, .badServerResponse, .cannotParseResponse, .cannotDecodeContentData,
    .cannotDecodeRawData,
  ]

  @Test(
    "Mode 30: a body that is cut, badly framed or cannot be unpacked is a transport failure, never a short success",
    arguments: codes)
  func mode30(code: URLError.Code) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code), .bytes([1, 2, 3])])
    #expect(try await rig.run { try await $0.send(.get("/x")).body } == [1, 2, 3])
    #expect(rig.waits == ["0.2s"])
    rig.transport.on(.post("/x"), respond: [.failure(code), .status(201)])
    let error = await rig.failure(.post("/x"))
    #expect(error?.code == code && error?.attempts == 1 && error?.call.mayHaveActed == true)
    #expect(rig.transport.requests.count == 3 && rig.isClean)
  }
}
