import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Idempotency keys")
struct KeyModes {
  private func sent(_ key: String, quoted: Bool, on request: HTTPRequest = .post("/x")) async -> (
    String?, HTTPError?
  ) {
    var rig = Rig()
    rig.policy.keyFormat = quoted ? .quoted : .bare
    rig.transport.on(.post("/x"), respond: [.status(503), .status(201)])
    let error = await rig.failure(request, key: key)
    let keys = Set(rig.transport.requests.map { $0.headers.values(for: "Idempotency-Key") })
    #expect(keys.count <= 1 && rig.transport.requests.count == (error == nil ? 2 : 0))
    return (keys.first?.first, error)
  }

  @Test(
    "ID-07: A key is sent as it is, or as a quoted string where the policy says so",
    arguments: [
      ("8e03978e", #""8e03978e""#), ("a b", #""a b""#), ("100%25", #""100%25""#),
      (#"say "hi""#, #""say \"hi\"""#),
      (#"back\slash"#, #""back\\slash""#), (#""quoted""#, #""\"quoted\"""#), ("a,b;c", #""a,b;c""#),
    ])
  func formats(key: String, quoted: String) async {
    #expect(await sent(key, quoted: false).0 == key)
    #expect(await sent(key, quoted: true).0 == quoted)
  }

  @Test(
    "A key that cannot be quoted is refused and not shown", arguments: ["ключ", "é", "a\tb", "k\u{1F511}"])
  func unquotable(key: String) async {
    let (value, error) = await sent(key, quoted: true)
    #expect(value == nil && error?.refusal != nil && "\(error as Any)".contains(key) == false)
  }

  @Test("A blank key is refused in either format", arguments: ["", " ", "\u{200B}", "\t"])
  func blank(key: String) async {
    for quoted in [false, true] {
      let (value, error) = await sent(key, quoted: quoted)
      #expect(value == nil && error?.refusal == "the idempotency key is blank, and would protect nothing")
    }
  }

  @Test("The key of a request is quoted as an argument is; a field that it sets itself is not")
  func sources() async throws {
    var rig = Rig()
    rig.policy.keyFormat = .quoted
    rig.transport.on(.post("/x"), respond: [.status(201)])
    try await rig.run { try await $0.send(.post("/x").keyed("k")) }
    try await rig.run { try await $0.send(.post("/x").header("idempotency-key", "k")) }
    #expect(rig.transport.requests.map { $0.headers["Idempotency-Key"] } == [#""k""#, "k"])
  }

  @Test(
    "ID-03: A keyed 409 is final, or repeated after an attempt that may have acted where the policy says so",
    arguments: [
      (false, [.hang, .status(409, headers: ["Retry-After": "1"]), .status(201)], nil, [409, 2]),
      (true, [.hang, .status(409, headers: ["Retry-After": "1"]), .status(201)], nil, [201, 3]),
      (true, [.failure(.networkConnectionLost), .status(409), .status(201)], nil, [201, 3]),
      // The first attempt never reached the server, so the conflict is with somebody else's.
      (true, [.failure(.cannotConnectToHost), .status(409), .status(201)], nil, [409, 2]),
      (true, [.status(409), .status(201)], nil, [409, 1]),
      // Without a key nothing tells the server that it is the same request.
      (true, [.hang, .status(409), .status(201)], .put("/x", json: 1), [409, 2]),
    ] as [(Bool, [ScriptedTransport.Step], HTTPRequest?, [Int])])
  func conflicts(
    repeats: Bool, steps: [ScriptedTransport.Step], request: HTTPRequest?, expected: [Int]
  ) async throws {
    var rig = Rig()
    rig.policy.retryKeyedConflict = repeats
    let request = request ?? .post("/x", json: 1).keyed("k")
    rig.transport.on(request, respond: steps)
    do {
      let response = try await rig.run { try await $0.send(request) }
      #expect(response.status == expected[0])
    } catch let error as HTTPError {
      #expect(error.status == expected[0] && error.attempts == expected[1])
    }
    #expect(rig.transport.requests.count == expected[1])
  }

  @Test("However many attempts a call makes, it counts all of them and keeps the first and the last")
  func longHistory() async throws {
    var rig = Rig()
    rig.policy.retry.maxAttempts = 200
    rig.policy.retry.cap = .milliseconds(1)
    rig.policy.budget = nil
    rig.policy.breaker = nil
    rig.transport.on(
      .get("/x"),
      respond: [.failure(.networkConnectionLost)] + Array(repeating: .status(503), count: 198) + [
        .status(502)
      ])
    let error = await rig.failure(.get("/x"))
    let call = try #require(error?.call)
    #expect(call.attempts == 200 && call.history.count == 64)
    #expect(call.history.first?.outcome == "transport_-1005" && call.history.last?.outcome == "status_502")
    #expect(call.mayHaveActed && call.mayHaveActedBefore)
  }
}
