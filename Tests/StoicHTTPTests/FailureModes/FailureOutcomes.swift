import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure modes 11-13, 20: failures, final statuses, bounds")
struct FailureOutcomes {
  static let retriedCodes: [URLError.Code] = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .resourceUnavailable, .badServerResponse, .cannotParseResponse, .cannotDecodeContentData,
    .cannotDecodeRawData,
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
  ]

  @Test("Mode 11: a failed connection is retried when the request may be repeated", arguments: retriedCodes)
  func mode11(code: URLError.Code) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code), .failure(code), .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["0.2s", "0.4s"])

    let lost = Rig()
    lost.transport.on(.delete("/x"), respond: [.failure(code)])
    let error = try #require(await lost.failure(.delete("/x")))
    #expect(code == .timedOut ? error.timedOutAttempt == 3 : error.code == code)
    #expect(error.attempts == 3)
  }

  @Test(
    "Mode 11: a failure that would come again is final, even of a GET",
    arguments: [
      URLError.Code.secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .clientCertificateRejected, .badURL, .unsupportedURL, .userAuthenticationRequired,
      .dataLengthExceedsMaximum,
      .appTransportSecurityRequiresSecureConnection, .cancelled, .unknown,
    ])
  func finalCodes(code: URLError.Code) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code)])
    let error = try #require(await rig.failure(.get("/x")))
    #expect(error.code == code && error.attempts == 1)
    #expect(rig.elapsed == .zero)
  }

  @Test("Mode 11: whether the server may have acted is known for each failure")
  func mayHaveActed() async throws {
    let rig = Rig()
    rig.transport.on(.post("/lost"), respond: [.failure(.networkConnectionLost)])
    rig.transport.on(.post("/refused"), respond: [.failure(.cannotConnectToHost)])
    rig.transport.on(
      .delete("/x"),
      respond: [.failure(.networkConnectionLost), .failure(.cannotConnectToHost), .status(404)])
    #expect(await rig.failure(.post("/lost"))?.call.mayHaveActed == true)
    #expect(await rig.failure(.post("/refused"))?.call.mayHaveActed == false)
    let error = try #require(await rig.failure(.delete("/x")))
    #expect(error.status == 404)
    #expect(error.call.history.map(\.mayHaveActed) == [true, false, true])
    #expect(error.call.mayHaveActedBefore)
  }

  @Test("An error that no transport should throw is unknown, final, and may have acted")
  func strangeError() async throws {
    struct Strange: HTTPTransport {
      struct Fault: Error {}
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        throw Fault()
      }
    }
    let api = HTTPClient(base: makeURL("https://h"), transport: Strange(), policy: Rig.pinned)
    let error = await #expect(throws: HTTPError.self) {
      try await withClock(TestClock()) { try await api.send(.get("/x")) }
    }
    #expect(error?.code == .unknown && error?.attempts == 1 && error?.call.mayHaveActed == true)
  }

  @Test("A transport that throws CancellationError although nobody cancelled has failed")
  func strayCancellation() async throws {
    struct Stray: HTTPTransport {
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        throw CancellationError()
      }
    }
    let api = HTTPClient(base: makeURL("https://h"), transport: Stray(), policy: Rig.pinned)
    let error = await #expect(throws: HTTPError.self) {
      try await withClock(TestClock()) { try await api.send(.get("/x")) }
    }
    #expect(error?.code == .cancelled && error?.attempts == 1)
  }

  @Test(
    "Modes 12 and 13: a status outside the retried ones is final",
    arguments: [
      100, 206, 300, 304, 400, 401, 403, 404, 405, 409, 410, 412, 421, 422, 425, 431, 451, 499, 501, 505, 507,
      511,
      599, 600, 999, 0, -1, .max,
    ])
  func modes12And13(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(status, headers: ["Retry-After": "1"])])
    let error = try #require(await rig.failure(.get("/x")))
    guard case .status(status, _, .seconds(1), let call) = error else {
      return #expect(Bool(false), "\(error)")
    }
    #expect(call.attempts == 1)
    #expect(rig.elapsed == .zero)
  }

  @Test("Each retried status is retried after Retry-After", arguments: [408, 429, 500, 502, 503, 504])
  func retriedStatuses(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.put("/x"), respond: [.status(status, headers: ["Retry-After": "3"]), .status(204)])
    try await rig.run { try await $0.send(.put("/x")) }
    #expect(rig.waits == ["3s"])
  }

  @Test(
    "Which methods are repeated is the contract's list and QUERY",
    arguments: [
      ("GET", 3), ("HEAD", 3), ("OPTIONS", 3), ("PUT", 3), ("DELETE", 3), ("QUERY", 3), ("POST", 1),
      ("PATCH", 1),
      ("TRACE", 1), ("PROPFIND", 1), ("get", 1),
    ])
  func repeatedMethods(name: String, attempts: Int) async throws {
    let rig = Rig()
    let request = HTTPRequest(method: HTTPMethod(name), path: "/x")
    rig.transport.on(request, respond: [.status(503)])
    #expect(await rig.failure(request)?.attempts == attempts)
    #expect(await rig.failure(request, key: "k")?.attempts == 3, "a key makes any method repeatable")
  }

  @Test(
    "Mode 20: a success over the limit is too large, cut off, and not retried",
    arguments: [
      ScriptedTransport.Step.oversized(1_001), .oversized(.max), .bytes(Array(repeating: 7, count: 1_001)),
    ])
  func mode20(step: ScriptedTransport.Step) async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 1_000
    rig.transport.on(.get("/x"), respond: [step])
    let error = try #require(await rig.failure(.get("/x")))
    guard case .responseTooLarge(1_000, let call) = error else { return #expect(Bool(false), "\(error)") }
    #expect(call.attempts == 1)
    #expect(rig.transport.aborted == 1)
    #expect(rig.events.events.map(\.name) == ["http.request", "http.response_too_large", "http.failed"])
  }

  @Test("Mode 20: a body up to the limit is whole", arguments: [0, 999, 1_000])
  func withinLimit(count: Int) async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = 1_000
    rig.transport.on(.get("/x"), respond: [.oversized(count)])
    let response = try await rig.run { try await $0.send(.get("/x")) }
    #expect(response.body == Array(repeating: 0, count: count))
    #expect(rig.transport.aborted == 0)
  }

  @Test("Mode 20: the client checks the size for transports that do not")
  func careless() async throws {
    struct Careless: HTTPTransport {
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        HTTPResponse(status: 200, body: Array(repeating: 0, count: maxResponseBytes + 1), url: request.url)
      }
    }
    var policy = Rig.pinned
    policy.maxResponseBytes = 10
    let api = HTTPClient(base: makeURL("https://h"), transport: Careless(), policy: policy)
    let error = await #expect(throws: HTTPError.self) {
      try await withClock(TestClock()) { try await api.send(.get("/x")) }
    }
    guard case .responseTooLarge(10, _)? = error else {
      return #expect(Bool(false), "\(String(describing: error))")
    }
  }

  @Test("Mode 20: a limit of zero or less allows empty bodies only", arguments: [0, -1, .min])
  func noBytes(limit: Int) async throws {
    var rig = Rig()
    rig.policy.maxResponseBytes = limit
    rig.transport.on(.get("/x"), respond: [.status(200), .bytes([1])])
    try await rig.run { try await $0.send(.get("/x")) }
    guard case .responseTooLarge(0, _)? = await rig.failure(.get("/x")) else { return #expect(Bool(false)) }
  }

  @Test("Mode 20: an error status with an enormous body is that status, and is retried")
  func largeError() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.oversized(1 << 40, status: 503), .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.waits == ["0.2s"])
    rig.transport.on(.get("/y"), respond: [.oversized(1 << 40, status: 404)])
    #expect(await rig.failure(.get("/y"))?.status == 404)
  }

  @Test(
    "Responses that have no body have no limit, and none of the bytes that a transport gave them",
    arguments: [(HTTPMethod.head, 200), (.get, 204), (.get, 205), (.delete, 204), (.get, 304)], [true, false])
  func bodiless(request: (method: HTTPMethod, status: Int), isTruncated: Bool) async throws {
    struct Talkative: HTTPTransport {
      let status: Int
      let isTruncated: Bool
      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        HTTPResponse(
          status: status, headers: ["Content-Length": "50000000"], body: Array("surplus".utf8),
          url: request.url, isTruncated: isTruncated)
      }
    }
    try await withClock(TestClock()) {
      let api = HTTPClient(
        base: makeURL("https://h"),
        transport: Talkative(status: request.status, isTruncated: isTruncated))
      do {
        let response = try await api.send(HTTPRequest(method: request.method, path: "/big"))
        #expect(response.status == request.status && response.body.isEmpty && !response.isTruncated)
      } catch HTTPError.status(let status, let excerpt, _, let call) {
        #expect(status == 304 && request.status == 304 && excerpt.isEmpty && call.attempts == 1)
      }
    }
  }
}
