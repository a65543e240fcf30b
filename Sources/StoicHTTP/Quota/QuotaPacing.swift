import Stoic

/// Heeds the quotas that a server announces: calls to it wait before a quota is used up, not after.
///
/// A server says with each response how many requests are left and when there are more (`RateLimit`,
/// draft-ietf-httpapi-ratelimit-headers; the older `RateLimit-Remaining` and `RateLimit-Reset`). When none is left, an
/// attempt waits until there are; where that would be too late for its deadline, or longer than ``maxWait``, the call
/// fails at once with ``Rejection`` and the reason `.rateLimited`, and says how long.
///
/// First come, first served: a wait is reckoned with those who wait already, and who leaves lets those behind move up.
///
/// A server is believed so far only: a wait is at most ``maxWait``, and after a time that was cut to it one request asks
/// again. What makes no sense is as good as not said.
///
/// One state for each host. A quota that is for some paths or one credential alone holds up the host's other calls too:
/// that is why it is off unless a policy turns it on.
public struct QuotaPacing: Sendable, Hashable {
  /// The longest time that an attempt waits for a quota, and the longest that a server is believed; at least zero.
  public var maxWait: Duration { didSet { maxWait = max(.zero, maxWait.clamped) } }
  /// How much later than a quota's renewal an attempt may begin, as a share of its wait, drawn each time; 0 to 1.
  ///
  /// All who wait are told the same instant, and are not to come all at once. Within ``maxWait`` and the deadline.
  public var spread: Double { didSet { spread = Self.share(spread) } }
  /// Whether fields with `X-` in front count too; their meaning differs from server to server.
  public var readsXRateLimit: Bool

  /// Makes the numbers; values out of range are taken for the nearest one in range.
  public init(maxWait: Duration = .seconds(60), spread: Double = 0.1, readsXRateLimit: Bool = false) {
    self.maxWait = max(.zero, maxWait.clamped)
    self.spread = Self.share(spread)
    self.readsXRateLimit = readsXRateLimit
  }

  private static func share(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }
}

extension QuotaPacing: CustomStringConvertible {
  /// The numbers.
  public var description: String {
    "server quota (waits of at most \(maxWait.text)\(readsXRateLimit ? ", X-RateLimit too" : ""))"
  }
}
