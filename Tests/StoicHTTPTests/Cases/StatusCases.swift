import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: what a status means")
struct StatusCases {
  static let retried: Set<Int> = [408, 429, 500, 502, 503, 504]

  private func assertFinal(_ status: Int, _ request: HTTPRequest, headers: HTTPHeaders = [:]) async throws {
    let rig = Rig()
    rig.transport.on(request, respond: [.status(status, headers: headers), .status(200)])
    let error = try #require(await rig.failure(request, key: "k"), "\(status)")
    guard case .status(status, "", _, let call) = error else { return #expect(Bool(false), "\(error)") }
    #expect(call.history == [.init(outcome: "status_\(status)", waitBefore: .zero, mayHaveActed: true)])
    #expect(rig.transport.requests.count == 1 && rig.elapsed == .zero && rig.waits.isEmpty)
    #expect(rig.events.events.map(\.name) == ["http.request", "http.failed"])
  }

  @Test("ST-02, ST-07: Every 4xx but 408 and 429 is final, keyed or not, whatever Retry-After says")
  func clientErrors() async throws {
    for status in 400..<500 where !Self.retried.contains(status) {
      try await assertFinal(status, .get("/x"))
      try await assertFinal(status, .put("/x"), headers: ["Retry-After": "1"])
      try await assertFinal(status, .post("/x"))
    }
  }

  @Test("ST-04: Every 5xx but the retried ones is final")
  func serverErrors() async throws {
    for status in 500..<600 where !Self.retried.contains(status) {
      try await assertFinal(status, .get("/x"))
      try await assertFinal(status, .delete("/x"), headers: ["Retry-After": "1"])
    }
  }

  @Test(
    "ST-04, ST-05: 5xx and what is no status at all count against the host: twenty open its breaker",
    arguments: [
      500, 501, 503, 505, 507, 511, 599, 600, 666, 999, 1_000, 0, 1, 99, -1, -404, Int.min, Int.max,
    ])
  func counted(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(status)])
    #expect(await rig.reached(.get("/x")) == 20)
    let api = rig.api
    _ = await rig.repeating(20, .carrying(.post, "/y"), over: api)
    rig.transport.on(.post("/y"), respond: [.status(status)])
    _ = await rig.repeating(19, .carrying(.post, "/y"), over: api)
    let error = await rig.repeating(1, .get("/y"), over: api)
    #expect(error?.status == 404 && error?.attempts == 1, "nineteen failures of forty do not open it")
  }

  @Test(
    "ST-02, ST-07: No 3xx and no 4xx counts against the host",
    arguments: [300, 304, 400, 401, 403, 404, 408, 409, 410, 412, 421, 422, 429, 451, 499])
  func notCounted(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(status)])
    #expect(await rig.reached(.get("/x")) == 30)
  }

  @Test(
    "ST-05: What is no status is one request and never a success",
    arguments: [600, 601, 700, 999, 1_000, 2_000, 0, 1, 20, 99, -1, -200, Int.min, Int.max])
  func noStatus(status: Int) async throws {
    try await assertFinal(status, .get("/x"))
    try await assertFinal(status, .head("/x"), headers: ["Location": "/y", "Retry-After": "1"])
    try await assertFinal(status, .post("/x"))
  }

  @Test(
    "ST-08: 408 is repeated for what may be repeated, with one key and nothing counted",
    arguments: [
      (HTTPRequest.get("/x"), nil, 2), (.head("/x"), nil, 2), (.options("/x"), nil, 2),
      (.carrying(.put, "/x"), nil, 2),
      (.delete("/x"), nil, 2), (.carrying(.query, "/x"), nil, 2), (.carrying(.post, "/x"), nil, 1),
      (.carrying(.patch, "/x"), nil, 1),
      (.carrying(.post, "/x"), "k", 2), (.carrying(.patch, "/x"), "k", 2),
      (HTTPRequest(method: .trace, path: "/x"), nil, 1),
    ] as [(HTTPRequest, String?, Int)])
  func requestTimeout(request: HTTPRequest, key: String?, count: Int) async throws {
    for headers: HTTPHeaders in [[:], ["Connection": "close"]] {
      let rig = Rig()
      rig.transport.on(request, respond: [.status(408, headers: headers), .status(200)])
      let error = await rig.failure(request, key: key)
      #expect(rig.transport.requests.count == count)
      #expect(error?.status == (count == 2 ? nil : 408))
      #expect(rig.elapsed == (count == 2 ? .milliseconds(200) : .zero))
      #expect(
        rig.transport.requests.allSatisfy {
          $0.headers.values(for: "idempotency-key") == (key.map { [$0] } ?? [])
        })
    }
  }

  @Test("ST-10: A part that nobody asked for is no success, of any method, and is asked for once")
  func unaskedPart() async throws {
    for request in [HTTPRequest.get("/x"), .carrying(.post, "/x"), .head("/x"), .carrying(.query, "/x")] {
      try await assertFinal(206, request)
      try await assertFinal(206, request, headers: ["Content-Range": "bytes 0-9/10", "Retry-After": "1"])
      try await assertFinal(206, request.header("If-Range", "e"))
    }
    let rig = Rig()
    rig.transport.on(.get("/n"), respond: [.json("7", status: 206)])
    let error = await rig.failure { _ = try await $0.send(.get("/n"), decoding: .int) }
    #expect((error as? HTTPError)?.status == 206)
  }

  @Test(
    "ST-10: A part that the request or the client asked for is a success",
    arguments: ["Range", "range", "RANGE"])
  func askedPart(name: String) async throws {
    var rig = Rig()
    rig.transport.on(.get("/x"), respond: [.redirect(302, to: "/y")])
    rig.transport.on(.get("/y"), respond: [.status(206)])
    #expect(try await rig.run { try await $0.send(.get("/x").header(name, "bytes=0-9")) }.status == 206)
    rig.headers = [name: "bytes=0-9"]
    #expect(try await rig.run { try await $0.send(.get("/x")) }.status == 206)
  }

  @Test("Every 2xx but 206 is a success, even where the policy would retry it")
  func successes() async throws {
    for status in 200..<300 where status != 206 {
      var rig = Rig()
      rig.policy.retryStatuses = Set(200..<300)
      rig.transport.on(.get("/x"), respond: [.status(status)])
      #expect(try await rig.run { try await $0.send(.get("/x")) }.status == status)
      #expect(rig.transport.requests.count == 1)
    }
  }

  @Test(
    "A policy may retry any other status, and still repeats no unkeyed POST",
    arguments: [206, 304, 404, 421, 501, 0, 999, -1])
  func policyStatuses(status: Int) async throws {
    var rig = Rig()
    rig.policy.retryStatuses = [status]
    rig.transport.on(.get("/x"), respond: [.status(status), .status(status), .status(200)])
    rig.transport.on(.post("/x"), respond: [.status(status)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["0.2s", "0.4s"])
    #expect(await rig.failure(.post("/x"))?.attempts == 1)
  }
}
