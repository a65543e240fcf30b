import Foundation
import StoicHTTP
import StoicTesting
import Testing

/// Seventeen callers of one client at once, whose server, cancellations and deadlines are the run's choices.
struct Crowd: Sendable {
  static let size = 17

  /// What a caller does.
  struct Plan: Sendable {
    let number: Int
    let path: String
    let request: HTTPRequest
    let key: String?
    let deadline: Duration?
    let arrival: Duration
    let cancelledAfter: Duration?
  }

  /// The kinds of calls that may not be repeated without a key.
  static let once: Set<HTTPMethod> = [.post, .patch]

  let transport = ScriptedTransport()
  let watch: FlightWatch
  let events = EventRecorder()
  let budget: RetryBudget
  let policy: HTTPPolicy
  let api: HTTPClient
  let plans: [Plan]

  /// - Parameter change: what is different from a client whose limits are off.
  init(_ change: (inout HTTPPolicy) -> Void = { _ in }) {
    // Over all of a run, so that a token that nobody gives back is missing at its end.
    budget = RetryBudget(ratio: 0.2, minimumRetries: 6, window: .seconds(3_600))
    var policy = HTTPPolicy.standard
    policy.budget = budget
    policy.breaker?.minimumCalls = 4
    policy.maxConcurrentPerHost = 3
    policy.queueLimitPerHost = 8
    change(&policy)
    self.policy = policy
    watch = FlightWatch(around: transport)
    api = HTTPClient(base: makeURL("https://h"), transport: watch, policy: policy, label: "api")
    plans = (0..<Self.size).map(Self.plan)
    // Each exchange is answered as the run chooses when it arrives.
    let tellsQuota = policy.quota != nil
    transport.on(.any, respond: [.computed { Self.answer(to: $0, tellsQuota: tellsQuota) }])
    transport.on(.init(path: "/after"), respond: [.status(200)])
  }

  private static func plan(_ number: Int) -> Plan {
    let (path, request): (String, HTTPRequest)
    switch number % 6 {
    // Nine callers ask for two things.
    case 0, 1, 2:
      path = "/shared/\(number % 2)"
      request = .get(path)
    case 3:
      path = "/once/\(number)"
      request = number % 2 == 0 ? .post(path, json: ["n": 1]) : .patch(path, json: ["n": 1])
    case 4:
      path = "/keyed/\(number)"
      request = .post(path, json: ["n": JSON(number)])
    default:
      path = "/again/\(number)"
      request = number % 4 == 1 ? .put(path, json: ["n": 1]) : .delete(path)
    }
    return Plan(
      number: number, path: path, request: request, key: number % 6 == 4 ? "key-\(number)" : nil,
      deadline: chance(of: 3) ? .milliseconds(Int64(draw(12_000))) : nil,
      arrival: .milliseconds(Int64(draw(4) * 300)),
      cancelledAfter: chance(of: 5) ? .milliseconds(Int64(draw(9_000))) : nil)
  }

  private static func draw(_ bound: UInt64) -> UInt64 { Ambient.random.next() % bound }

  private static func chance(of one: UInt64) -> Bool { draw(one) == one - 1 }

  /// The answer to an exchange; a body is the path, so that nobody can take another's for its own.
  private static func answer(to request: TransportRequest, tellsQuota: Bool) -> ScriptedTransport.Step {
    let isQuotaTold = tellsQuota && chance(of: 3)
    let headers: HTTPHeaders = isQuotaTold ? ["RateLimit": "\"q\";r=\(draw(3));t=\(1 + draw(3))"] : [:]
    let body = ScriptedTransport.Step.bytes(Array(request.url.path().utf8), headers: headers)
    return switch draw(16) {
    case 0...5: body.after(.milliseconds(Int64(draw(2_000))))
    case 6...7: body
    case 8...10: .status(503).after(.milliseconds(Int64(draw(400))))
    case 11: .status(429, headers: ["Retry-After": "2"])
    case 12: .failure(.networkConnectionLost)
    case 13: .hang
    case 14: .status(404)
    default: .status(500)
    }
  }

  /// Runs all callers to their ends; how each ended.
  func run() async -> [Result<HTTPResponse, any Error>] {
    await withTaskGroup(of: (Int, Result<HTTPResponse, any Error>).self) { group in
      for plan in plans { group.addTask(name: "caller \(plan.number)") { (plan.number, await call(plan)) } }
      var results = [Result<HTTPResponse, any Error>](
        repeating: .failure(CancellationError()), count: Self.size)
      for await (number, result) in group { results[number] = result }
      return results
    }
  }

  private func call(_ plan: Plan) async -> Result<HTTPResponse, any Error> {
    try? await Ambient.sleep(for: plan.arrival)
    let call = Ambient.task(name: "call \(plan.number)") {
      try await withEvents(events) {
        guard let deadline = plan.deadline else {
          return try await api.send(plan.request, idempotencyKey: plan.key)
        }
        return try await withDeadline(deadline) { try await api.send(plan.request, idempotencyKey: plan.key) }
      }
    }
    if let time = plan.cancelledAfter {
      try? await Ambient.sleep(for: time)
      call.cancel()
    }
    return await call.result
  }
}

extension Crowd {
  /// The attempts that were made, by their events.
  var attempts: [Event] { events.events(named: "http.request") }

  /// What the budget has to have left: each success pays in once, and each retry that reached the transport has cost one.
  var owed: Int {
    let successes = attempts.count { $0["outcome"]?.hasPrefix("status_2") == true }
    return 6 + successes / 5 - attempts.count { $0["attempt"] != "1" }
  }

  /// The requests that reached the transport for a path.
  func sent(to path: String) -> [TransportRequest] {
    transport.requests.filter { $0.url.path() == path }
  }
}

/// A transport around another that counts which GETs are under way at the same time; one whose caller has cancelled it is
/// not, though it may not have ended yet.
final class FlightWatch: HTTPTransport {
  private struct State {
    var alive: [String: Set<Int>] = [:]
    var next = 0
    var most = 0
    var arrivals: [AmbientClock.Instant] = []
  }

  private let inner: ScriptedTransport
  private let state = Lock(State())

  init(around inner: ScriptedTransport) {
    self.inner = inner
  }

  var enforcesTimeout: Bool { inner.enforcesTimeout }

  /// The most identical GETs that were under way at the same time.
  var mostAtOnce: Int { state.withLock { $0.most } }

  /// When requests came, in their order.
  var arrivals: [AmbientClock.Instant] { state.withLock { $0.arrivals } }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let now = Ambient.clock.now
    state.withLock { $0.arrivals.append(now) }
    guard request.method == .get else {
      return try await inner.send(request, maxResponseBytes: maxResponseBytes)
    }
    let path = request.url.path()
    let id = state.withLock { state in
      state.next += 1
      state.alive[path, default: []].insert(state.next)
      state.most = max(state.most, state.alive[path]?.count ?? 0)
      return state.next
    }
    defer { end(path, id) }
    return try await withTaskCancellationHandler {
      try await inner.send(request, maxResponseBytes: maxResponseBytes)
    } onCancel: {
      end(path, id)
    }
  }

  private func end(_ path: String, _ id: Int) {
    state.withLock { _ = $0.alive[path]?.remove(id) }
  }
}
