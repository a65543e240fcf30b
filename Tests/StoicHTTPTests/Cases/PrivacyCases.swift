import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Cases: what is never shown")
struct PrivacyCases {
  /// Every text of an error, and every event as it prints and by its public fields.
  private func shown(_ error: (any Error)?, _ rig: Rig) -> String {
    let events = rig.events.events
    let fields = events.flatMap(\.fields).filter { !$0.isPrivate }.map { "\($0.key)=\($0.value)" }
    return PrivacyTests.texts(error) + events.map { "\($0) \(String(reflecting: $0)) \($0.label)" }.joined()
      + fields.joined(separator: " ")
  }

  @Test(
    "PR-02: A field's value prints only where its name is known to be harmless",
    arguments: RedirectCredentialCases.secretNames)
  func secretFields(name: String) {
    for spelling in name.inOtherCases + [" \(name)", "\(name)\u{301}", "accept-\(name)"] {
      var headers: HTTPHeaders = ["Content-Type": "a/b", spelling: "SECRET", "Accept": "a/b"]
      headers.add(spelling, "SECRET")
      let texts: [String] = [
        PrivacyTests.texts(headers), PrivacyTests.texts(headers.dropFirst()),
        PrivacyTests.texts(Array(headers)),
        PrivacyTests.texts(headers.reversed()), PrivacyTests.texts(Optional(headers)),
        PrivacyTests.texts([1: headers]),
        PrivacyTests.texts(headers.first { $0.value == "SECRET" }), PrivacyTests.texts(headers.enumerated()),
        PrivacyTests.texts(headers.makeIterator()), PrivacyTests.texts(Set(headers)),
        PrivacyTests.texts(headers.lazy),
        PrivacyTests.texts(HTTPRequest(method: .get, path: "/", headers: headers)),
        PrivacyTests.texts(HTTPResponse(status: 200, headers: headers)),
        PrivacyTests.texts(TransportRequest(method: .get, url: makeURL("https://h"), headers: headers)),
      ]
      for (index, text) in texts.enumerated() { #expect(!text.contains("SECRET"), "\(index)") }
      #expect(headers.description.contains("\(spelling): <redacted>"))
    }
  }

  @Test(
    "PR-02: No event carries a field, of request or response, whatever happens", arguments: PrivacyTests.steps
  )
  func events(step: ScriptedTransport.Step) async throws {
    let rig = Rig.carryingSecrets()
    rig.transport.on(
      .get("/x"), respond: [.status(302, headers: ["Location": "/y?SECRET#SECRET", "X-A": "SECRET"])])
    rig.transport.on(.get("/y"), respond: [step])
    let request = HTTPRequest.get("/x").header("X-Tag", "SECRET").header("Accept", "SECRET").keyed("SECRET")
    let error = await rig.failure { _ = try await $0.send(request, decoding: .int) }
    #expect(error != nil && !shown(error, rig).contains("SECRET"))
    #expect(!rig.events.events(named: "http.redirect").isEmpty)
  }

  static let ends: [ScriptedTransport.Step] = [
    .status(404), .status(503), .hang, .failure(.badServerResponse), .failure(.cannotConnectToHost),
    .oversized(.max),
    .json(#"{"SECRET": "SECRET"}"#), .json(#"{"id": 1, "double": "SECRET", "double": "SECRET"}"#),
    .json("SECRET"),
    .json(#"{"id": "SECRET"}"#),
    .json(#"{"id": SECRET}"#), .json("{\"id\": \"SECRET"), .json(#"["SECRET"]"#),
    .json(#"{"id": 1e999999}SECRET"#),
    .bytes(Array("SECRET".utf8), headers: ["Content-Type": "text/html; charset=SECRET"]),
    .bytes(
      Array("SECRET".utf8), status: 451, headers: ["Content-Type": "text/html", "Set-Cookie": "SECRET"]),
    .status(429, headers: ["Retry-After": "SECRET"]),
    .status(302, headers: ["Location": "https://u:SECRET@h/?SECRET"]),
    .redirect(303, to: "/SECRET?SECRET".replacing("/SECRET", with: "/y")),
  ]

  @Test(
    "PR-03: A query is in no text of an error and in no public field, only in a private one", arguments: ends)
  func query(step: ScriptedTransport.Step) async throws {
    struct Holder: Sendable { let id: Int }
    let schema: Schema<Holder> = .object(Holder.init, .field("id", \.id, .int))
    for request in [
      HTTPRequest.get("/x?api_key=SECRET"), .get("/x", query: ["api_key": "SECRET"]),
      .get("/x", query: ["SECRET": nil]),
      .get(makeURL("https://h/x?SECRET")), .get("/x?\u{301}SECRET"), .get("/x?a=b?SECRET"),
      .post("/x?api_key=SECRET"),
    ] {
      let rig = Rig()
      rig.transport.on(HTTPRequest(method: request.method, path: "/x"), respond: [step])
      let error = await rig.failure { _ = try await $0.send(request, decoding: schema) }
      #expect(error is HTTPError)
      #expect(!shown(error, rig).contains("SECRET"))
      #expect(rig.events.events.flatMap(\.fields).contains { $0.isPrivate && $0.value.contains("SECRET") })
      #expect(rig.events.events.compactMap { $0["path"] }.allSatisfy { $0 == "/x" })
      #expect(!PrivacyTests.texts(request).contains("SECRET"))
    }
  }

  static let userInfos = [
    "https://user:SECRET@h.example/", "https://SECRET@h.example/", "https://:SECRET@h.example/",
    "https://SECRET:@h.example/",
    "https://SECRET%40x:y@h.example/", "https://a@SECRET@h.example/", "http://SECRET@[::1]/",
    "https://SECRET@h.example:99999/",
  ]

  @Test("PR-05: User info in a URL is refused and never printed, and is not the host", arguments: userInfos)
  func userInfo(text: String) async throws {
    guard let url = URL(string: text) else { return }
    var based = Rig()
    based.base = text
    for (rig, request) in [
      (Rig(), HTTPRequest.get(url)), (based, .get("/x")), (Rig(), .post(url).keyed("k")),
    ] {
      let error = try #require(await rig.failure(request))
      #expect(error.refusal != nil && error.attempts == 0 && rig.transport.requests.isEmpty)
      #expect(!shown(error, rig).contains("SECRET"))
      #expect(
        !PrivacyTests.texts(rig.api).contains("SECRET") && !PrivacyTests.texts(request).contains("SECRET"))
    }
    let response = HTTPResponse(status: 200, url: url)
    #expect(!PrivacyTests.texts(response).contains("SECRET"))
  }

  @Test(
    "PR-05: A URL with user info that is given as a path does not print it",
    arguments: [
      "https://u:SECRET@h/x", "u:SECRET@h", "//SECRET@h/", "/x@SECRET", "https://u:SECRET@\u{301}h/x",
    ])
  func userInfoAsPath(text: String) async throws {
    #expect(!PrivacyTests.texts(HTTPRequest.get(text)).contains("SECRET"))
    guard text.contains("://") else { return }
    let rig = Rig()
    let error = await rig.failure(.get(text))
    #expect(error?.refusal != nil && !shown(error, rig).contains("SECRET"))
  }

  @Test(
    "PR-06: The error of an authorised keyed call carries nothing of the request, and of the answer only its value",
    arguments: [400, 403, 409, 422, 500, 503])
  func error(status: Int) async throws {
    let rig = Rig.carryingSecrets()
    let step = ScriptedTransport.Step.bytes(
      Array("SECRET".utf8), status: status,
      headers: ["X-A": "SECRET", "WWW-Authenticate": "SECRET", "Location": "/SECRET"])
    rig.transport.on(.post("/x"), respond: [step])
    let request = HTTPRequest.post("/x", json: ["card": "SECRET"]).header("X-Tag", "SECRET")
    let error = try #require(await rig.failure(request, key: "SECRET"))
    #expect(error.status == status && !shown(error, rig).contains("SECRET"))
    for other: Any in [error.call, [error], Optional(error) as Any, Result<Int, HTTPError>.failure(error)] {
      #expect(!PrivacyTests.texts(other).contains("SECRET"))
    }
    #expect(!PrivacyTests.texts(error as NSError).contains("SECRET"))
    guard case .status(_, "SECRET", _, _) = error else {
      return #expect(Bool(false), "the program can look at it")
    }
  }

  @Test(
    "PR-08: A path is public, in events and texts; a fragment is nowhere, and is not sent",
    arguments: [
      "/reset/TOKEN#SECRET", "/reset/TOKEN#", "/reset/TOKEN#\u{301}SECRET", "/reset/TOKEN#a?SECRET",
      "/reset/TOKEN#\u{20E3}SECRET",
    ])
  func path(path: String) async throws {
    for step in [ScriptedTransport.Step.status(404), .redirect(302, to: "/reset/TOKEN#SECRET")] {
      let rig = Rig()
      rig.transport.on(.get("/reset/TOKEN"), respond: [step, .status(404)])
      let request = HTTPRequest.get(path)
      let error = try #require(await rig.failure(request))
      #expect(!(shown(error, rig) + PrivacyTests.texts(request)).contains("SECRET"))
      #expect(rig.events.events(named: "http.failed").map { $0["path"] } == ["/reset/TOKEN"])
      #expect(
        !rig.events.events.flatMap(\.fields).contains {
          $0.value.contains("#") || $0.value.contains("SECRET")
        })
      #expect(
        rig.transport.requests.allSatisfy { $0.url.absoluteString == "https://api.example.com/reset/TOKEN" })
    }
  }
}
