import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: what may be sent twice")
struct IdempotencyCases {
  static let unkeyed: [(ScriptedTransport.Step, Duration)] =
    [408, 429, 500, 502, 503, 504].map { (.status($0, headers: ["Retry-After": "1"]), .zero) }
    + (FailureOutcomes.retriedCodes + [.cannotConnectToHost, .secureConnectionFailed, .cancelled, .unknown])
    .map {
      (.failure($0), .zero)
    } + [
      (.failure(TransportError(code: .networkConnectionLost, mayHaveActed: false)), .zero),
      (.hang, .seconds(10)),
      (.status(503).after(.seconds(9)), .seconds(9)), (.status(200).after(.seconds(10)), .seconds(10)),
      (.oversized(.max), .zero), (.oversized(.max, status: 503), .zero), (.status(302), .zero),
    ]

  @Test(
    "ID-01, ID-12: Without a key a POST or PATCH reaches the server at most once, provably unsent or not",
    arguments: unkeyed)
  func once(step: ScriptedTransport.Step, elapsed: Duration) async throws {
    for method in [HTTPMethod.post, .patch, HTTPMethod("LOCK"), HTTPMethod("post")] {
      for attempts in [3, Int.max] {
        var rig = Rig()
        rig.policy.retry.maxAttempts = attempts
        rig.policy.retryStatuses = Set(0...999)
        rig.transport.on(HTTPRequest(method: method, path: "/x"), respond: [step, .status(200)])
        let error = try #require(await rig.failure(.carrying(method, "/x")))
        #expect(error.attempts == 1 && !error.wasRetried && !error.call.mayRepeat)
        #expect(rig.transport.requests.count == 1 && rig.transport.requests.allSatisfy { !$0.mayRepeat })
        #expect(rig.elapsed == elapsed && rig.isClean)
      }
    }
  }

  @Test(
    "ID-12: A connection that was never made is told, and still not repeated",
    arguments: [
      (URLError.Code.cannotConnectToHost, false), (.cannotFindHost, false), (.dnsLookupFailed, false),
      (.networkConnectionLost, true),
    ])
  func unsent(code: URLError.Code, mayHaveActed: Bool) async throws {
    let rig = Rig()
    rig.transport.on(.post("/x"), respond: [.failure(code), .status(201)])
    let error = try #require(await rig.failure(.post("/x")))
    #expect(error.code == code && error.attempts == 1 && error.call.mayHaveActed == mayHaveActed)
    #expect(rig.transport.requests.count == 1)
  }

  @Test(
    "ID-01: An unkeyed POST that a redirect took on is not sent again either", arguments: [303, 307, 308])
  func redirected(status: Int) async throws {
    for step in [ScriptedTransport.Step.status(503), .failure(.cannotConnectToHost), .hang] {
      let rig = Rig()
      rig.transport.on(.post("/x"), respond: [.redirect(status, to: "/y")])
      for method in [HTTPMethod.post, .get] {
        rig.transport.on(HTTPRequest(method: method, path: "/y"), respond: [step])
      }
      #expect(await rig.failure(.post("/x"))?.attempts == 1)
      #expect(rig.transport.requests.count == 2)
    }
  }

  @Test(
    "ID-04: A key used with another body is the server's to refuse: one request, the caller's key",
    arguments: [400, 422])
  func reused(status: Int) async throws {
    for method in [HTTPMethod.post, .patch] {
      let rig = Rig()
      let api = rig.api
      rig.transport.on(
        HTTPRequest(method: method, path: "/x"), respond: [.status(201), .status(status), .status(201)])
      try await rig.run { _ in try await api.send(.carrying(method, "/x", [1]), idempotencyKey: "k") }
      let error = await rig.failure { _ in
        try await api.send(.carrying(method, "/x", [2]), idempotencyKey: "k")
      }
      #expect((error as? HTTPError)?.status == status && (error as? HTTPError)?.attempts == 1)
      #expect(rig.transport.requests.map(\.body) == [[1], [2]] && rig.elapsed == .zero)
      #expect(rig.transport.requests.map { $0.headers.values(for: "Idempotency-Key") } == [["k"], ["k"]])
    }
  }

  @Test(
    "ID-06: However a key is given, and however often, one field goes out, and the call counts as keyed",
    arguments: [
      ("A", nil, nil, "A"), (nil, "A", nil, "A"), (nil, nil, "A", "A"), ("A", "B", nil, "B"),
      ("A", nil, "C", "C"),
      (nil, "B", "C", "C"), ("A", "B", "C", "C"), ("A", "A", "A", "A"), ("", nil, "C", "C"),
      ("a b", "\"k\"", nil, "\"k\""),
    ] as [(String?, String?, String?, String)])
  func twice(header: String?, property: String?, argument: String?, sent: String) async throws {
    for name in "Idempotency-Key".inOtherCases {
      let rig = Rig()
      var request = HTTPRequest.post("/x", json: [1])
      if let header { request.headers.add(name, header) }
      request.idempotencyKey = property
      rig.transport.on(.post("/x"), respond: [.status(503), .hang, .status(200)])
      try await rig.run { [request] in try await $0.send(request, idempotencyKey: argument) }
      #expect(
        rig.transport.requests.map { $0.headers.values(for: "idempotency-key") } == [[sent], [sent], [sent]])
      #expect(rig.transport.requests.allSatisfy { $0.mayRepeat })
    }
  }

  @Test("ID-06: Two keys in fields are refused, unless another one is given; a blank one always")
  func ambiguous() async throws {
    var request = HTTPRequest.post("/x")
    request.headers = ["Idempotency-Key": "A", "idempotency-key": "B"]
    let rig = Rig()
    #expect(await rig.failure(request)?.refusal?.contains("more than one") == true)
    #expect(await rig.failure(request, key: " ")?.refusal?.contains("blank") == true)
    #expect(await rig.failure(request.keyed("K"), key: "")?.refusal?.contains("blank") == true)
    #expect(rig.transport.requests.isEmpty)
    rig.transport.on(.post("/x"), respond: [.status(200)])
    try await rig.run { [request] in try await $0.send(request, idempotencyKey: "C") }
    #expect(rig.transport.requests.map { $0.headers.values(for: "Idempotency-Key") } == [["C"]])
  }

  static let ambiguousFirsts: [(ScriptedTransport.Step, Duration, Bool)] = [
    (.hang, .seconds(10), true), (.failure(.networkConnectionLost), .zero, true), (.status(503), .zero, true),
    (.failure(.cannotConnectToHost), .zero, false), (.failure(.notConnectedToInternet), .zero, false),
  ]

  @Test(
    "ID-09: A repeat that finds its own effect says that an attempt before may have acted",
    arguments: ambiguousFirsts)
  func ownEffect(step: ScriptedTransport.Step, time: Duration, mayHaveActed: Bool) async throws {
    for (request, status) in [
      (HTTPRequest.carrying(.put, "/x").header("If-Match", "e1"), 412), (.delete("/x"), 404),
      (.delete("/x"), 410),
      (.carrying(.put, "/x").header("If-None-Match", "*"), 412),
      (.carrying(.patch, "/x").header("If-Match", "e1").keyed("k"), 412),
    ] {
      let rig = Rig()
      rig.transport.on(request, respond: [step, .status(status)])
      let error = try #require(await rig.failure(request))
      #expect(error.status == status && error.attempts == 2 && rig.transport.requests.count == 2)
      #expect(error.call.mayHaveActedBefore == mayHaveActed)
      #expect(error.description.contains("may have acted") == mayHaveActed)
      #expect(rig.elapsed == time + .milliseconds(200))
      #expect(Set(rig.transport.requests.map { $0.headers["If-Match"] }).count == 1)
    }
  }

  static let methods: [(String, Int, Bool, Bool)] = [
    ("GET", 3, true, true), ("HEAD", 3, true, true), ("OPTIONS", 3, true, true), ("PUT", 3, true, false),
    ("DELETE", 3, true, false), ("QUERY", 3, true, true), ("TRACE", 1, true, true), ("POST", 1, false, false),
    ("PATCH", 1, false, false), ("PROPFIND", 1, false, false), ("REPORT", 1, false, false),
    ("MKCOL", 1, false, false),
    ("PURGE", 1, false, false), ("query", 1, false, false), ("Put", 1, false, false),
    ("delete", 1, false, false),
    ("GETS", 1, false, false), ("X-GET", 1, false, false),
  ]

  @Test(
    "ID-10: QUERY is repeated like a GET; TRACE, although idempotent, and unknown methods are not",
    arguments: methods)
  func byMethod(name: String, count: Int, isIdempotent: Bool, isSafe: Bool) async throws {
    let method = HTTPMethod(name)
    #expect(method.isIdempotent == isIdempotent && method.isSafe == isSafe)
    for step in [ScriptedTransport.Step.status(503), .failure(.networkConnectionLost), .hang] {
      let rig = Rig()
      let request = HTTPRequest(method: method, path: "/x")
      rig.transport.on(request, respond: [step])
      #expect(await rig.failure(request)?.attempts == count)
      #expect(
        rig.transport.requests.count == count
          && rig.transport.requests.allSatisfy { $0.mayRepeat == (count == 3) })
    }
  }

  @Test("ID-10: A TRACE carries no body, as it sends back what it gets")
  func trace() async throws {
    let rig = Rig()
    #expect(await rig.failure(.carrying(.trace, "/x"))?.refusal?.contains("no body") == true)
    #expect(rig.transport.requests.isEmpty)
  }
}
