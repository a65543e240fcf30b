import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure mode 31: requests that are refused before anything is sent")
struct RefusedRequests {
  private func refusal(_ request: HTTPRequest, key: String? = nil, in rig: Rig = Rig()) async -> String? {
    let error = await rig.failure(request, key: key)
    #expect(error?.attempts == 0 && rig.transport.requests.isEmpty)
    return error?.refusal
  }

  @Test(
    "Mode 31: a value with CR, LF, NUL or another control is refused and not shown",
    arguments: [
      "a\r\nX-Evil: 1", "a\rb", "a\nb", "a\u{0}b", "SECRET\u{7F}", "\u{1B}[31m", "a\r\n", "\n",
    ])
  func values(value: String) async throws {
    let reason = try #require(await refusal(.get("/x").header("X-Tag", value)))
    #expect(reason == "the value of the header field X-Tag holds a control character")
    var rig = Rig()
    rig.headers = ["X-Default": value]
    #expect(await refusal(.get("/x"), in: rig) != nil, "the client's own fields are checked as well")
    #expect(await refusal(.post("/x"), key: "k\(value)") != nil, "and so is a key")
  }

  @Test(
    "Mode 31: a media type to expect is a value like any other",
    arguments: ["a/b\r\nX-Evil: 1", "a\rb", "\n", "a/\u{0}", "SECRET\u{7F}"])
  func expected(type: String) async throws {
    for request in [HTTPRequest.get("/x"), .get("/x").header("X-Tag", "1")] {
      let rig = Rig()
      let error = await rig.failure { _ = try await $0.send(request, decoding: .int, expecting: type) }
      #expect(
        (error as? HTTPError)?.refusal == "the value of the header field Accept holds a control character")
      #expect(rig.transport.requests.isEmpty)
    }
  }

  @Test("A tab and any other text may stand in a value")
  func harmlessValues() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get("/x").header("X-Tag", "a\tb – é").header("X-Empty", "")) }
    #expect(rig.transport.requests.first?.headers["x-tag"] == "a\tb – é")
    #expect(rig.transport.requests.first?.headers["x-empty"] == "")
  }

  static let noTokens = [
    "", " ", "a b", "a:b", "a\n", "a\r\nb", "é", "a(", "a,b", "a/b", "a\"", "a\u{0}", "\u{7F}",
  ]

  @Test("Mode 31: a field name or a method that is no token is refused", arguments: noTokens)
  func tokens(text: String) async throws {
    #expect(await refusal(.get("/x").header(text, "v")) == "a header field's name is no token")
    #expect(await refusal(HTTPRequest(method: HTTPMethod(text), path: "/x")) == "the method is no token")
    #expect(await refusal(HTTPRequest(method: HTTPMethod("GET / HTTP/1.1\r\nX: y"), path: "/x")) != nil)
  }

  @Test(
    "Mode 31: framing and connection fields belong to the transport, in any case",
    arguments: [
      "Content-Length", "Transfer-Encoding", "Connection", "TE", "Trailer", "Upgrade", "Keep-Alive",
      "Proxy-Connection",
      "Expect", "content-length", "TRANSFER-ENCODING",
    ])
  func framing(name: String) async throws {
    #expect(await refusal(.get("/x").header(name, "1"))?.hasSuffix("belongs to the transport") == true)
  }

  @Test("Mode 31: a GET or HEAD with a body, and a body without a type, are refused")
  func bodies() async throws {
    for method in [HTTPMethod.get, .head] {
      let request = HTTPRequest(
        method: method, path: "/x", headers: ["Content-Type": "a/b"], body: .bytes([]))
      #expect(await refusal(request)?.contains("carries no body") == true)
    }
    #expect(
      await refusal(HTTPRequest(method: .post, path: "/x", body: .bytes([1])))
        == "a body needs a Content-Type")
    #expect(await refusal(.post("/x", json: [.init(Double.nan)]))?.contains("not finite") == true)
  }

  @Test(
    "Mode 31: a blank key would protect nothing and is refused",
    arguments: ["", " ", "\t ", "\u{A0}", "\u{200B}"])
  func blankKeys(key: String) async throws {
    #expect(await refusal(.post("/x"), key: key)?.contains("blank") == true)
    #expect(await refusal(.post("/x").keyed(key))?.contains("blank") == true)
    #expect(await refusal(.post("/x").header("idempotency-key", key))?.contains("blank") == true)
  }

  @Test("Mode 31: another Host than the URL's is refused, the same one accepted, another on purpose sent")
  func host() async throws {
    #expect(await refusal(.get("/x").header("Host", "other.example"))?.contains("authority") == true)
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get("/x").header("host", "API.example.com")) }
    try await rig.run { try await $0.send(.get("/x").header("host", "api.example.com:443")) }
    #expect(rig.transport.requests.last?.headers.contains("Host") == false)
    var request = HTTPRequest.get("/x")
    request.authority = "other.example:81"
    try await rig.run { [request] in try await $0.send(request) }
    #expect(rig.transport.requests.last?.headers["Host"] == "other.example:81")
    #expect(rig.transport.requests.last?.url.host() == "api.example.com")
    for authority in ["", "a b", "a/b", "u@h", "h\r\nX: 1", "h:99999", ":80"] {
      request.authority = authority
      #expect(await refusal(request)?.contains("authority") == true, "\(authority)")
    }
  }

  @Test(
    "Mode 31: a method that changes what the connection is for is refused", arguments: ["CONNECT", "PRI"])
  func otherConnections(method: String) async throws {
    #expect(await refusal(HTTPRequest(method: HTTPMethod(method), path: "/x"))?.contains(method) == true)
  }

  @Test("Mode 31: a body of two types is refused, and so is a key that all requests of a client would share")
  func contradictions() async throws {
    var twice = HTTPRequest.post("/x", json: [1])
    twice.headers.add("content-type", "text/plain")
    #expect(await refusal(twice) == "there is more than one Content-Type field")
    var rig = Rig()
    rig.headers = ["idempotency-key": "SECRET"]
    for request in [HTTPRequest.post("/x"), .post("/x").keyed("k"), .get(makeURL("https://other/x"))] {
      let reason = try #require(await refusal(request, in: rig))
      #expect(reason.contains("Idempotency-Key") && !reason.contains("SECRET"))
    }
  }

  @Test("No text of a request breaks a line, whatever its method and path hold")
  func texts() {
    let request = HTTPRequest(method: HTTPMethod("GET\r\nFAKE"), path: "/x\n2026 GET /y\u{2028}")
    #expect("\(request)" == "GET\\u{D}\\u{A}FAKE /x\\u{A}2026 GET /y\\u{2028}")
  }

  @Test(
    "Mode 31: a path that leaves the base's path is refused, plain or escaped",
    arguments: [
      "/..", "/../admin", "/a/../../admin", "/%2e%2e/admin", "/.%2E/admin", "/a/%2E./%2e%2E/x", "..",
      "/..%2fadmin",
      "/a/..%2F..%2Fadmin", "/%2e%2e%5Cadmin", "/..\\admin",
    ])
  func leavingTheBase(path: String) async throws {
    var rig = Rig()
    rig.base = "https://api.example.com/v1/"
    #expect(await refusal(.get(path), in: rig) == "the path leaves the base URL's path")
  }

  @Test(
    "Mode 31: a path that looks like another place is refused, or stays on the base",
    arguments: [
      "//evil.com", "///evil.com", "https://evil.com/x", "HTTP://evil.com", "  https://evil.com", "x://y",
    ])
  func elsewhere(path: String) async throws {
    #expect(await refusal(.get(path)) != nil)
  }

  @Test(
    "Mode 31: control characters in a path or query are refused",
    arguments: [
      "/a\r\nX: y", "/a\tb", "/a\u{0}", "/x?a\nb", "/\u{7F}",
    ])
  func controls(path: String) async throws {
    #expect(await refusal(.get(path)) == "the path holds a control character")
  }

  @Test(
    "Mode 31: a URL that is none to send a request to is refused without its secrets",
    arguments: [
      "https://user:SECRET@h.example/", "https://SECRET@h/", "ftp://h/", "file:///etc/passwd", "/relative",
      "data:,x",
      "https:///x", "http://[fe80::1%25eth0]:80/",
    ])
  func urls(text: String) async throws {
    let reason = try #require(await refusal(.get(makeURL(text))))
    #expect(!reason.contains("SECRET") && !reason.contains("@"))
    var rig = Rig()
    rig.base = text
    #expect(await refusal(.get("/x"), in: rig)?.contains("SECRET") == false, "nor does a base that is none")
  }
}
