public import Stoic

/// How a client behaves towards its servers; every number is a field.
///
/// | | ``standard`` |
/// |-|-|
/// | attempt timeout | 10 s, the whole attempt with its redirects |
/// | attempts | 3, waits from 200 ms doubling to 10 s, full jitter |
/// | retried statuses | 408, 429, 500, 502, 503, 504 |
/// | longest wait that a server may ask for | 60 s |
/// | response body | at most 10 MB |
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
  /// Which redirects are followed.
  public var redirects = RedirectPolicy.standard
  /// Names of further fields that may travel to another origin by redirect; never needed for `Accept`,
  /// `Content-Type` and their like.
  ///
  /// Do not name a field that holds a credential.
  public var redirectHeaders: Set<String> = []

  /// The contract's numbers.
  public static var standard: HTTPPolicy { HTTPPolicy() }

  static let standardRetryStatuses: Set<Int> = [408, 429, 500, 502, 503, 504]
  static let standardMaxRetryAfter = Duration.seconds(60)
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
