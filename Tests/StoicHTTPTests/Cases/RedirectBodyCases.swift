import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: bodies and time of redirects")
struct RedirectBodyCases {
  /// Fields that speak of a body (RFC 9110, section 15.4).
  static let bodyFields: HTTPHeaders = [
    "content-type": "a/b", "Content-Language": "de", "CONTENT-ENCODING": "x", "Content-Location": "/x",
    "Content-MD5": "x",
    "Content-Digest": "x", "Content-Disposition": "x", "Content-Range": "x", "Digest": "x",
    "Repr-Digest": "x",
    "Last-Modified": "Mon, 19 Jan 2026 00:00:00 GMT",
  ]

  private func order(_ method: HTTPMethod) -> HTTPRequest {
    HTTPRequest(
      method: method, path: "/o", headers: HTTPHeaders(Array(Self.bodyFields) + [.init("If-Match", "e")]),
      body: .bytes(Array("order".utf8)))
  }

  private func rig(_ redirects: RedirectPolicy) -> Rig {
    var rig = Rig()
    rig.policy.redirects = redirects
    return rig
  }

  static let rewrites: [(RedirectPolicy, Int, HTTPMethod)] = [
    (.allowingMethodRewrite, 301, .post), (.allowingMethodRewrite, 302, .post),
    (.allowingMethodRewrite, 303, .post),
    (.allowingMethodRewrite, 301, .patch), (.allowingMethodRewrite, 302, .patch),
    (.allowingMethodRewrite, 303, .patch),
    (.standard, 303, .post), (.standard, 303, .patch), (.standard, 303, .put), (.standard, 303, .delete),
    (.standard, 303, .query), (.standard, 303, HTTPMethod("PROPPATCH")),
  ]

  @Test(
    "RS-09: A body that was dropped, and what spoke of it, does not come back down the chain",
    arguments: rewrites)
  func dropped(redirects: RedirectPolicy, status: Int, method: HTTPMethod) async throws {
    for hops in [["/1", "/2", "/3"], ["https://b.test/1", "/2", "https://api.example.com/3"]] {
      let rig = rig(redirects)
      rig.transport.on(HTTPRequest(method: method, path: "/o"), respond: [.redirect(status, to: hops[0])])
      rig.transport.on(.get("/1"), respond: [.redirect(307, to: hops[1])])
      rig.transport.on(.get("/2"), respond: [.redirect(308, to: hops[2])])
      rig.transport.on(.get("/3"), respond: [.status(200)])
      try await rig.run { try await $0.send(order(method), idempotencyKey: "k") }
      #expect(rig.transport.requests.map(\.method) == [method, .get, .get, .get])
      #expect(rig.transport.requests.map(\.body.count) == [5, 0, 0, 0])
      let kept = ["accept", "idempotency-key", "if-match", "user-agent"]
      #expect(Array(rig.sentNames.dropFirst()) == [kept, kept, kept])
    }
  }

  @Test(
    "RS-09: Without the rewrite the 3xx is the answer after one request, body still the caller's",
    arguments: [(301, HTTPMethod.post), (302, .post), (301, .patch), (302, .patch)])
  func refused(status: Int, method: HTTPMethod) async throws {
    for key in [nil, "k"] {
      for location in ["/n", "https://b.test/n", "", "/o"] {
        let rig = rig(.standard)
        rig.transport.on(
          HTTPRequest(method: method, path: "/o"), respond: [.redirect(status, to: location), .status(200)])
        let error = try #require(await rig.failure(order(method), key: key))
        #expect(error.status == status && error.attempts == 1 && error.call.mayHaveActed)
        #expect(rig.transport.requests.count == 1 && rig.elapsed == .zero)
      }
    }
  }

  @Test("RS-09: A rewrite is made anew in each attempt, from the whole request")
  func anew() async throws {
    let rig = rig(.allowingMethodRewrite)
    rig.transport.on(
      .post("/o"), respond: [.redirect(302, to: "/r"), .status(503), .redirect(303, to: "/r")])
    rig.transport.on(.get("/r"), respond: [.status(503), .status(200)])
    try await rig.run { try await $0.send(order(.post), idempotencyKey: "k") }
    #expect(rig.transport.requests.map(\.method) == [.post, .get, .post, .post, .get])
    #expect(rig.transport.requests.map(\.body.count) == [5, 0, 5, 5, 0])
    #expect(rig.waits == ["0.2s", "0.4s"])
  }

  @Test(
    "RS-10: The attempt timeout is for all hops together and is not restarted by one",
    arguments: [
      ([6], [10, 4]), ([4, 4], [10, 6, 2]), ([3, 3, 3], [10, 7, 4, 1]), ([9], [10, 1]),
      ([0, 0, 9], [10, 10, 10, 1]),
    ])
  func together(delays: [Int], timeouts: [Int]) async throws {
    let rig = Rig()
    for (index, delay) in delays.enumerated() {
      rig.transport.on(
        .get("/\(index)"), respond: [.redirect(302, to: "/\(index + 1)").after(.seconds(delay))])
    }
    rig.transport.on(.get("/\(delays.count)"), respond: [.hang])
    let error = try #require(await rig.failure(.get("/0")))
    #expect(error.timedOutAttempt == 3 && error.attempts == 3 && error.call.mayHaveActed)
    #expect(rig.elapsed == .milliseconds(30_600))
    let once = timeouts.map { Duration.seconds($0) }
    #expect(rig.transport.requests.map(\.timeout) == once + once + once)
    #expect(rig.transport.aborted == 3 && rig.isClean)
  }

  @Test("RS-10: A hop that arrives as the time is over is not sent")
  func late() async throws {
    let transport = AnsweringTransport(enforcesTimeout: false) { _, _ in
      try await Ambient.sleep(for: .seconds(5))
      return HTTPResponse(status: 302, headers: ["Location": "/x"])
    }
    try simulate(seeds: 0..<50) {
      let before = transport.requests.count
      var policy = Rig.pinned
      policy.retry.maxAttempts = 1
      let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: policy)
      let start = Ambient.clock.now
      let error = await #expect(throws: HTTPError.self) { try await api.send(.get("/x")) }
      #expect(error?.timedOutAttempt == 1)
      #expect(start.duration(to: Ambient.clock.now) == .seconds(10))
      #expect(transport.requests.count == before + 2)
    }
  }

  @Test("A redirect's own body has no part in the answer, however large, nor have its fields")
  func ownBody() async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 100
    rig.transport.on(
      .get("/a"),
      respond: [
        .bytes(Array(repeating: 1, count: 1_000), status: 302, headers: ["Location": "/b", "X-A": "a"])
      ])
    rig.transport.on(.get("/b"), respond: [.json("7")])
    let response = try await rig.run { try await $0.send(.get("/a")) }
    #expect(response.text == "7" && response.headers["X-A"] == nil && response.url.path == "/b")
    #expect(try await rig.run { try await $0.send(.get("/a"), decoding: .int) } == 7)
  }
}
