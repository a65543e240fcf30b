import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Privacy")
struct PrivacyTests {
  /// Every text that Swift makes of a value.
  static func texts(_ value: some Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return
      "\(value) \(String(reflecting: value)) \(dumped) \((value as? any Error)?.localizedDescription ?? "")"
  }

  static let steps: [ScriptedTransport.Step] = [
    .status(404), .status(503), .json(#"{"a":"SECRET"}"#, status: 403),
    .bytes(Array("SECRET".utf8), status: 500),
    .failure(.badServerResponse), .failure(.unknown), .hang, .oversized(.max), .json(#"{"a":"SECRET"}"#),
  ]

  @Test(
    "No text of an error and no public field of an event shows a query, a body, a key or a credential",
    arguments: steps)
  func errors(step: ScriptedTransport.Step) async throws {
    var rig = Rig()
    rig.headers = ["Authorization": "Bearer SECRET"]
    let path = "/x?api_key=SECRET"
    rig.transport.on(.post("/x"), respond: [step])
    let request = HTTPRequest.post(path, json: ["a": "SECRET"]).header("X-API-Key", "SECRET").header(
      "Cookie", "SECRET")
    let error = await rig.failure { _ = try await $0.send(request, decoding: .int, idempotencyKey: "SECRET") }
    let failure = try #require(error as? HTTPError)
    #expect(!Self.texts(failure).contains("SECRET"))
    let fields = rig.events.events.flatMap(\.fields)
    #expect(
      fields.contains { $0.isPrivate && $0.value.contains("SECRET") },
      "the query is there, as a private field")
    #expect(!fields.contains { !$0.isPrivate && $0.value.contains("SECRET") })
    #expect(!rig.events.events.contains { $0.description.contains("SECRET") })
  }

  @Test(
    "The excerpt is in the error's value for the program, bounded and cut at a character",
    arguments: [
      (Array("teapot".utf8), "teapot"),
      (Array(repeating: UInt8(ascii: "x"), count: 5_000), String(repeating: "x", count: 1_024)),
      (Array(String(repeating: "é", count: 600).utf8), String(repeating: "é", count: 512)),
      (Array((String(repeating: "x", count: 1_022) + "👨‍👩‍👧‍👦").utf8), String(repeating: "x", count: 1_022)),
      ([0x61, 0xFF, 0x62], "a"), ([], ""), ([0xFF], ""),
    ] as [([UInt8], String)])
  func excerpt(body: [UInt8], expected: String) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.bytes(body, status: 418)])
    guard case .status(418, let excerpt, _, _)? = await rig.failure(.get("/x")) else {
      return #expect(Bool(false))
    }
    #expect(excerpt == expected)
  }

  @Test("Only harmless field values print")
  func headers() {
    let headers: HTTPHeaders = [
      "Authorization": "SECRET", "Cookie": "SECRET", "Set-Cookie": "SECRET", "X-API-Key": "SECRET",
      "Idempotency-Key": "SECRET", "X-Anything-New": "SECRET", "Location": "SECRET", "content-type": "a/b",
    ]
    #expect(!Self.texts(headers).contains("SECRET"))
    #expect(!Self.texts(headers.first).contains("SECRET"))
    #expect(headers.description.contains("content-type: a/b"))
    #expect(headers.description.contains("Authorization: <redacted>"))
  }

  @Test("Requests, responses, clients and transports print no query, body, field value or user info")
  func messages() async throws {
    let request = HTTPRequest.post("/x?k=SECRET#SECRET", body: Array("SECRET".utf8), contentType: "a/b")
      .header("X-API-Key", "SECRET").keyed("SECRET")
    #expect(!Self.texts(request).contains("SECRET"))
    #expect(request.description == "POST /x")
    let url = makeURL("https://SECRET:SECRET@h/p?SECRET#SECRET")
    #expect(HTTPRequest.get(url).description == "GET https://h/p")
    #expect(!Self.texts(HTTPRequest.get("https://u:SECRET@h/x")).contains("SECRET"))
    #expect(!Self.texts(HTTPRequest.Target.path("/x?SECRET#SECRET")).contains("SECRET"))
    #expect(!Self.texts(HTTPRequest.Target.url(url)).contains("SECRET"))
    #expect(!Self.texts([HTTPRequest.QueryItem("SECRET", "SECRET")]).contains("SECRET"))
    #expect(!Self.texts([HTTPRequest.Body.json("SECRET"), .bytes(Array("SECRET".utf8))]).contains("SECRET"))
    let response = HTTPResponse(status: 200, headers: ["X": "SECRET"], body: Array("SECRET".utf8), url: url)
    #expect(!Self.texts(response).contains("SECRET"))
    let sent = TransportRequest(method: .get, url: url, headers: ["X": "SECRET"], body: Array("SECRET".utf8))
    #expect(!Self.texts(sent).contains("SECRET"))
    let client = HTTPClient(base: url, transport: ScriptedTransport(), headers: ["Authorization": "SECRET"])
    #expect(!Self.texts(client).contains("SECRET"))
  }

  @Test("An error says what happened, what was tried and whether the server may have acted")
  func wording() async throws {
    let rig = Rig()
    rig.transport.on(
      .put("/x"), respond: [.status(503, headers: ["Retry-After": "1"]), .failure(.networkConnectionLost)])
    let error = try #require(await rig.failure(.put("/x")))
    #expect(
      error.description
        == "connection lost (-1005) (3 attempts in 1.4s: status_503, 1s later transport_-1005, "
        + "0.4s later transport_-1005); the server may have acted on it")
    #expect(error.localizedDescription == error.description)
    rig.transport.on(.get("/x"), respond: [.failure(.networkConnectionLost)])
    #expect(
      await rig.failure(.get("/x"))?.description.contains("may have acted") == false,
      "a GET asks for no change")
    var policy = Rig.pinned
    policy.retry = RetrySchedule(maxAttempts: 100, base: .zero)
    policy.breaker = nil
    policy.budget = nil
    let patient = HTTPClient(base: makeURL("https://h"), transport: rig.transport, policy: policy)
    rig.transport.on(.get("/x"), respond: [.status(503)])
    let long = await #expect(throws: HTTPError.self) { try await patient.send(.get("/x")) }
    #expect(long?.attempts == 100 && (long?.description.count ?? 0) < 200, "a line stays a line")
    rig.transport.on(.post("/x"), respond: [.status(404)])
    #expect(
      await rig.failure(.post("/x"))?.description.contains("may have acted") == false, "a 404 is an answer")
  }
}
