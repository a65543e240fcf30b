import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: what a redirect takes along")
struct RedirectCredentialCases {
  /// Fields that tell who asks, under the names that APIs and browsers have for them.
  static let secretNames = [
    "Authorization", "Proxy-Authorization", "Cookie", "Cookie2", "X-API-Key", "Api-Key", "X-Auth-Token",
    "X-CSRF-Token",
    "X-Amz-Security-Token", "X-Goog-Api-Key", "Ocp-Apim-Subscription-Key", "Private-Token", "X-Tenant",
    "Referer", "Origin",
    "From", "Forwarded", "X-Forwarded-For", "Authentication", "X-Accept", "X-Content-Type", "DPoP",
    "Signature",
    "WWW-Authenticate", "Set-Cookie", "Via", "X-Anything-New",
  ]

  static let harmlessNames = [
    "Accept", "Accept-Language", "Accept-Encoding", "Range", "If-Match", "If-None-Match", "If-Modified-Since",
    "If-Unmodified-Since", "If-Range", "User-Agent",
  ]

  private func request(_ method: HTTPMethod, _ target: String) -> HTTPRequest {
    var request = HTTPRequest(method: method, url: makeURL(target))
    for (index, name) in (Self.secretNames + Self.harmlessNames).enumerated() {
      request.headers.add(name.inOtherCases[index % 3], "v\(index)")
    }
    request.headers.add("cookie", "second")
    return request
  }

  /// What the place that a redirect leads to sees.
  private func arrival(
    _ request: HTTPRequest, from first: String, by status: Int, at place: String
  ) async throws -> TransportRequest {
    let rig = Rig.carryingSecrets(base: first)
    rig.transport.on(request, respond: [.redirect(status, to: place)])
    let url = makeURL(place)
    for method in Set([request.method, .get]) {
      rig.transport.on(HTTPRequest(method: method, url: url), respond: [.status(200)])
    }
    try await rig.run { try await $0.send(request, idempotencyKey: "k") }
    #expect(rig.transport.requests.count == 2)
    return try #require(rig.transport.requests.last)
  }

  static let otherOrigins: [(String, String)] = [
    ("https://a.test/", "https://b.test/x"), ("https://a.test/", "https://a.test.evil.test/x"),
    ("https://a.test/", "https://xa.test/x"), ("https://a.test/", "https://a.tes/x"),
    ("https://example.com/", "https://www.example.com/x"),
    ("https://www.example.com/", "https://example.com/x"),
    ("https://a.example.com/", "https://b.example.com/x"), ("https://a.test/", "https://a.test:444/x"),
    ("https://a.test:444/", "https://a.test/x"), ("http://a.test/", "https://a.test/x"),
    ("http://a.test:443/", "https://a.test/x"), ("http://a.test/", "http://a.test:443/x"),
    ("https://a.test/", "https://a.test./x"), ("https://a.test./", "https://a.test/x"),
    ("http://127.0.0.1/", "http://127.0.0.2/x"), ("http://127.0.0.1/", "http://localhost/x"),
    ("http://127.0.0.1/", "http://[::1]/x"), ("http://[::1]/", "http://[::2]/x"),
    ("http://[::1]/", "http://[::1]:81/x"),
    ("https://a.test/", "https://xn--a-test.test/x"),
  ]

  @Test(
    "RC-01, RC-02, RC-04: To any other origin, by host, port or scheme, no field travels but the harmless ones",
    arguments: otherOrigins)
  func otherOrigin(first: String, place: String) async throws {
    for (status, method) in [
      (301, HTTPMethod.get), (302, .put), (303, .post), (307, .post), (308, .delete), (302, .head),
    ] {
      let sent = try await arrival(request(method, first), from: first, by: status, at: place)
      let expected = (Self.harmlessNames + ["Idempotency-Key"]).map { $0.lowercased() }.sorted()
      #expect(sent.headers.map { $0.name.lowercased() }.sorted() == expected)
      #expect(!sent.headers.contains { $0.value.contains("SECRET") })
    }
  }

  @Test(
    "RC-01: To another spelling of the same origin every field travels",
    arguments: [
      ("https://a.test/", "https://A.TEST/x"), ("https://a.test/", "https://a.test:443/x"),
      ("https://a.test:443/", "HTTPS://a.test/x"), ("http://a.test/", "http://a.test:80/x"),
      ("https://a.test:8443/", "//A.test:8443/x"), ("http://[::AB]/", "http://[::ab]:80/x"),
      ("https://a.test/", "/x"),
      ("https://a.test/", "https://a.test:00443/x"), ("https://a.test/", "https://a.test:/x"),
    ])
  func sameOrigin(first: String, location: String) async throws {
    let rig = Rig.carryingSecrets(base: first)
    let request = request(.get, first)
    rig.transport.on(.get("/"), respond: [.redirect(302, to: location)])
    rig.transport.on(.get("/x"), respond: [.status(200)])
    try await rig.run { try await $0.send(request, idempotencyKey: "k") }
    #expect(rig.transport.requests.count == 2)
    #expect(rig.transport.requests.last?.headers == rig.transport.requests.first?.headers)
  }

  static let chains: [([String], [Bool])] = [
    (["https://b.test/1", "https://b.test/2"], [false, false]),
    (["https://b.test/1", "/2", "//b.test/3"], [false, false, false]),
    (["https://b.test/1", "https://a.test/2", "/3"], [false, false, false]),
    (["/1", "https://b.test/2", "https://a.test/3"], [true, false, false]),
    (["/1", "/2", "https://a.test:444/3", "https://a.test/4"], [true, true, false, false]),
    (
      ["https://b.test/1", "https://c.test/2", "https://a.test/3", "https://a.test/4"],
      [false, false, false, false]
    ),
  ]

  @Test(
    "RC-05, RC-10: What is stripped stays stripped for the attempt, and the next attempt has it again",
    arguments: chains)
  func chain(locations: [String], isCarried: [Bool]) async throws {
    let rig = Rig.carryingSecrets()
    for (index, location) in locations.enumerated() {
      rig.transport.on(
        .get(index == 0 ? "/" : "/\(index)"), respond: [.redirect([301, 302, 307, 308][index], to: location)])
    }
    rig.transport.on(
      .get("/\(locations.count)"), respond: [.status(503), .failure(.networkConnectionLost), .status(200)])
    try await rig.run { try await $0.send(.get("/")) }
    let once = [true] + isCarried
    #expect(
      rig.transport.requests.map { $0.headers["Authorization"] == "Bearer SECRET" } == once + once + once)
    #expect(rig.transport.requests.map { $0.headers.contains("X-API-Key") } == once + once + once)
    #expect(rig.transport.requests.map { $0.headers.contains("Cookie") } == once + once + once)
    #expect(rig.waits == ["0.2s", "0.4s"] && rig.elapsed == .milliseconds(600))
  }

  @Test("RC-10: An attempt that leads elsewhere takes nothing from one that does not")
  func nextAttempt() async throws {
    let rig = Rig.carryingSecrets()
    rig.transport.on(
      .get(makeURL("https://a.test/x")), respond: [.redirect(302, to: "https://b.test/x"), .status(200)])
    rig.transport.on(.get(makeURL("https://b.test/x")), respond: [.status(503)])
    try await rig.run { try await $0.send(.get("/x").header("X-Tag", "t")) }
    #expect(rig.transport.requests.map { $0.url.host() } == ["a.test", "b.test", "a.test"])
    #expect(rig.transport.requests.map { $0.headers.contains("Authorization") } == [true, false, true])
    #expect(rig.transport.requests.map { $0.headers.contains("X-Tag") } == [true, false, true])
  }

  @Test(
    "RC-07, RC-08: Neither the caller's cookies nor the client's fields cross origins, whatever their case and however many",
    arguments: secretNames)
  func names(name: String) async throws {
    for spelling in name.inOtherCases {
      var rig = Rig()
      rig.base = "https://a.test"
      rig.headers = HTTPHeaders([.init(spelling, "SECRET"), .init(name, "SECRET")])
      rig.transport.on(.post("/"), respond: [.redirect(307, to: "https://b.test/x")])
      rig.transport.on(.post("/x"), respond: [.redirect(308, to: "https://a.test/y")])
      rig.transport.on(.post("/y"), respond: [.status(201)])
      var request = HTTPRequest.post("/", json: ["a": 1])
      if name != "Cookie2" { request.headers.add(spelling, "SECRET") }
      try await rig.run { [request] in try await $0.send(request) }
      #expect(rig.transport.requests.map { $0.headers.contains(name) } == [true, false, false])
      #expect(
        rig.transport.requests.map { $0.headers["Content-Type"] }
          == Array(repeating: "application/json", count: 3))
      #expect(rig.transport.requests.map(\.body) == Array(repeating: Array(#"{"a":1}"#.utf8), count: 3))
    }
  }

  @Test("RC-08: An authority set on purpose stays with its origin")
  func authority() async throws {
    var rig = Rig.carryingSecrets()
    rig.policy.redirectHeaders = ["host", "HOST"]
    rig.transport.on(.get("/"), respond: [.redirect(302, to: "/y")])
    rig.transport.on(.get("/y"), respond: [.redirect(302, to: "https://b.test/x")])
    rig.transport.on(.get("/x"), respond: [.status(200)])
    var request = HTTPRequest.get("/")
    request.authority = "virtual.test"
    try await rig.run { [request] in try await $0.send(request) }
    #expect(rig.transport.requests.map { $0.headers["Host"] } == ["virtual.test", "virtual.test", nil])
  }

  @Test("RC-08: A request to another origin has none of the client's fields, redirected home neither")
  func startElsewhere() async throws {
    let rig = Rig.carryingSecrets()
    rig.transport.on(.get(makeURL("https://b.test/x")), respond: [.redirect(302, to: "https://a.test/y")])
    rig.transport.on(.get("/y"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get(makeURL("https://b.test/x"))) }
    #expect(rig.sentNames == [["accept", "user-agent"], ["accept", "user-agent"]])
  }
}
