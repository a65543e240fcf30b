import Stoic
import StoicHTTP

/// The numbers of an outage: who asks how often, what the server can do, and when and how it fails.
package struct OutageScenario: Sendable {
  /// What the server does during the outage.
  package enum Fault: Sendable {
    /// It takes requests into its queue, answers none, and has the queue to work off afterwards.
    case hangs
    /// It answers 503 at once, and has nothing to work off.
    case refuses
  }

  /// What holds the clients back, besides the number of attempts.
  package enum Protection: Sendable {
    case budgetAndBreaker
    case budget
    case nothing
  }

  /// How many clients there are, each with a budget and a breaker of its own.
  package var clients = 1_000
  /// The calls of each client in a second.
  package var rate = 0.2
  /// The requests that the server can answer in a second, at least 1.
  package var capacity = 400
  /// The requests that may wait at the server; further ones get 503.
  package var queueLimit = 4_000
  package var fault = Fault.hangs

  /// How long the server is well before it fails, in seconds.
  package var before = 30
  /// How long it fails, in seconds.
  package var outage = 60
  /// How long it is looked at afterwards, in seconds.
  package var after = 90

  /// The retries of each client in a window that need no success.
  package var floor = 1
  /// The retries that each success in a window earns.
  package var ratio = 0.2
  /// How long a retry and a success count, in seconds; the breaker looks as far back.
  package var window = 25
  /// The attempts of a call.
  package var attempts = 3
  /// The time that an attempt may take.
  package var attemptTimeout = Duration.seconds(2)
  /// The attempts that a client makes at once; eight times as many calls may wait for their turn.
  package var permits = 8

  /// Makes a minute's outage under the load of a thousand clients.
  ///
  /// The server is half busy until it fails. The standard budget is made for five calls a second and allows one retry
  /// to five of them in an outage; so does this one, for a call in five seconds.
  package init() {}

  /// The requests in a second as long as all is well.
  package var baseline: Double { Double(clients) * rate }

  /// The seconds of the outage.
  package var failing: Range<Int> { before..<(before + outage) }

  /// How long it is looked at, in seconds.
  package var length: Int { before + outage + after }

  /// The calls of a client that wait for their turn, at most.
  package var queueLimitPerClient: Int { 8 * permits }

  /// The policy of one client: a new one each time, since a policy's copies share its budget.
  func policy(_ protection: Protection) -> HTTPPolicy {
    var policy = HTTPPolicy.standard
    policy.attemptTimeout = attemptTimeout
    policy.retry.maxAttempts = attempts
    policy.maxConcurrentPerHost = permits
    policy.queueLimitPerHost = queueLimitPerClient
    // Calls that share a request would hide load.
    policy.coalescesGETs = false
    policy.budget = RetryBudget(ratio: ratio, minimumRetries: floor, window: .seconds(window))
    policy.breaker?.minimumCalls = 5
    policy.breaker?.window = .seconds(window)
    if protection != .budgetAndBreaker { policy.breaker = nil }
    if protection == .nothing { policy.budget = nil }
    return policy
  }
}
