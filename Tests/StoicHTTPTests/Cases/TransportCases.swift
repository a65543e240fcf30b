import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: what a transport tells")
struct TransportCases {
  static let trustCodes: [URLError.Code] = [
    .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
    .serverCertificateHasUnknownRoot,
    .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
  ]

  static let faults: [URLError.Code] = [
    .badURL, .unsupportedURL, .dataLengthExceedsMaximum, .userAuthenticationRequired,
    .userCancelledAuthentication,
    .httpTooManyRedirects, .appTransportSecurityRequiresSecureConnection, .cancelled, .unknown,
  ]

  private func assertFinal(_ code: URLError.Code) async throws {
    for request in [HTTPRequest.get("/x"), .put("/x"), .post("/x").keyed("k"), .post("/x")] {
      let rig = Rig()
      rig.transport.on(request, respond: [.failure(code), .status(200)])
      let error = try #require(await rig.failure(request))
      #expect(error.code == code && error.attempts == 1)
      #expect(error.call.history.map(\.outcome) == ["transport_\(code.rawValue)"])
      #expect(rig.transport.requests.count == 1 && rig.elapsed == .zero && rig.isClean)
    }
  }

  @Test("TR-01: A failure of trust is not retried, and counts against the host", arguments: trustCodes)
  func trust(code: URLError.Code) async throws {
    try await assertFinal(code)
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code)])
    #expect(await rig.reached(.get("/x")) == 20)
  }

  @Test(
    "TR-02: A fault of the request, or an unknown one, is not retried, and does not count", arguments: faults)
  func fault(code: URLError.Code) async throws {
    try await assertFinal(code)
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code)])
    #expect(await rig.reached(.get("/x")) == 30)
  }

  @Test(
    "TR-02: A code that no list names is final and does not count",
    arguments: [
      URLError.Code.fileDoesNotExist, .cannotOpenFile, .zeroByteResource, .redirectToNonExistentLocation,
      .cannotLoadFromNetwork, .requestBodyStreamExhausted, .cannotWriteToFile,
    ])
  func unlisted(code: URLError.Code) async throws {
    try await assertFinal(code)
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(code)])
    #expect(await rig.reached(.get("/x")) == 30)
  }

  private struct Strange: Error {}

  static let errors: [(any Error & Sendable, URLError.Code, Bool)] = [
    (URLError(.cancelled), .cancelled, true), (CancellationError(), .cancelled, true),
    (TransportError(.cancelled), .cancelled, true),
    (TransportError(code: .cancelled, mayHaveActed: false), .cancelled, false),
    (Strange(), .unknown, true), (Rejection(.breakerOpen), .unknown, true),
    (HTTPError.invalidRequest("SECRET"), .unknown, true),
    (HTTPError.status(503, excerpt: "", retryAfter: nil, call: CallRecord()), .unknown, true),
    (CocoaError(.fileNoSuchFile), .unknown, true), (URLError(.badURL), .badURL, false),
    (NSError(domain: "SECRET", code: -1_005), .unknown, true),
  ]

  @Test(
    "TR-04, TR-05: Whatever a transport throws while the caller is alive is one failure, never a cancellation",
    arguments: errors)
  func strangeError(error: any Error & Sendable, code: URLError.Code, mayHaveActed: Bool) async throws {
    for isEnforcing in [false, true] {
      for request in [HTTPRequest.get("/x"), .post("/x").keyed("k")] {
        var rig = Rig()
        rig.policy.maxConcurrentPerHost = 1
        rig.policy.queueLimitPerHost = 0
        let transport = AnsweringTransport(enforcesTimeout: isEnforcing) { index, _ in
          if index < 25 { throw error }
          return HTTPResponse(status: 200)
        }
        let api = HTTPClient(base: makeURL("https://h"), transport: transport, policy: rig.policy)
        // The clock stands still: nothing here may wait.
        for _ in 0..<25 {
          let failure = await #expect(throws: HTTPError.self) {
            try await rig.inForce { try await api.send(request) }
          }
          #expect(failure?.code == code && failure?.attempts == 1)
          #expect(failure?.call.mayHaveActed == mayHaveActed)
          #expect(!PrivacyTests.texts(failure).contains("SECRET"))
        }
        // The permit was given back, and the breaker has counted nothing.
        #expect(try await rig.inForce { try await api.send(request) }.status == 200)
        #expect(transport.requests.count == 26 && rig.clock.sleepers.isEmpty)
      }
    }
  }

  @Test("BJ-09: The wait of the schedule is kept after every sort of failure")
  func delays() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.failure(.networkConnectionLost), .hang, .status(200)])
    try await rig.run { try await $0.send(.get("/x")) }
    #expect(rig.transport.requests.count == 3 && rig.waits == ["0.2s", "0.4s"])
    #expect(rig.elapsed == .milliseconds(10_600) && rig.transport.aborted == 1)
  }

  static let slow: [(ScriptedTransport.Step, Duration)] = [
    (.failure(.networkConnectionLost), .zero), (.failure(.cannotFindHost), .zero),
    (.failure(.notConnectedToInternet), .zero),
    (.failure(.timedOut), .zero), (.failure(.networkConnectionLost).after(.seconds(3)), .seconds(3)),
    (.hang, .seconds(10)),
    (.status(500), .zero), (.status(503).after(.milliseconds(9_999)), .milliseconds(9_999)),
    (.status(429), .zero),
    (.status(200).after(.seconds(10)), .seconds(10)), (.oversized(.max, status: 502), .zero),
    (.status(503, headers: ["Retry-After": "0"]), .zero),
  ]

  @Test(
    "BJ-09: Between the end of any failed attempt and the next start lies the schedule's wait",
    arguments: slow)
  func everyPath(step: ScriptedTransport.Step, time: Duration) async throws {
    for (request, key) in [(HTTPRequest.get("/x"), nil), (.delete("/x"), nil), (.post("/x"), "k")] {
      var rig = Rig()
      rig.policy.retry.maxAttempts = 4
      rig.transport.on(request, respond: [step, step, step, .status(200)])
      try await rig.run { try await $0.send(request, idempotencyKey: key) }
      #expect(rig.waits == ["0.2s", "0.4s", "0.8s"] && rig.transport.requests.count == 4)
      #expect(rig.elapsed == time + time + time + .milliseconds(1_400) && rig.isClean)
    }
  }

  @Test(
    "TO-03: A timed-out unkeyed POST is not repeated",
    arguments: [HTTPMethod.post, .patch, .trace, HTTPMethod("LOCK")])
  func timedOut(method: HTTPMethod) async throws {
    for step in [
      ScriptedTransport.Step.hang, .status(201).after(.seconds(10)), .status(201).after(.seconds(9_999)),
    ] {
      let rig = Rig()
      rig.transport.on(HTTPRequest(method: method, path: "/x"), respond: [step, .status(201)])
      let error = try #require(await rig.failure(HTTPRequest(method: method, path: "/x")))
      #expect(error.timedOutAttempt == 1 && error.attempts == 1 && error.call.mayHaveActed)
      #expect(rig.transport.requests.count == 1 && rig.transport.aborted == 1)
      #expect(rig.elapsed == .seconds(10) && rig.isClean)
    }
  }
}
