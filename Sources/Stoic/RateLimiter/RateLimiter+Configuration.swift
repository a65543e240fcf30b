extension RateLimiter {
  /// The numbers of a rate limiter.
  ///
  /// In any span of time at most ``burst`` calls begin and ``calls`` for each ``per`` of it. Every field is brought to its
  /// nearest sensible value when it is set; nothing traps.
  public struct Configuration: Sendable, Hashable {
    /// How many calls may begin in each period; 1 to 1,000,000,000.
    public var calls: Int { didSet { calls = Self.count(calls) } }
    /// The period; a nanosecond to 1,000,000,000 seconds.
    public var per: Duration { didSet { per = Self.period(per) } }
    /// How many calls may begin at once after a pause; 1 to 1,000,000,000.
    ///
    /// With 1 they are evenly spaced, and no period sees more than ``calls``. A larger one comes on top: a period that
    /// follows a pause sees up to `calls + burst - 1`.
    public var burst: Int { didSet { burst = Self.count(burst) } }
    /// How many callers may wait for their turn; at least 0.
    ///
    /// With 0 nobody waits: what has no token is refused at once.
    public var queueLimit: Int { didSet { queueLimit = max(0, queueLimit) } }
    /// The longest wait, at least zero; nil for as long as the caller's deadline allows.
    ///
    /// It is known beforehand, so that whoever would wait longer is refused at once.
    public var maxWait: Duration? { didSet { maxWait = Self.wait(maxWait) } }

    /// Makes a configuration; values out of range are taken for the nearest one in range.
    public init(
      calls: Int, per: Duration = .seconds(1), burst: Int = 1, queueLimit: Int = 64, maxWait: Duration? = nil
    ) {
      self.calls = Self.count(calls)
      self.per = Self.period(per)
      self.burst = Self.count(burst)
      self.queueLimit = max(0, queueLimit)
      self.maxWait = Self.wait(maxWait)
    }

    private static func count(_ count: Int) -> Int { min(1_000_000_000, max(1, count)) }

    // So that a full bucket of the largest burst still is a number of 128 bits.
    private static func period(_ period: Duration) -> Duration {
      min(.seconds(1_000_000_000), max(.nanoseconds(1), period))
    }

    private static func wait(_ wait: Duration?) -> Duration? { wait.map { max(.zero, $0.clamped) } }
  }
}
