public import Foundation
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
/// Each attempt passes the policies in a fixed order: deadline, retry, server quota, rate limit,
/// throttle, breaker, bulkhead, hedge, attempt timeout.
/// ``bound`` says what a call may cost at worst, ``warnings`` which values cannot work together.
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
  /// Whether identical GETs at the same time share one request.
  ///
  /// The response is shared with all that it carries, a `Set-Cookie` included: callers whose answers differ have to differ in
  /// a header field that ``varyHeaders`` names.
  public var coalescesGETs = true
  /// By which header fields requests differ: only GETs that agree in them share a request.
  ///
  /// By default all but those of tracing. A list of the fields that count is a risk: whoever forgets the one that holds
  /// the credential, such as `X-API-Key`, hands one tenant's answer to another.
  public var varyHeaders = VaryHeaders.all(except: VaryHeaders.tracing)
  /// How an idempotency key is written.
  public var keyFormat = IdempotencyKeyFormat.bare
  /// Whether a 409 to a keyed request is repeated when the server may have acted in an earlier attempt: it may be at work
  /// on that one still.
  public var retryKeyedConflict = false
  /// Media types that are read as JSON besides `application/json` and those ending in `+json`, without parameters.
  public var jsonTypes: Set<String> = []
  /// The time of day, by which an HTTP-date in `Retry-After` is measured where the response has no `Date`; nothing else
  /// uses it.
  ///
  /// The system's unless replaced; pin it in a test or a simulation that scripts such dates.
  public var wallClock: @Sendable () -> Date = { Date() }
  /// Which redirects are followed.
  public var redirects = RedirectPolicy.standard
  /// Names of further fields that may travel to another origin by redirect; never needed for `Accept`,
  /// `Content-Type` and their like.
  ///
  /// Do not name a field that holds a credential.
  public var redirectHeaders: Set<String> = []

  /// Whether calls heed the quotas that a server announces, and how far it is believed.
  ///
  /// Nil, unless set: they do not. What a server announces may be for some of its paths or one credential alone, and holds up
  /// all calls to the host.
  public var quota: QuotaPacing?
  /// How many attempts are let through in a time to one host's queue; the excess waits for its turn, each retry too.
  ///
  /// Those that wait there for a permit may then begin closer together. A host that the client has forgotten, idle among
  /// more than 256, begins with a full burst. Nil: any number.
  public var rateLimit: RateLimiter.Configuration?
  /// Whether a share of the calls to a host is held back while it turns many away, and which.
  ///
  /// Nil: none is.
  public var throttle: Throttle.Configuration?
  /// A number of attempts at once to a host that follows how long they take, in place of ``maxConcurrentPerHost``,
  /// ``queueLimitPerHost`` and ``queueTimeout``.
  ///
  /// Nil: those.
  public var adaptiveConcurrency: AdaptiveBulkhead.Configuration?
  /// When a second attempt begins beside a slow one, for GET, HEAD, OPTIONS, PUT, DELETE and QUERY; not for what is only
  /// keyed, nor within another retry's attempt.
  ///
  /// It is an attempt like any other, but waits for nothing: where quota, limiter, throttle, breaker or bulkhead do not let it
  /// in at once, there is none. It is paid for by a budget of its own and by ``budget``, and ends with the attempt timeout of
  /// the first. Nil: there is none.
  public var hedge: Hedge.Configuration?
  /// Faults that the client itself makes, to see in staging what they do: late answers, failures, statuses, hangs.
  ///
  /// Nil, as it has to be in production: none. Each fault is told by the event `http.fault_injected`, a warning.
  public var faults: HTTPFaults?

  /// The numbers of the first column above.
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
