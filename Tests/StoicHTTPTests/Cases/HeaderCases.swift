import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: header fields and methods")
struct HeaderCases {
  /// The controls that no value may hold: C0 without the tab, and DEL.
  static let controlScalars = (Array(0..<0x20) + [0x7F]).filter { $0 != 9 }.compactMap { Unicode.Scalar($0) }

  private func isRefused(_ request: HTTPRequest, key: String? = nil, in rig: Rig = Rig()) async -> Bool {
    let error = await rig.failure(request, key: key)
    let texts = PrivacyTests.texts(error) + rig.events.events.map(\.description).joined()
    return error?.refusal != nil && error?.attempts == 0 && rig.transport.requests.isEmpty
      && rig.elapsed == .zero && !texts.contains("SECRET")
  }

  @Test(
    "HD-02: A control character in a value is refused wherever the field comes from, and not echoed",
    arguments: controlScalars)
  func controls(_ control: Unicode.Scalar) async {
    let values = [
      "\(control)", "SECRET\(control)b", "\(control)SECRET", "SECRET\(control)\u{301}", "\r\(control)",
    ]
    for value in values {
      #expect(await isRefused(.get("/x").header("X-Tag", value)))
      #expect(await isRefused(.post("/x"), key: value))
      #expect(await isRefused(.post("/x").keyed("k" + value)))
      #expect(await isRefused(.post("/x", body: [1], contentType: "a/b" + value)))
      var rig = Rig()
      rig.headers = ["X-Default": value]
      #expect(await isRefused(.get("/x"), in: rig))
      var doubled = HTTPRequest.get("/x").header("X-Tag", "harmless")
      doubled.headers.add("x-tag", value)
      #expect(await isRefused(doubled), "the second field of a name is checked as well")
    }
  }

  @Test(
    "HD-02: What only looks like a control, or ends in its byte, is a text like any other",
    arguments: [
      "\u{10A}", "\u{10D}", "\u{D0A}", "\u{2028}", "\u{85}", "\u{A0}", "\t", "%0D%0A", "\\r\\n", "\u{301}",
    ])
  func harmless(text: String) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(200)])
    try await rig.run { try await $0.send(.get("/x").header("X-Tag", "a\(text)b")) }
    #expect(rig.transport.requests.map { $0.headers.values(for: "x-tag") } == [["a\(text)b"]])
  }

  /// RFC 9110, section 5.6.2.
  static let tokenBytes = Set(
    "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)

  @Test("HD-03, HD-11: Of one byte, exactly the token's are a name or a method", arguments: UInt8(0)..<128)
  func oneByte(byte: UInt8) async {
    let text = String(UnicodeScalar(byte))
    for request in [
      HTTPRequest.get("/x").header(text, "v"), HTTPRequest(method: HTTPMethod(text), path: "/x"),
    ] {
      let rig = Rig()
      let isSent = await rig.failure(request)?.refusal == nil
      #expect(isSent == Self.tokenBytes.contains(byte))
      #expect(rig.transport.requests.count == (isSent ? 1 : 0))
    }
  }

  static let noTokens = [
    "", " ", "X-Tag ", " X-Tag", "X Tag", "X-Tag:", "X-Tag: v\r\nX-Evil", "X-Tag\r\n", "X-T\u{0}ag", "X-Täg",
    "X-\u{212A}ey",
    "X-Tag\u{301}", "X\u{200B}Tag", "X-Tag\u{FEFF}", "Ｘ", "(X)", "{X}", "X/Tag", "X@Tag", "\"X\"", "X\\Tag",
    "[X]",
    "X;Tag", "X=Tag", "X?", "<X>", "X,Tag",
  ]

  @Test("HD-03, HD-11: A name or a method that is no token is refused, whoever sets it", arguments: noTokens)
  func noToken(text: String) async {
    #expect(await isRefused(.get("/x").header(text, "SECRET")))
    var rig = Rig()
    rig.headers = [text: "SECRET"]
    #expect(await isRefused(.get("/x"), in: rig))
    #expect(await isRefused(HTTPRequest(method: HTTPMethod(text), path: "/x"), key: "k"))
  }

  @Test(
    "HD-11: A method cannot bring a second line or request along",
    arguments: [
      "GET / HTTP/1.1\r\nX: y", "GET /evil", "GET\r\n", "\nGET", "GET\u{0}", "GET\t/",
      "GET /x HTTP/1.1\r\n\r\nPOST",
      "GÉT", "G\u{212A}T", "GET\u{301}", "GET,POST",
    ])
  func methods(name: String) async {
    #expect(await isRefused(HTTPRequest(method: HTTPMethod(name), path: "/x")))
    #expect(await isRefused(HTTPRequest(method: HTTPMethod(name), url: makeURL("https://h/x")), key: "k"))
  }

  @Test(
    "HD-05: A name set in another case replaces the field and never doubles it",
    arguments: [
      "Authorization", "X-API-Key", "Accept", "User-Agent", "Cookie", "Accept-Encoding", "If-Match",
    ])
  func replaces(name: String) async throws {
    for other in name.inOtherCases {
      var rig = Rig()
      rig.headers = HTTPHeaders([.init(name, "A"), .init(name.lowercased(), "B")])
      rig.transport.on(.get("/x"), respond: [.status(200)])
      let request = HTTPRequest.get("/x").header(name.uppercased(), "C").header(other, "D")
      try await rig.run { try await $0.send(request) }
      let sent = try #require(rig.transport.requests.first?.headers)
      #expect(sent.values(for: name) == ["D"])
      #expect(sent.count { $0.name.lowercased() == name.lowercased() } == 1)
    }
  }

  @Test("HD-05: The type that a builder sets gives way to the caller's in any case, and to no default")
  func contentType() async throws {
    for name in "Content-Type".inOtherCases {
      var rig = Rig()
      rig.headers = [name: "text/default"]
      rig.transport.on(.post("/x"), respond: [.status(200)])
      try await rig.run { try await $0.send(.post("/x", json: [1])) }
      try await rig.run { try await $0.send(.post("/x", json: [1]).header(name, "application/vnd.x+json")) }
      #expect(
        rig.transport.requests.map { $0.headers.values(for: "Content-Type") }
          == [["application/json"], ["application/vnd.x+json"]])
    }
  }

  static let failures: [ScriptedTransport.Step] = [
    .status(503), .status(429, headers: ["Retry-After": "1"]), .failure(.networkConnectionLost), .hang,
    .redirect(307, to: "/y"), .oversized(1 << 30, status: 500),
  ]

  @Test("HD-06: Every attempt sends the same fields, each once", arguments: failures)
  func accumulation(step: ScriptedTransport.Step) async throws {
    for request in [HTTPRequest.post("/x", json: [1]), .put("/x", json: [1]).header("ACCEPT", "a/b")] {
      var rig = Rig()
      rig.headers = ["Authorization": "A", "Accept": "a/b", "User-Agent": "u"]
      rig.transport.on(HTTPRequest(method: request.method, path: "/x"), respond: [step, step, .status(200)])
      rig.transport.on(HTTPRequest(method: request.method, path: "/y"), respond: [.status(503)])
      try await rig.run { try await $0.send(request, idempotencyKey: "k") }
      let attempts = rig.transport.requests.filter { $0.url.path == "/x" }
      #expect(attempts.count == 3)
      let names = ["accept", "authorization", "content-type", "idempotency-key", "user-agent"]
      #expect(rig.sentNames.allSatisfy { $0 == names })
      #expect(Set(rig.transport.requests.map(\.headers)).count == 1)
    }
  }

  @Test(
    "HD-08: A Host that is not the URL's own is refused, from the request and from the client",
    arguments: [
      "other.example", "api.example.com.evil", "evil-api.example.com", "api.example.com:8443",
      "api.example.com:80",
      "api.example.com.", "api.example.com:", "api.example.com:0443", "", " ", "api.example.com ",
      "api.example.com, h",
      "u@api.example.com", "api.example.com/", "https://api.example.com", "api.example.com#", "example.com",
      "api.example.c\u{14D}m", "*",
    ])
  func host(value: String) async {
    #expect(await isRefused(.get("/x").header("Host", value)))
    #expect(await isRefused(.get("/x").header("hOST", value)))
    var rig = Rig()
    rig.headers = ["Host": value]
    #expect(await isRefused(.get("/x"), in: rig))
    var doubled = HTTPRequest.get("/x").header("Host", "api.example.com")
    doubled.headers.add("host", value)
    #expect(await isRefused(doubled))
  }

  @Test("HD-08: The URL's own Host is accepted in any spelling, and left to the transport")
  func ownHost() async throws {
    for value in "api.example.com".inOtherCases + "api.example.com:443".inOtherCases {
      var rig = Rig()
      rig.headers = ["host": value]
      rig.transport.on(.get("/x"), respond: [.status(200)])
      try await rig.run { try await $0.send(.get("/x").header("HOST", value)) }
      #expect(rig.transport.requests.map { $0.headers.contains("Host") } == [false])
    }
  }

  @Test(
    "HD-08: An authority that is set on purpose is a host with or without a port, and nothing else",
    arguments: [
      "h#\u{301}x", "h\u{E9}", "\u{212A}", "h%41", "h\\", "h,evil", "h\"", "h<", "h|", "h;x", "h?\u{301}",
      "h\u{301}",
      "[", "[]", "[x", "[::1]x", "[::1%25eth0]", "h:", "h:0", "h:65536", "h:1:2", "h:+1", "h:٣", "\th", "h\t",
      "h\u{7F}",
    ])
  func authority(text: String) async {
    var request = HTTPRequest.get("/x")
    request.authority = text
    #expect(await isRefused(request))
  }

  @Test(
    "HD-08: A plain authority is sent as it is",
    arguments: [
      "other.example", "other.example:81", "[::1]", "[::1]:8080", "127.0.0.1:1", "a_b-c.example", "X.Example",
    ])
  func plainAuthority(text: String) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(200)])
    var request = HTTPRequest.get("/x")
    request.authority = text
    try await rig.run { [request] in try await $0.send(request) }
    #expect(rig.transport.requests.map { $0.headers.values(for: "host") } == [[text]])
  }
}
