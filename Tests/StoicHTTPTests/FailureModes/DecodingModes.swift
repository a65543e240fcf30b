import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Failure mode 21: bodies that do not fit")
struct DecodingModes {
  struct User: Equatable, Sendable {
    let id: Int
    let name: String
    let tags: [String]
    let nick: String?

    static let schema: Schema<User> = .object(
      User.init, .field("id", \.id, .int), .field("name", \.name, .string),
      .field("tags", \.tags, .array(.string)),
      .optional("nick", \.nick, .string))
  }

  @Test("A body that fits becomes a value, and the request says what it accepts")
  func fits() async throws {
    let rig = Rig()
    rig.transport.on(.get("/users/42"), respond: [.json(#"{"id":42,"name":"Ann","tags":["a"],"more":1}"#)])
    let user = try await rig.run { try await $0.send(.get("/users/42"), decoding: User.schema) }
    #expect(user == User(id: 42, name: "Ann", tags: ["a"], nick: nil))
    #expect(rig.transport.requests.first?.headers.values(for: "Accept") == ["application/json"])
  }

  @Test("The caller's own Accept stays the only one, whatever its case")
  func accept() async throws {
    let rig = Rig()
    rig.transport.on(.get("/n"), respond: [.json("1")])
    _ = try await rig.run {
      try await $0.send(.get("/n").header("accept", "application/vnd.x+json"), decoding: .int)
    }
    #expect(rig.transport.requests.first?.headers.values(for: "Accept") == ["application/vnd.x+json"])
  }

  @Test("The client's own Accept stays as well")
  func clientsAccept() async throws {
    var rig = Rig()
    rig.headers = ["accept": "application/vnd.acme+json"]
    rig.transport.on(.get("/n"), respond: [.json("1")])
    _ = try await rig.run { try await $0.send(.get("/n"), decoding: .int) }
    #expect(rig.transport.requests.first?.headers.values(for: "Accept") == ["application/vnd.acme+json"])
  }

  @Test("Mode 21: a body that does not fit is asked for once and reported with every issue and its path")
  func mode21() async throws {
    let rig = Rig()
    rig.transport.on(
      .get("/users"), respond: [.json(#"[{"id":"SECRET","tags":[1]},{"id":null,"name":"b","tags":[]}]"#)])
    let error = await rig.failure { _ = try await $0.send(.get("/users"), decoding: .array(User.schema)) }
    guard case .decoding(let failure, let call)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(failure.issues.map(\.path.description) == ["$[0].name", "$[0].id", "$[0].tags[0]", "$[1].id"])
    #expect(call.attempts == 1 && rig.elapsed == .zero)
    #expect(!"\(failure) \(String(describing: error))".contains("SECRET"))
    #expect(rig.events.events.map(\.name) == ["http.request", "http.decoding_failed", "http.failed"])
    #expect(rig.events.events(named: "http.decoding_failed").first?["errors"] == "4")
  }

  @Test(
    "Mode 21: a body that is no JSON, or none at all, does not fit either",
    arguments: ["", "{", "nope", "{}{}"])
  func noJSON(body: String) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.json(body)])
    let error = await rig.failure { _ = try await $0.send(.get("/x"), decoding: User.schema) }
    guard case .decoding(let failure, let call)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(failure.issues.map(\.code) == [.syntax] && call.attempts == 1)
  }

  @Test(
    "A page of another media type is named as such, before anything is parsed",
    arguments: [
      ("text/html", "text/html"), ("Text/HTML; charset=utf-8", "text/html"), ("text/plain", "text/plain"),
      (String(repeating: "x", count: 500), "another type"), ("a\u{7}b/c", "another type"),
      ("+json", "+json"), ("/+json", "/+json"), ("a/b/c+json", "a/b/c+json"), ("json", "json"),
    ])
  func mediaType(type: String, shown: String) async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.bytes(Array("1".utf8), headers: ["Content-Type": type])])
    let error = await rig.failure { _ = try await $0.send(.get("/x"), decoding: .int) }
    guard case .decoding(let failure, _)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(failure.issues.map(\.code) == [.mediaType])
    #expect(failure.issues.first?.message.contains("is \(shown);") == true)
  }

  @Test(
    "JSON by any of its names is parsed, and so is a body without a type",
    arguments: [
      "application/json", "Application/JSON; charset=UTF-8", "application/problem+json",
      "application/vnd.x+json",
      nil,
    ])
  func jsonTypes(type: String?) async throws {
    let rig = Rig()
    let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
    rig.transport.on(.get("/x"), respond: [.bytes(Array("7".utf8), headers: headers)])
    #expect(try await rig.run { try await $0.send(.get("/x"), decoding: .int) } == 7)
  }

  @Test(
    "The policy's media types, and the one that is asked for, are read as JSON besides, without regard to case"
  )
  func moreTypes() async throws {
    var rig = Rig()
    rig.policy.jsonTypes = ["Text/X-JSON", "application/vnd.acme; version=2"]
    for (type, expecting) in [
      ("text/x-json", "application/json"), ("application/vnd.ACME; q=1", "application/json"),
      ("text/plain; charset=utf-8", "Text/Plain"), ("application/json", "text/plain"),
    ] {
      rig.transport.on(.get("/x"), respond: [.bytes(Array("7".utf8), headers: ["Content-Type": type])])
      let value = try await rig.run { try await $0.send(.get("/x"), decoding: .int, expecting: expecting) }
      #expect(value == 7)
      #expect(rig.transport.requests.last?.headers.values(for: "Accept") == [expecting])
    }
    rig.transport.on(.get("/x"), respond: [.bytes(Array("7".utf8), headers: ["Content-Type": "text/html"])])
    let error = await rig.failure {
      _ = try await $0.send(.get("/x"), decoding: .int, expecting: "text/plain")
    }
    guard case .decoding(let failure, _)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(failure.issues.map(\.code) == [.mediaType])
  }

  @Test(
    "A type that is told twice is one type; two that differ are none that can be trusted; an empty one is none"
  )
  func repeatedTypes() async throws {
    let rig = Rig()
    let body = Array("7".utf8)
    for headers in [
      ["Content-Type": "application/json", "content-type": "Application/JSON"], ["Content-Type": ""],
      ["Content-Type": " ; charset=utf-8"],
    ] as [HTTPHeaders] {
      rig.transport.on(.get("/x"), respond: [.bytes(body, headers: headers)])
      #expect(try await rig.run { try await $0.send(.get("/x"), decoding: .int) } == 7)
    }
    rig.transport.on(
      .get("/x"),
      respond: [.bytes(body, headers: ["Content-Type": "application/json", "content-type": "text/html"])])
    let error = await rig.failure { _ = try await $0.send(.get("/x"), decoding: .int) }
    guard case .decoding(let failure, _)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(failure.issues.first?.message.contains("is of several types") == true)
  }

  @Test(
    "ST-01: A response without a body fits a schema that allows null, and no other", arguments: [204, 205])
  func noBody(status: Int) async throws {
    let rig = Rig()
    rig.transport.on(.delete("/x"), respond: [.status(status)])
    let nothing = try await rig.run { try await $0.send(.delete("/x"), decoding: .optional(User.schema)) }
    #expect(nothing == nil)
    try await rig.run { try await $0.send(.delete("/x")) }
    let error = await rig.failure { _ = try await $0.send(.delete("/x"), decoding: User.schema) }
    guard case .decoding(let failure, let call)? = error as? HTTPError else { return #expect(Bool(false)) }
    #expect(call.attempts == 1 && failure.issues.map(\.code) == [.missing])
    #expect(failure.issues.first?.message.contains("\(status) without a body") == true)
  }

  @Test("The answer to a HEAD has no body to decode, whatever its type says")
  func head() async throws {
    let rig = Rig()
    rig.transport.on(.head("/x"), respond: [.status(200, headers: ["Content-Type": "text/html"])])
    #expect(try await rig.run { try await $0.send(.head("/x"), decoding: .optional(.int)) } == nil)
  }

  @Test("Bytes that a transport gives to a response without a body do not reach the caller")
  func bodyOfNothing() async throws {
    struct Generous: HTTPTransport {
      let status: Int

      func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
        HTTPResponse(
          status: status, headers: ["X-Tag": "v"], body: [1, 2, 3], url: request.url, isTruncated: true)
      }
    }
    for (status, request) in [(204, HTTPRequest.get("/x")), (205, .get("/x")), (200, .head("/x"))] {
      let api = HTTPClient(base: makeURL("https://h"), transport: Generous(status: status))
      let response = try await withClock(TestClock()) { try await api.send(request) }
      #expect(response.status == status && response.body.isEmpty && !response.isTruncated)
      #expect(response.headers["X-Tag"] == "v" && response.url.path() == "/x")
    }
  }

  @Test("A repaired body is a success")
  func repaired() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.json("\u{FEFF}7")])
    #expect(try await rig.run { try await $0.send(.get("/x"), decoding: .int) } == 7)
  }

  @Test("A retried call is decoded once, and its error counts the attempts before")
  func afterRetry() async throws {
    let rig = Rig()
    rig.transport.on(.get("/x"), respond: [.status(503), .json("[]")])
    let error = await rig.failure { _ = try await $0.send(.get("/x"), decoding: .int) }
    #expect((error as? HTTPError)?.attempts == 2)
  }
}
