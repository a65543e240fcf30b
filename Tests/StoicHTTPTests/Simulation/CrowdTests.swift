import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Seventeen callers at once")
struct CrowdTests {
  /// What happened in how many runs.
  private final class Tally: Sendable {
    private let counts = Lock<[String: Int]>([:])

    func note(_ marks: Set<String>) {
      counts.withLock { counts in for mark in marks { counts[mark, default: 0] += 1 } }
    }

    subscript(mark: String) -> Int { counts.withLock { $0[mark] ?? 0 } }
  }

  private static let marks = ["retry", "open breaker", "queue", "join", "cancel", "deadline"]

  @Test(
    "Whatever the server does and whenever callers leave, every promise of the client holds, and all that can happen does",
    arguments: [false, true])
  func crowd(earlyTimers: Bool) throws {
    let tally = Tally()
    try simulate(
      seeds: 0..<(earlyTimers ? 500 : 2_000), earlyTimers: earlyTimers,
      marks: ["retry.refunded", "breaker.result_dropped", "single_flight.taken_over"]
    ) {
      let crowd = Crowd()
      let results = await crowd.run()
      checkRequests(of: crowd)
      checkResults(results, of: crowd)
      tally.note(Self.marks(of: crowd, results).union(["run"]))
      try await checkLife(after: crowd, earlyTimers: earlyTimers)
    }
    for mark in Self.marks {
      #expect(tally[mark] * 20 >= tally["run"], "\(mark) occurs in \(tally[mark]) of \(tally["run"]) runs")
    }
  }

  /// What was sent is what may be sent.
  private func checkRequests(of crowd: Crowd) {
    for plan in crowd.plans where !plan.path.hasPrefix("/shared") {
      let sent = crowd.sent(to: plan.path)
      let isOnce = Crowd.once.contains(plan.request.method) && plan.key == nil
      #expect(sent.count <= (isOnce ? 1 : 3), "\(plan.path)")
      #expect(Set(sent.map(\.body)).count <= 1)
      #expect(
        sent.allSatisfy { $0.headers["Idempotency-Key"] == plan.key && $0.method == plan.request.method })
    }
    let attempts = crowd.attempts.compactMap { $0["attempt"].flatMap(Int.init) }
    #expect(attempts.count >= crowd.transport.requests.count && attempts.allSatisfy { 1...3 ~= $0 })
    #expect(crowd.transport.maxInFlight <= 3)
    #expect(crowd.watch.mostAtOnce <= 1)
  }

  /// Every caller started or shared a request, or was told why not.
  private func checkResults(_ results: [Result<HTTPResponse, any Error>], of crowd: Crowd) {
    for (plan, result) in zip(crowd.plans, results) {
      switch result {
      case .success(let response):
        #expect(response.body == Array(plan.path.utf8))
        #expect(crowd.transport.requests.contains { $0.url.path() == plan.path })
      case .failure(let error as HTTPError):
        checkError(error, of: plan, crowd)
      // A value that comes at the deadline is late: then the rejection is the deadline's own.
      case .failure(let error as Rejection):
        #expect(error.reason == .deadlineExceeded && plan.deadline != nil)
      case .failure(is CancellationError):
        #expect(plan.cancelledAfter != nil)
      case .failure(let error):
        Issue.record("unexpected: \(error)")
      }
    }
  }

  /// A caller whose call fails is told what happened to it, and not to another.
  private func checkError(_ error: HTTPError, of plan: Crowd.Plan, _ crowd: Crowd) {
    let sent = crowd.sent(to: plan.path).count
    #expect(error.attempts <= 3 && error.call.method == plan.request.method)
    if plan.path.hasPrefix("/shared") {
      #expect(error.attempts <= sent + 1)
    } else {
      // The last may have been cancelled by the deadline before it reached the transport.
      #expect([sent, sent + 1].contains(error.attempts))
    }
    switch error {
    case .rejected(let rejection, _):
      #expect(rejection.reason != .deadlineExceeded || plan.deadline != nil)
      #expect(rejection.reason != .rateLimited)
    case .status(let status, _, _, _): #expect(error.attempts > 0 && [404, 429, 500, 503].contains(status))
    case .transport(let code, _): #expect(error.attempts > 0 && code == .networkConnectionLost)
    case .timedOut(let attempt, _): #expect(error.attempts == attempt)
    default: Issue.record("unexpected: \(error)")
    }
  }

  private static func marks(of crowd: Crowd, _ results: [Result<HTTPResponse, any Error>]) -> Set<String> {
    let names = Set(crowd.events.events.map(\.name))
    var marks: Set<String> = []
    let byEvent = [
      "http.retry": "retry", "breaker.opened": "open breaker", "bulkhead.queued": "queue",
      "http.coalesced": "join",
    ]
    for (name, mark) in byEvent where names.contains(name) { marks.insert(mark) }
    for case .failure(let error) in results {
      if error is CancellationError { marks.insert("cancel") }
      if (error as? HTTPError)?.rejection?.reason == .deadlineExceeded { marks.insert("deadline") }
    }
    return marks
  }

  /// Nothing is left, and once the faults have stopped everything works again.
  private func checkLife(after crowd: Crowd, earlyTimers: Bool) async throws {
    #expect(crowd.transport.inFlight == 0 && crowd.api.flights == 0)
    #expect(crowd.budget.available == crowd.owed)
    // Every third run ends here, where the simulation sees which timers are left; the others let them pass.
    guard Ambient.random.next() % 3 > 0 else { return }
    // Longer than any breaker stays open.
    try await Ambient.sleep(for: .seconds(200))
    // The one that may be a probe.
    try await crowd.api.send(.put("/after", json: 1))
    // Three permits, five calls of a second: with one permit less it would take three, as it does when time passes before a
    // call has begun.
    crowd.transport.on(.init(path: "/slow"), respond: [.status(200).after(.seconds(1))])
    let start = Ambient.clock.now
    let calls = (0..<5).map { number in
      Ambient.task { try await crowd.api.send(.post("/slow"), idempotencyKey: "\(number)") }
    }
    for call in calls { #expect(try await call.value.status == 200) }
    #expect(earlyTimers || start.duration(to: Ambient.clock.now) == .seconds(2))
  }
}
