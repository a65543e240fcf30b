import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure mode 27: redirects")
struct RedirectModes {
  /// A rig whose client and request carry secrets.
  private func rig(_ policy: RedirectPolicy = .standard) -> Rig {
    var rig = Rig()
    rig.base = "https://a.test"
    rig.headers = ["Authorization": "Bearer t", "X-API-Key": "s"]
    rig.policy.redirects = policy
    return rig
  }

  private func redirect(_ status: Int, to location: String) -> ScriptedTransport.Step {
    .status(status, headers: ["Location": location])
  }

  static let otherOrigins = [
    "https://b.test/x", "https://www.a.test/x", "https://a.test:8443/x", "https://a.test./x", "//b.test/x",
  ]

  @Test("Mode 27: to another origin only harmless fields travel", arguments: otherOrigins)
  func credentials(location: String) async throws {
    let rig = rig()
    rig.transport.on(.get("/"), respond: [redirect(302, to: location)])
    rig.transport.on(.get("/x"), respond: [.status(200)])
    let request = HTTPRequest.get("/").header("cookie", "c").header("PROXY-AUTHORIZATION", "p")
      .header("X-Tenant", "t").header("Range", "bytes=0-1").header("If-None-Match", "e").header(
        "Accept", "text/plain")
    try await rig.run { try await $0.send(request) }
    let second = try #require(rig.transport.requests.last)
    #expect(
      second.headers.map { $0.name.lowercased() }.sorted() == [
        "accept", "if-none-match", "range", "user-agent",
      ])
    #expect(rig.transport.requests.first?.headers.count == 9)
  }

  @Test("Mode 27: what was stripped stays stripped down the chain, and comes back with the next attempt")
  func chain() async throws {
    let rig = rig()
    rig.transport.on(.get("/"), respond: [redirect(307, to: "https://b.test/1"), .status(200)])
    rig.transport.on(.get("/1"), respond: [redirect(307, to: "/2")])
    rig.transport.on(.get("/2"), respond: [redirect(307, to: "https://a.test/3")])
    rig.transport.on(.get("/3"), respond: [.status(503)])
    try await rig.run { try await $0.send(.get("/")) }
    #expect(
      rig.transport.requests.map { $0.headers.contains("Authorization") } == [
        true, false, false, false, true,
      ])
    #expect(rig.waits == ["0.2s"])
  }

  @Test("Within the origin everything travels")
  func sameOrigin() async throws {
    let rig = rig()
    rig.transport.on(.get("/"), respond: [redirect(301, to: "https://A.test:443/x")])
    rig.transport.on(.get("/x"), respond: [.status(200)])
    let response = try await rig.run { try await $0.send(.get("/")) }
    #expect(rig.transport.requests.last?.headers["Authorization"] == "Bearer t")
    #expect(response.url.absoluteString == "https://a.test/x")
    let event = try #require(rig.events.events(named: "http.redirect").first)
    #expect(event["status"] == "301" && event["to_host"] == "a.test" && event["to_path"] == "/x")
  }

  @Test("A field that the policy names travels to another origin")
  func namedFields() async throws {
    var rig = rig()
    rig.policy.redirectHeaders = ["x-api-key"]
    rig.transport.on(.get("/"), respond: [redirect(302, to: "https://b.test/x")])
    rig.transport.on(.get("/x"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get("/")) }
    #expect(rig.transport.requests.last?.headers["X-API-Key"] == "s")
    #expect(rig.transport.requests.last?.headers["Authorization"] == nil)
  }

  @Test("Mode 27: a POST or PATCH that gets 301 or 302 is not turned into a GET", arguments: [301, 302])
  func methodRewrite(status: Int) async throws {
    for method in [HTTPMethod.post, .patch] {
      let rig = rig()
      let request = HTTPRequest(
        method: method, path: "/o", headers: ["Content-Type": "text/plain"], body: .bytes([1]))
      rig.transport.on(request, respond: [redirect(status, to: "/n")])
      let error = try #require(await rig.failure(request, key: "k"))
      #expect(error.status == status && error.attempts == 1)
      #expect(rig.transport.requests.count == 1)
    }
  }

  @Test("A policy that allows the rewrite drops body and content fields for good")
  func allowedRewrite() async throws {
    let rig = rig(.allowingMethodRewrite)
    rig.transport.on(.post("/o"), respond: [redirect(302, to: "/b")])
    rig.transport.on(.get("/b"), respond: [redirect(307, to: "/c")])
    rig.transport.on(.get("/c"), respond: [.status(200)])
    try await rig.run { try await $0.send(.post("/o", json: [1])) }
    for request in rig.transport.requests.dropFirst() {
      #expect(request.method == .get && request.body.isEmpty && !request.headers.contains("Content-Type"))
    }
    #expect(rig.transport.requests.count == 3)
  }

  static let kept: [(Int, HTTPMethod, HTTPMethod)] = [
    (301, .get, .get), (302, .head, .head), (301, .put, .put), (302, .delete, .delete), (303, .post, .get),
    (303, .put, .get), (303, .head, .head), (303, .get, .get), (307, .post, .post), (308, .post, .post),
    (307, .patch, .patch), (308, .put, .put), (302, HTTPMethod("QUERY"), HTTPMethod("QUERY")),
  ]

  @Test("Mode 27: the method is kept, except by 303; 307 and 308 keep the body and the key", arguments: kept)
  func methods(status: Int, method: HTTPMethod, next: HTTPMethod) async throws {
    let rig = rig()
    let hasBody = method != .get && method != .head
    let request = HTTPRequest(
      method: method, path: "/o", headers: hasBody ? ["Content-Type": "text/plain"] : [:],
      body: hasBody ? .bytes([1, 2]) : nil)
    rig.transport.on(request, respond: [redirect(status, to: "n")])
    rig.transport.on(HTTPRequest(method: next, path: "/n"), respond: [.status(200)])
    try await rig.run { try await $0.send(request, idempotencyKey: "k") }
    let second = try #require(rig.transport.requests.last)
    #expect(second.method == next)
    #expect(second.body == (hasBody && next == method ? [1, 2] : []))
    #expect(second.headers.contains("Content-Type") == (hasBody && next == method))
    #expect(second.headers.values(for: "Idempotency-Key") == ["k"])
  }

  static let locations = [
    ("../x", "https://a.test/a/x"), ("?q=1", "https://a.test/a/b/c?q=1"), ("/y", "https://a.test/y"),
    ("//h.test:81/z", "https://h.test:81/z"), ("w", "https://a.test/a/b/w"),
    ("./w?x=1#f", "https://a.test/a/b/w?x=1"),
    ("../../../up", "https://a.test/up"), ("", "https://a.test/a/b/c?old=1"),
    ("#f", "https://a.test/a/b/c?old=1"),
    ("HTTPS://B.test", "https://b.test/"), (" /s p", "https://a.test/s%20p"), ("/é", "https://a.test/%C3%A9"),
    ("/a%2Fb", "https://a.test/a%2Fb"), ("/a[b]%2F?c[]=é", "https://a.test/a%5Bb%5D%2F?c%5B%5D=%C3%A9"),
  ]

  @Test("Mode 27: a Location is resolved by RFC 3986, in every form", arguments: locations)
  func resolution(location: String, expected: String) async throws {
    let rig = rig()
    rig.transport.on(.get("/a/b/c"), respond: [redirect(302, to: location), .status(200)])
    for path in ["/a/x", "/y", "/z", "/a/b/w", "/up", "/", "/s%20p", "/%C3%A9", "/a%2Fb", "/a%5Bb%5D%2F"] {
      rig.transport.on(.get(path), respond: [.status(200)])
    }
    let response = try await rig.run { try await $0.send(.get("/a/b/c", query: ["old": "1"])) }
    #expect(response.url.absoluteString == expected)
    #expect(rig.transport.requests.count == 2)
  }

  static let refused = [
    "file:///etc/passwd", "ftp://h/", "data:,x", "javascript:1", "http://a.test/x", "https://user:pw@b.test/",
    "https://", "https://[::1", "https://[]:8443/x", "https://h:99999/", "https://h:0/", "https://a b/",
    "mailto:x",
    "https://b%41.test/",
    "https:///x",
  ]

  @Test("Mode 27: a redirect that may not be followed is the answer", arguments: refused)
  func refusedTargets(location: String) async throws {
    let rig = rig()
    rig.transport.on(.get("/"), respond: [redirect(302, to: location)])
    let error = try #require(await rig.failure(.get("/")))
    #expect(error.status == 302 && error.attempts == 1)
    #expect(rig.transport.requests.count == 1)
  }

  @Test("Mode 27: a loop ends after 21 requests, is one attempt, and is not retried")
  func loop() async throws {
    let rig = rig()
    rig.transport.on(.get("/loop"), respond: [redirect(302, to: "/loop")])
    let error = try #require(await rig.failure(.get("/loop")))
    #expect(error.status == 302 && error.attempts == 1)
    #expect(rig.transport.requests.count == 21)
  }

  @Test(
    "A redirect without a Location, with two, or that asks to wait is the answer",
    arguments: [
      [:], ["Location": "/x", "location": "/y"], ["Location": "/x", "Retry-After": "5"],
    ] as [HTTPHeaders])
  func incomplete(headers: HTTPHeaders) async throws {
    let rig = rig()
    rig.transport.on(.get("/"), respond: [.status(302, headers: headers)])
    let error = try #require(await rig.failure(.get("/")))
    #expect(error.status == 302 && rig.transport.requests.count == 1)
    guard case .status(_, _, let retryAfter, _) = error else { return }
    #expect(retryAfter == (headers.contains("Retry-After") ? .seconds(5) : nil))
  }

  @Test("A policy without redirects answers with every 3xx")
  func noRedirects() async throws {
    let rig = rig(.none)
    rig.transport.on(.get("/"), respond: [redirect(307, to: "/x")])
    #expect(await rig.failure(.get("/"))?.status == 307)
    #expect(rig.transport.requests.count == 1)
  }
}
