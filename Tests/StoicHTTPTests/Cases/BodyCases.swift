import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: bodies and their limits")
struct BodyCases {
  static let large = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

  static let failures: [ScriptedTransport.Step] = [
    .status(503), .failure(.networkConnectionLost), .hang, .redirect(307, to: "/y"),
    .oversized(1 << 40, status: 503),
    .status(408), .failure(.cannotDecodeContentData),
  ]

  @Test("BF-07: Every attempt and every hop carries the whole body, byte for byte", arguments: failures)
  func whole(step: ScriptedTransport.Step) async throws {
    for method in [HTTPMethod.post, .put, .patch, .delete] {
      for body in [Self.large, [], [0], [0xFF, 0xFE, 0x0D, 0x0A]] {
        let rig = Rig()
        rig.transport.on(HTTPRequest(method: method, path: "/x"), respond: [step, step, .status(200)])
        rig.transport.on(HTTPRequest(method: method, path: "/y"), respond: [.failure(.networkConnectionLost)])
        try await rig.run { try await $0.send(.carrying(method, "/x", body), idempotencyKey: "k") }
        #expect(rig.transport.requests.count { $0.url.path == "/x" } == 3)
        #expect(rig.transport.requests.allSatisfy { $0.body == body && $0.headers["Content-Type"] == "a/b" })
      }
    }
  }

  @Test("BF-07: JSON is written once: every attempt has the same bytes, keys in their order")
  func json() async throws {
    let rig = Rig()
    let body: JSON = ["z": 1, "a": [1.5, "é\u{0}\n", .null, true], "m": ["k": 1e300]]
    rig.transport.on(.post("/x"), respond: [.status(500), .hang, .status(201)])
    try await rig.run { try await $0.send(.post("/x", json: body), idempotencyKey: "k") }
    let expected = Array(#"{"z":1,"a":[1.5,"é\u0000\n",null,true],"m":{"k":1e300}}"#.utf8)
    #expect(try JSON(parsing: expected) == body)
    #expect(rig.transport.requests.count == 3 && Set(rig.transport.requests.map(\.body)).count == 1)
    #expect(try JSON(parsing: rig.transport.requests[0].body) == body)
  }

  @Test(
    "RL-02: n-1 and n bytes are whole, n+1 is too large and is asked for once",
    arguments: [1, 2, 1_000, 65_536])
  func edge(limit: Int) async throws {
    for request in [HTTPRequest.get("/x"), .carrying(.post, "/x"), .delete("/x"), .carrying(.query, "/x")] {
      for status in [200, 201, 203, 299] {
        for (count, isWhole) in [(limit - 1, true), (limit, true), (limit + 1, false), (Int.max, false)] {
          var rig = Rig()
          rig.policy.maxResponseBytes = limit
          rig.transport.on(request, respond: [.oversized(count, status: status), .status(500)])
          let error = await rig.failure(request, key: "k")
          #expect(rig.transport.requests.count == 1 && rig.elapsed == .zero)
          #expect(rig.transport.aborted == (isWhole ? 0 : 1))
          guard !isWhole else {
            #expect(error == nil)
            continue
          }
          guard case .responseTooLarge(limit, let call)? = error else {
            return #expect(Bool(false), "\(count)")
          }
          #expect(
            call.attempts == 1 && call.mayHaveActed && call.history.map(\.outcome) == ["response_too_large"])
        }
      }
    }
  }

  @Test(
    "RL-02: A transport that cuts nothing, or says that it cut within the limit, is checked all the same",
    arguments: [
      (10, false, false), (11, false, true), (0, true, true), (10, true, true), (5_000, true, true),
    ])
  func careless(count: Int, saysCut: Bool, isTooLarge: Bool) async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 10
    let transport = AnsweringTransport { _, request in
      HTTPResponse(
        status: 200, body: Array(repeating: 1, count: count), url: request.url, isTruncated: saysCut)
    }
    let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
    let error = await rig.failure { _ in try await api.send(.get("/x")) } as? HTTPError
    if case .responseTooLarge(10, _)? = error {
      #expect(isTooLarge)
    } else {
      #expect(!isTooLarge && error == nil)
    }
    #expect(transport.requests.count == 1)
  }

  @Test("RL-05: Too large is final and says nothing about the host's health", arguments: [200, 201, 299])
  func neutral(status: Int) async throws {
    let rig = Rig()
    let api = rig.api
    rig.transport.on(
      .get("/x"), respond: Array(repeating: .oversized(.max, status: status), count: 60), then: .status(200))
    let last = await rig.repeating(60, .get("/x"), over: api)
    guard case .responseTooLarge(10_000_000, _)? = last else { return #expect(Bool(false)) }
    #expect(await rig.repeating(1, .get("/x"), over: api) == nil)
    #expect(rig.transport.requests.count == 61 && rig.transport.aborted == 60 && rig.elapsed == .zero)
  }

  @Test("RL-05: A too large answer does not mend a failing host's record either")
  func noSuccess() async throws {
    var rig = Rig()
    rig.policy.retry.maxAttempts = 1
    let steps = (0..<40).map { $0 % 2 == 0 ? ScriptedTransport.Step.status(500) : .oversized(.max) }
    rig.transport.on(.get("/x"), respond: steps)
    let api = rig.api
    #expect(await rig.repeating(39, .get("/x"), over: api)?.status == 500)
    #expect(await rig.repeating(1, .get("/x"), over: api)?.rejection?.reason == .breakerOpen)
    #expect(rig.transport.requests.count == 39)
  }

  @Test(
    "RL-06: An error status with an enormous body is that status, its excerpt cut, and is retried where it may be",
    arguments: [500, 502, 503, 504, 408, 429])
  func largeErrors(status: Int) async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 5_000
    let step = ScriptedTransport.Step.bytes(
      Array(repeating: UInt8(ascii: "e"), count: 3_000_000), status: status, headers: ["Retry-After": "2"])
    rig.transport.on(.get("/x"), respond: [step, .oversized(.max, status: status), .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.transport.requests.count == 3 && rig.transport.aborted == 2)
    #expect(rig.waits == ["2s", "0.4s"])
    rig.transport.on(.post("/x"), respond: [step])
    guard case .status(status, let excerpt, .seconds(2), let call)? = await rig.failure(.post("/x")) else {
      return #expect(Bool(false))
    }
    #expect(excerpt == String(repeating: "e", count: 1_024) && call.attempts == 1)
    #expect(rig.events.events(named: "http.response_too_large").isEmpty)
  }

  @Test(
    "RL-06: A final status with an enormous body is that status",
    arguments: [300, 400, 404, 416, 501, 599, 600, 206])
  func largeFinal(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.oversized(.max, status: status)])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.status == status && error.attempts == 1 && rig.transport.aborted == 1)
  }

  @Test("A limit of nothing lets an error's status through, without an excerpt")
  func noRoom() async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 0
    rig.transport.on(.get("/x"), respond: [.bytes([65], status: 404)])
    guard case .status(404, "", nil, _)? = await rig.failure(.get("/x")) else { return #expect(Bool(false)) }
  }
}
