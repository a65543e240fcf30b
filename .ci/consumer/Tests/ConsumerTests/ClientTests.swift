import Foundation
import MainActorApp
import Promised
import StoicHTTP
import StoicTesting
import Testing

@Suite("A user's client")
struct ClientTests {
  private let transport = ScriptedTransport()

  private var api: HTTPClient {
    get throws {
      var policy = HTTPPolicy.standard
      policy.retry.jitter = .none
      let base = try #require(URL(string: "https://api.example.com/v1"))
      return HTTPClient(base: base, transport: transport, policy: policy, label: "api")
    }
  }

  @Test("Two 503 are waited out in virtual time, and the third answer is decoded")
  func retries() async throws {
    transport.on(
      .get("/v1/users/42"),
      respond: [
        .status(503), .status(503), .json(#"{"id": 42, "name": "Ada", "tags": ["a"], "nick": null}"#),
      ])
    let clock = TestClock()
    let api = try api
    let call = Task {
      try await withClock(clock) { try await api.send(.get("/users/42"), decoding: User.schema) }
    }
    for wait in [200, 400] {
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(wait))
    }
    let user = try await call.value
    #expect(user.id == 42 && user.name == "Ada" && user.tags == ["a"] && user.nick == nil)
    #expect(transport.requests.map { $0.url.path() } == Array(repeating: "/v1/users/42", count: 3))
    #expect(clock.now.offset == .milliseconds(600))
  }

  @Test("A keyed POST is repeated with its key, an unkeyed one is not repeated")
  func posts() async throws {
    transport.on(.post("/v1/orders"), respond: [.failure(.networkConnectionLost)], then: .status(201))
    let api = try api
    let error = await #expect(throws: HTTPError.self) {
      try await api.send(.post("/orders", json: ["sku": "A-1"]))
    }
    #expect(error.map(namesEveryFailure) == "\(URLError.Code.networkConnectionLost.rawValue)")
    #expect(error?.attempts == 1 && error?.call.mayHaveActed == true)

    transport.on(.post("/v1/orders"), respond: [.failure(.networkConnectionLost)], then: .status(201))
    let clock = TestClock()
    let call = Task {
      try await withClock(clock) {
        try await api.send(.post("/orders", json: ["sku": "A-1"]), idempotencyKey: "k-1")
      }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .milliseconds(200))
    #expect(try await call.value.status == 201)
    #expect(transport.requests.map { $0.headers["Idempotency-Key"] } == [nil, "k-1", "k-1"])
  }

  @Test("A transport of one's own answers")
  func ownTransport() async throws {
    let base = try #require(URL(string: "https://api.example.com"))
    let response = try await makesAClient(url: base, transport: Echo())
      .send(.put("/x", body: Array("!".utf8), contentType: "text/plain"))
    #expect(response.text == "PUT /x!")
    #expect(response.mediaType == "text/plain")
  }

  @Test("A body that does not fit says where, and no text of the error shows it")
  func decoding() async throws {
    transport.on(.get("/v1/users/42"), respond: [.json(#"{"id": 42, "name": "s3cret", "tags": [7]}"#)])
    let api = try api
    let error = await #expect(throws: HTTPError.self) {
      try await api.send(.get("/users/42", query: ["token": "s3cret"]), decoding: User.schema)
    }
    guard case .decoding(let failure, _) = error else {
      Issue.record("not a decoding failure: \(String(describing: error))")
      return
    }
    #expect(failure.issues.map(\.path.description) == ["$.tags[0]"])
    var dumped = ""
    dump(error, to: &dumped)
    let texts = [dumped, "\(failure)", String(reflecting: error), error?.localizedDescription ?? ""]
    #expect(texts.allSatisfy { !$0.contains("s3cret") })
  }

  @Test("Code on the main actor keeps its state there")
  @MainActor
  func mainActor() async throws {
    transport.on(.get("/v1/account"), respond: [.json(#"{"id": 1, "balance": 2.5}"#)])
    let screen = Screen(api: try api)
    try await screen.load()
    #expect(screen.balance == 2.5)
    #expect(screen.attempts == 2)
  }
}
