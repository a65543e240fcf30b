import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: which redirects are followed, and how")
struct RedirectCases {
  private func rig(_ redirects: RedirectPolicy = .standard) -> Rig {
    var rig = Rig()
    rig.base = "https://a.test"
    rig.policy.redirects = redirects
    return rig
  }

  static let loops: [(HTTPRequest, Int, [String])] = [
    (.get("/loop"), 302, ["/loop"]), (.get("/loop"), 301, ["loop"]), (.get("/loop"), 308, [""]),
    (.get("/loop"), 307, ["#f"]), (.head("/loop"), 302, ["/loop"]), (.get("/loop"), 303, ["?"]),
    (.delete("/loop"), 307, ["/a", "/loop"]),
    (.get("/loop"), 302, ["https://b.test/loop", "https://a.test/loop"]),
    (.carrying(.put, "/loop"), 301, ["/a", "/b", "/loop"]), (.carrying(.post, "/loop"), 308, ["/loop"]),
    (.get("/loop"), 302, ["?a", "?a&b", "/loop"]),
  ]

  @Test(
    "RS-01: A loop of any length and method ends after 21 requests, is one attempt and not retried",
    arguments: loops)
  func loop(request: HTTPRequest, status: Int, locations: [String]) async throws {
    let rig = rig()
    let transport = AnsweringTransport { index, _ in
      HTTPResponse(status: status, headers: ["Location": locations[index % locations.count]])
    }
    let api = HTTPClient(base: makeURL(rig.base), transport: transport, policy: rig.policy)
    let error = await rig.failure { _ in try await api.send(request, idempotencyKey: "k") } as? HTTPError
    #expect(error?.status == status && error?.attempts == 1 && rig.elapsed == .zero)
    #expect(transport.requests.count == 21)
    #expect(rig.events.events(named: "http.redirect").count == 20)
    #expect(rig.events.events(named: "http.retry").isEmpty)
  }

  @Test("RS-01: Twenty redirects are followed, one more is the answer", arguments: [19, 20, 21])
  func limit(count: Int) async throws {
    let rig = rig()
    for index in 0..<count {
      rig.transport.on(.get("/\(index)"), respond: [.redirect(302, to: "/\(index + 1)")])
    }
    rig.transport.on(.get("/\(count)"), respond: [.status(200)])
    let error = await rig.failure(.get("/0"))
    #expect(error?.status == (count == 21 ? 302 : nil))
    #expect(rig.transport.requests.count == min(count, 20) + 1)
  }

  @Test("RS-03: 307 and 308 keep method, bytes and key over every hop", arguments: [307, 308])
  func kept(status: Int) async throws {
    let body = BodyCases.large
    for method in [HTTPMethod.post, .put, .patch, .delete, .query, .options, HTTPMethod("PROPPATCH")] {
      for places in [["/b"], ["/b", "/c"], ["https://b.test/b", "https://c.test/c"]] {
        let rig = rig()
        let request = HTTPRequest.carrying(method, "/a", body)
        for (path, place) in zip(["/a", "/b"], places) {
          rig.transport.on(HTTPRequest(method: method, path: path), respond: [.redirect(status, to: place)])
        }
        let last = HTTPRequest(method: method, path: places.count == 1 ? "/b" : "/c")
        rig.transport.on(last, respond: [.status(201)])
        try await rig.run { try await $0.send(request, idempotencyKey: "k") }
        #expect(rig.transport.requests.count == places.count + 1)
        #expect(rig.transport.requests.allSatisfy { $0.method == method && $0.body == body && $0.mayRepeat })
        #expect(rig.transport.requests.allSatisfy { $0.headers.values(for: "idempotency-key") == ["k"] })
        #expect(rig.transport.requests.allSatisfy { $0.headers.values(for: "content-type") == ["a/b"] })
      }
    }
  }

  /// RFC 3986, section 5.4, with `http` for its scheme; nil where the result is none to request.
  static let references: [(String, String?)] = [
    ("g:h", nil), ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
    ("g?y", "/b/c/g?y"), ("#s", "/b/c/d;p?q"), ("g#s", "/b/c/g"), ("g?y#s", "/b/c/g?y"), (";x", "/b/c/;x"),
    ("g;x", "/b/c/g;x"), ("g;x?y#s", "/b/c/g;x?y"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"),
    ("..", "/b/"),
    ("../", "/b/"), ("../g", "/b/g"), ("../..", "/"), ("../../", "/"), ("../../g", "/g"),
    ("../../../g", "/g"),
    ("../../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."), (".g", "/b/c/.g"),
    ("g..", "/b/c/g.."),
    ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("./g/.", "/b/c/g/"), ("g/./h", "/b/c/g/h"),
    ("g/../h", "/b/c/h"),
    ("g;x=1/./y", "/b/c/g;x=1/y"), ("g;x=1/../y", "/b/c/y"), ("g?y/./x", "/b/c/g?y/./x"),
    ("g?y/../x", "/b/c/g?y/../x"),
    ("g#s/../x", "/b/c/g"), ("http:g", nil), ("?", "/b/c/d;p?"), ("g%2e%2e/h", "/b/c/g%2e%2e/h"),
    ("%2e%2e/g", "/b/g"),
    ("//a", "/"), ("//a?x", "/?x"), ("http://a", "/"), ("HTTP://A:80/g", "/g"), ("\tg ", "/b/c/g"),
    ("a:b", nil), ("./a:b", "/b/c/a:b"), ("g\\h", "/b/c/g%5Ch"), ("\\\\evil/g", "/b/c/%5C%5Cevil/g"),
    ("/\t/evil", "/%09/evil"),
    ("g|h<>\"`{}", "/b/c/g%7Ch%3C%3E%22%60%7B%7D"), ("é?é", "/b/c/%C3%A9?%C3%A9"), ("g%zz", "/b/c/g%25zz"),
    ("g\r\nX-Evil: 1", "/b/c/g%0D%0AX-Evil:%201"),
  ]

  @Test("RS-04: A Location is resolved as RFC 3986 has it, in every form", arguments: references)
  func resolved(location: String, expected: String?) async throws {
    let rig = Rig()
    let start = makeURL("http://a/b/c/d;p?q")
    rig.transport.on(.get(start), respond: [.redirect(302, to: location), .status(200)])
    _ = await rig.failure(.get(start))
    let urls = rig.transport.requests.map(\.url.absoluteString)
    #expect(urls == [start.absoluteString] + (expected.map { ["http://a\($0)"] } ?? []))
  }

  static let noTargets = [
    "file:///etc/passwd", "ftp://h/", "data:,x", "javascript:1", "JAVASCRIPT:alert(1)", "ws://a.test/x",
    "wss://a.test/x",
    "gopher://h", "blob:https://a.test/1", "about:blank", "mailto:x@a.test", "view-source:https://a.test/",
    "intent://x",
    "unix:/var/run/x.sock", "https:x", "https:/x", "https://", "https:///x", "////x", "//", "//:80/x",
    "//@/x",
    "https://u@b.test/", "https://:p@b.test/", "https://@b.test/", "//u:p@b.test/x",
    "https://a.test@evil.test/",
    "https://a.test\\@evil.test/", "https://evil%2etest/", "https://a.test%00.evil.test/",
    "https://a.test:x/",
    "https://a.test:-1/", "https://a.test:65536/", "https://a.test:80:80/",
    "https://a.test:99999999999999999999/",
    "https://[::1", "https://[::1]x/", "https://[fe80::1%25eth0]/", "https://\u{E9}.test/", "https://a b/",
    "http://a.test/x", "HTTP://b.test/", "https://a.test:443\\x/",
  ]

  @Test(
    "RS-06: What is no http or https place, or a weaker one, is not followed, by any status",
    arguments: noTargets)
  func noTarget(location: String) async throws {
    for (status, request) in [
      (301, HTTPRequest.get("/")), (302, .head("/")), (303, .post("/")), (307, .post("/")),
      (308, .delete("/")),
    ] {
      let rig = rig()
      rig.transport.on(request, respond: [.redirect(status, to: location), .status(200)])
      let error = try #require(await rig.failure(request, key: "k"))
      #expect(error.status == status && error.attempts == 1 && rig.elapsed == .zero)
      #expect(rig.transport.requests.count == 1)
    }
  }

  @Test(
    "RS-07: A 3xx without a Location, or that is no redirect, is final and asks no second time",
    arguments: Array(300...310) + [399])
  func final(status: Int) async throws {
    let isRedirect = [301, 302, 303, 307, 308].contains(status)
    for headers: HTTPHeaders in [[:], ["Location": "/x", "location": "/y"], ["Location": "/y"]] {
      guard !(isRedirect && headers.count == 1) else { continue }
      for request in [HTTPRequest.get("/"), .put("/"), .head("/")] {
        let rig = rig(.allowingMethodRewrite)
        rig.transport.on(request, respond: [.status(status, headers: headers), .status(200)])
        let error = try #require(await rig.failure(request))
        #expect(error.status == status && error.attempts == 1 && rig.elapsed == .zero)
        #expect(rig.transport.requests.count == 1)
      }
    }
  }
}
