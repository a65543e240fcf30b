import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Where a request goes")
struct RequestURLTests {
  /// The URL on the wire.
  private func url(_ request: HTTPRequest, base: String = "https://h") async throws -> String? {
    var rig = Rig()
    rig.base = base
    _ = await rig.failure(request)
    return rig.transport.requests.first?.url.absoluteString
  }

  @Test(
    "There is exactly one slash where base and path join",
    arguments: [
      ("https://h", "https://h/u"), ("https://h/", "https://h/u"), ("https://h/v1", "https://h/v1/u"),
      ("https://h/v1/", "https://h/v1/u"), ("https://h//", "https://h/u"),
      ("https://h/v1?k=0#g", "https://h/v1/u"),
      ("HTTPS://H:443/V1", "https://h/V1/u"), ("http://h:80", "http://h/u"),
      ("http://h:8080", "http://h:8080/u"),
      ("https://h/a/../b", "https://h/b/u"), ("https://[::1]:8443/", "https://[::1]:8443/u"),
    ])
  func join(base: String, expected: String) async throws {
    #expect(try await url(.get("u"), base: base) == expected)
    #expect(try await url(.get("/u"), base: base) == expected)
  }

  static let paths = [
    ("/sub:path", "https://h/sub:path"), ("sub:path", "https://h/sub:path"),
    ("http:evil.com", "https://h/http:evil.com"),
    ("", "https://h/"), ("/", "https://h/"), ("/\\evil.com", "https://h/%5Cevil.com"),
    ("\\\\evil.com", "https://h/%5C%5Cevil.com"), ("/\\/evil.com", "https://h/%5C/evil.com"),
    ("/files/a%2Fb", "https://h/files/a%2Fb"), ("/files/a%2fb", "https://h/files/a%2fb"),
    ("/some%2520path", "https://h/some%2520path"), ("/100%", "https://h/100%25"),
    ("/%zz%4", "https://h/%25zz%254"),
    ("/a b", "https://h/a%20b"), ("/ü/é", "https://h/%C3%BC/%C3%A9"), ("/a/./b/../c", "https://h/a/c"),
    ("/a/%2e/b/%2E%2e/c", "https://h/a/c"), ("/a/..", "https://h/"), ("/a/b/.", "https://h/a/b/"),
    ("/...", "https://h/..."),
    ("/a//b", "https://h/a//b"), ("/x;v=1,2!$&'()*+=@~-._", "https://h/x;v=1,2!$&'()*+=@~-._"),
    ("/[x]^`{|}\"<>", "https://h/%5Bx%5D%5E%60%7B%7C%7D%22%3C%3E"), ("/p#frag?x", "https://h/p"),
    ("/proxy/https://x/y", "https://h/proxy/https://x/y"), ("/s?x=1#f", "https://h/s?x=1"),
    ("/s?", "https://h/s?"),
    ("?q=1", "https://h/?q=1"), ("/s?a=b c&d=%41+/?", "https://h/s?a=b%20c&d=%41+/?"),
    ("/a?b?../c", "https://h/a?b?../c"),
  ]

  @Test("A path is encoded once, keeps its escapes, and stays on the base", arguments: paths)
  func path(path: String, expected: String) async throws {
    #expect(try await url(.get(path)) == expected)
  }

  @Test("Query items are encoded once, in order, repeats and bare flags kept")
  func query() async throws {
    #expect(
      try await url(.get("/s", query: ["email": "me+test@x.io", "flag": nil, "empty": "", "a b": "ü"]))
        == "https://h/s?email=me%2Btest%40x.io&flag&empty=&a%20b=%C3%BC")
    #expect(
      try await url(
        .get("/s", query: [("q", "a&b=c#d;e/f?g"), ("q", "2"), ("a", "%41"), ("b", "100%"), ("c", "[т")]))
        == "https://h/s?q=a%26b%3Dc%23d%3Be%2Ff%3Fg&q=2&a=%2541&b=100%25&c=%5B%D1%82")
    #expect(try await url(.get("/s?x=1#f", query: ["y": "2"])) == "https://h/s?x=1&y=2")
    #expect(try await url(.get(makeURL("https://o/s?x=1#f"), query: ["y": "2"])) == "https://o/s?x=1&y=2")
    #expect(try await url(.get("/s", query: ["x\r\ny": "\u{0}"])) == "https://h/s?x%0D%0Ay=%00")
  }

  @Test("Query items come back as they were from a decoder of URLs")
  func queryRoundTrip() async throws {
    let items: [(String, String?)] = [
      ("q", "a&b=c#d;e/f?g"), ("q", "2"), ("a b", "ü+%20"), ("flag", nil), ("", "x"),
    ]
    let text = try #require(try await url(.get("/s", query: items)))
    let decoded = try #require(URLComponents(string: text)?.queryItems)
    #expect(decoded.map(\.name) == items.map(\.0) && decoded.map(\.value) == items.map(\.1))
  }

  @Test(
    "An absolute URL goes where it says, normalised, and gets default fields only at the base's origin",
    arguments: [
      ("https://h/x?a=1#f", "https://h/x?a=1", true), ("https://H:443/x", "https://h/x", true),
      ("https://h:444/x", "https://h:444/x", false), ("http://h/x", "http://h/x", false),
      ("https://h./x", "https://h./x", false), ("https://www.h/x", "https://www.h/x", false),
      ("https://h/a/../b", "https://h/b", true),
      ("https://b\u{FC}cher.example/", "https://xn--bcher-kva.example/", false),
      ("https://h", "https://h/", true),
    ])
  func absolute(text: String, expected: String, isHome: Bool) async throws {
    var rig = Rig()
    rig.base = "https://h/v1"
    rig.headers = ["Authorization": "Bearer t"]
    _ = await rig.failure(.get(makeURL(text)))
    let request = try #require(rig.transport.requests.first)
    #expect(request.url.absoluteString == expected)
    #expect(request.headers.contains("Authorization") == isHome)
  }

  @Test("Every builder takes a path or a URL, and says what its body is")
  func builders() {
    let url = makeURL("https://o/p")
    #expect(HTTPRequest.head("/p").method == .head && HTTPRequest.head(url).target == .url(url))
    #expect(HTTPRequest.delete("/p", query: [("a", nil)]).query == [.init("a", nil)])
    #expect(HTTPRequest.options(url).method == .options)
    for request in [HTTPRequest.post("/p", json: [1]), .put("/p", json: [1]), .patch(url, json: [1])] {
      #expect(request.headers["content-type"] == "application/json" && request.body == .json([1]))
    }
    for request in [
      HTTPRequest.post(url, body: [1], contentType: "a/b"), .put("/p", body: Data([1]), contentType: "a/b"),
      .patch("/p", body: [1], contentType: "a/b"),
    ] {
      #expect(request.headers["content-type"] == "a/b" && request.body == .bytes([1]))
    }
    #expect(
      [HTTPRequest.post("/p"), .put("/p"), .patch(url)].allSatisfy { $0.body == nil && $0.headers.isEmpty })
    #expect(HTTPRequest(method: HTTPMethod("QUERY"), path: "/p").method == .query)
    #expect(HTTPRequest.get("/p").keyed("k").idempotencyKey == "k")
  }
}
