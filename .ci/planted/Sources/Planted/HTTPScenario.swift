import Foundation
import Stoic
import StoicHTTP
import StoicTesting

/// Six callers of a client whose server is well, busy, down or silent.
@Sendable func httpScenario() async throws {
  guard let base = URL(string: "https://h") else { throw Wrong(description: "no base") }
  let transport = ScriptedTransport()
  let sent = Shared<[String: [Duration]]>([:])
  let start = Ambient.clock.now
  transport.on(
    .any,
    respond: [
      .computed { request in
        let path = request.url.path()
        sent.change { $0[path, default: []].append(start.duration(to: Ambient.clock.now)) }
        return switch pick(below: 5) {
        case 0: .bytes(Array(path.utf8)).after(.milliseconds(pick(below: 3) * 100))
        case 1: .status(503, headers: ["Retry-After": "2"])
        case 2: .failure(.networkConnectionLost)
        case 3: .hang
        default: .status(404)
        }
      }
    ])
  var policy = HTTPPolicy.standard
  policy.attemptTimeout = .seconds(1)
  policy.maxConcurrentPerHost = 2
  policy.breaker = nil
  let api = HTTPClient(base: base, transport: transport, policy: policy)
  _ = try await crowd(6) { number in
    let path = number < 3 ? "/shared/\(number % 2)" : "/\(number)"
    let request: HTTPRequest = number < 3 ? .get(path) : .post(path, json: ["n": 1])
    do {
      let response = try await api.send(request, idempotencyKey: number >= 4 ? "key-\(number)" : nil)
      try check(response.body == Array(path.utf8), "\(path) gets the answer of another request")
    } catch let error as HTTPError {
      if case .rejected(let rejection, _) = error { throw rejection }
      throw Fault()
    }
  }
  try check(transport.inFlight == 0, "\(transport.inFlight) requests are under way at the end")
  try check(
    (sent.value["/3"] ?? []).count <= 1,
    "a POST without a key is sent \((sent.value["/3"] ?? []).count) times")
  for number in 3..<6 {
    let requests = transport.requests.filter { $0.url.path() == "/\(number)" }
    try check(requests.count <= 3, "\(requests.count) attempts are made, of 3 allowed")
    let keys = requests.map { $0.headers["Idempotency-Key"] ?? "none" }
    try check(Set(keys).count <= 1, "the key changes between attempts: \(keys)")
  }
}

/// A call whose first answer asks for a wait.
@Sendable func retryAfterScenario() async throws {
  guard let base = URL(string: "https://h") else { throw Wrong(description: "no base") }
  let transport = ScriptedTransport()
  transport.on(
    .get("/x"), respond: [.status(503, headers: ["Retry-After": "2"]), .status(200)])
  let api = HTTPClient(base: base, transport: transport)
  let start = Ambient.clock.now
  try await api.send(.get("/x"))
  let waited = start.duration(to: Ambient.clock.now)
  try check(waited >= .seconds(2), "the next attempt comes after \(waited), the server asked for 2 s")
}

/// A client and a store of the caller's own, whose faults come from one mix and stop together.
@Sendable func sharedFaultsScenario() async throws {
  guard let base = URL(string: "https://h") else { throw Wrong(description: "no base") }
  let faults = Faults(failure: 0.3, hang: 0.1, delay: .zero ... .seconds(1))
  let transport = ScriptedTransport()
  transport.on(
    .any,
    respond: [
      .computed { _ in
        try await faults.meet(TransportError(code: .networkConnectionLost, mayHaveActed: true))
        return .status(200)
      }
    ])
  let api = HTTPClient(base: base, transport: transport)
  let call: @Sendable (Int) async throws -> Void = { number in
    try await withDeadline(.seconds(20)) {
      do { try await api.send(.get("/\(number % 2)")) } catch let error as HTTPError {
        if case .rejected(let rejection, _) = error { throw rejection }
        throw Fault()
      }
      try await faults.meet(Fault())
    }
  }
  _ = try await crowd(5, call)
  faults.stop()
  // Longer than a breaker stays open, and than any window.
  try await Ambient.sleep(for: .seconds(200))
  for number in 0..<4 {
    let end = await ending { try await call(number) }
    try check(end == "value", "after the faults have stopped a call ends as \(end)")
  }
  try check(transport.inFlight == 0, "\(transport.inFlight) requests are under way at the end")
}

/// Seventeen callers of one client, as `StoicHTTPTests` has them, with the promises that are soonest checked.
@Sendable func crowdScenario() async throws {
  let crowd = Crowd()
  let results = await crowd.run()
  for (plan, result) in zip(crowd.plans, results) {
    let sent = crowd.sent(to: plan.path)
    if !plan.path.hasPrefix("/shared") {
      let isOnce = Crowd.once.contains(plan.request.method) && plan.key == nil
      try check(sent.count <= (isOnce ? 1 : 3), "\(plan.path) is sent \(sent.count) times")
      try check(
        sent.allSatisfy { $0.headers["Idempotency-Key"] == plan.key },
        "the key of \(plan.path) changes between attempts")
    }
    if case .success(let response) = result {
      try check(response.body == Array(plan.path.utf8), "\(plan.path) gets the answer of another request")
    }
  }
  try check(crowd.transport.maxInFlight <= 3, "\(crowd.transport.maxInFlight) requests are under way at once")
  try check(crowd.watch.mostAtOnce <= 1, "\(crowd.watch.mostAtOnce) identical GETs are under way at once")
  try check(
    crowd.transport.inFlight == 0 && crowd.api.flights == 0, "requests or flights are under way at the end")
  try check(
    crowd.budget.available == crowd.owed, "the budget holds \(crowd.budget.available), and owes \(crowd.owed)"
  )
}

func makeURL(_ text: String) -> URL {
  guard let url = URL(string: text) else { preconditionFailure("a scenario's URL is none: \(text)") }
  return url
}
