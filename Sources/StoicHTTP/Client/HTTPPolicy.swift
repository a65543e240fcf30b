public import Stoic

/// How a client behaves towards its servers; every number is a field.
///
/// | | ``standard`` | ``interactive`` | ``server`` |
/// |-|-|-|-|
/// | the whole call | the caller's deadline | 15 s | 30 s |
/// | attempt timeout, with its redirects | 10 s | 10 s | 10 s |
/// | attempts | 3, waits from 200 ms doubling to 10 s, full jitter | same | same |
/// | retried statuses | 408, 429, 500, 502, 503, 504 | same | same |
/// | longest wait that a server may ask for | 60 s | same | same |
/// | retries of all calls together | 10 and a fifth of the successes in 10 s | same | same |
/// | breaker of a host | opens for 5 s when half of at least 20 attempts in 120 s fail | same | same |
/// | attempts at once to a host | 8, 64 calls waiting | 8, 64 waiting for at most 5 s | 64, 256 waiting for at most 5 s |
/// | response body | at most 10 MB | same | same |
///
/// Each attempt passes the policies in a fixed order: deadline, retry, breaker, bulkhead, attempt timeout.
///
/// Values out of range are taken for the nearest sensible one when they are set.
public struct HTTPPolicy: Sendable {
  /// The time that one attempt may take, redirects and reading the body included; zero or less sends nothing and fails
  /// with `.timedOut`.
  public var attemptTimeout: Duration = .seconds(10)
  /// The most bytes of a response body that are read, after decompression; at least zero.
  public var maxResponseBytes = 10_000_000 { didSet { maxResponseBytes = max(0, maxResponseBytes) } }
  /// The time that the whole call may take, waits included; it tightens the caller's deadline.
  ///
  /// Nil: that one alone.
  public var timeout: Duration?
  /// How often, and with which waits.
  public var retry = RetrySchedule()
  /// The statuses that are retried when the request may be repeated.
  public var retryStatuses = HTTPPolicy.standardRetryStatuses
  /// The longest wait that a server's `Retry-After` is followed for; a longer one is cut to this.
  ///
  /// At least zero.
  public var maxRetryAfter = HTTPPolicy.standardMaxRetryAfter {
    didSet { maxRetryAfter = max(.zero, maxRetryAfter.clamped) }
  }
  /// What bounds the retries of all calls together; nil for no such bound.
  ///
  /// A policy's copies share it, so that it is one for all hosts of a client unless ``budgetScope`` says otherwise.
  public var budget: RetryBudget? = RetryBudget()
  /// Whether all hosts share the budget, or each has one with its numbers.
  public var budgetScope = BudgetScope.client
  /// The numbers of each host's circuit breaker; nil for none.
  public var breaker: CircuitBreaker.Configuration? = CircuitBreaker.Configuration()
  /// How many attempts may run at once to one host, at least 1; nil for any number.
  public var maxConcurrentPerHost: Int? = 8 {
    didSet { maxConcurrentPerHost = maxConcurrentPerHost.map { max(1, $0) } }
  }
  /// How many calls may wait for their turn at one host; at least 0.
  public var queueLimitPerHost = 64 { didSet { queueLimitPerHost = max(0, queueLimitPerHost) } }
  /// How long a call may wait for its turn; the attempt timeout does not run meanwhile.
  ///
  /// Nil: as long as its deadline allows.
  public var queueTimeout: Duration? { didSet { queueTimeout = queueTimeout.map { max(.zero, $0.clamped) } } }
  /// Which redirects are followed.
  public var redirects = RedirectPolicy.standard
  /// Names of further fields that may travel to another origin by redirect; never needed for `Accept`,
  /// `Content-Type` and their like.
  ///
  /// Do not name a field that holds a credential.
  public var redirectHeaders: Set<String> = []

  /// The contract's numbers.
  public static var standard: HTTPPolicy { HTTPPolicy() }

  /// For people who wait: a call takes at most 15 s, and waits for its turn at most 5 s.
  public static var interactive: HTTPPolicy {
    var policy = HTTPPolicy()
    policy.timeout = .seconds(15)
    policy.queueTimeout = .seconds(5)
    return policy
  }

  /// For servers that call others: a call takes at most 30 s, 64 run at once to a host, 256 wait at most 5 s.
  public static var server: HTTPPolicy {
    var policy = HTTPPolicy()
    policy.timeout = .seconds(30)
    policy.maxConcurrentPerHost = 64
    policy.queueLimitPerHost = 256
    policy.queueTimeout = .seconds(5)
    return policy
  }

  static let standardRetryStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  static let standardMaxRetryAfter = Duration.seconds(60)
}

/// Who shares a retry budget.
public enum BudgetScope: Sendable, Hashable {
  /// All hosts of a client, so that one dead host can use up what others need.
  case client
  /// Each host has one of its own.
  case host
}

/// Which redirects a client follows.
public enum RedirectPolicy: Sendable, Hashable {
  /// Those that keep the method, and 303 as a GET; a 301 or 302 to a POST or PATCH is the answer.
  case standard
  /// None: every 3xx is the answer.
  case none
  /// As ``standard``, and a 301 or 302 to a POST or PATCH is followed by a GET without the body, as browsers do.
  case allowingMethodRewrite
}
