extension CircuitBreaker {
  /// The numbers of a circuit breaker.
  ///
  /// Every field is brought to its nearest sensible value when it is set; nothing traps.
  public struct Configuration: Sendable, Hashable {
    /// The share of failed calls that opens the breaker, above 0 and up to 1, in steps of a millionth.
    ///
    /// However small it is, one failure is needed; 0.5 where it is not a number.
    public var failureRatio: Double { didSet { failureRatio = Self.share(failureRatio, 0.5) } }
    /// The calls that a window must hold before its shares mean anything; at least 1.
    public var minimumCalls: Int { didSet { minimumCalls = max(1, minimumCalls) } }
    /// How long a call counts; at least a nanosecond.
    ///
    /// Make it at least twice as long as a call may take: a host that
    /// hangs never fills a shorter one.
    public var window: Duration { didSet { window = Self.atLeast(.nanoseconds(1), window) } }
    /// Look at no more than so many of the last calls, 1 to 65,536; nil for all of the window's.
    ///
    /// Where it is less than ``minimumCalls``, so many are enough.
    public var lastCalls: Int? { didSet { lastCalls = Self.count(lastCalls) } }
    /// How long a call takes at least to be called slow; nil when no call is.
    public var slowCallDuration: Duration? {
      didSet { slowCallDuration = slowCallDuration.map { Self.atLeast(.zero, $0) } }
    }
    /// The share of slow calls that opens the breaker, above 0 and up to 1; 1 where it is not a number.
    public var slowCallRatio: Double { didSet { slowCallRatio = Self.share(slowCallRatio, 1) } }
    /// How long the breaker is open the first time, exactly; at least zero.
    public var openFor: Duration { didSet { openFor = Self.atLeast(.zero, openFor) } }
    /// The longest that it is open when probes go on failing; never less than ``openFor``.
    public var maxOpenFor: Duration { didSet { maxOpenFor = Self.atLeast(.zero, maxOpenFor) } }
    /// What the time grows by with each failed probe; at least 1, and 2 where it is not a number.
    public var growth: Double { didSet { growth = Self.growth(growth) } }
    /// The share of a grown time that is drawn at random, from 0 to 1; 0.5 where it is not a number.
    ///
    /// The clients of a host that comes back are not to come back all at once. The first time is never drawn.
    public var openJitter: Double { didSet { openJitter = Self.jitter(openJitter) } }
    /// How many probes may run at once while the breaker is half open; at least 1.
    public var probes: Int { didSet { probes = max(1, probes) } }
    /// How many probes have to succeed for the breaker to close; at least 1.
    public var successesToClose: Int { didSet { successesToClose = max(1, successesToClose) } }
    /// How long a probe may run before it counts as failed, at least a nanosecond; nil for 30 seconds, or in an HTTP
    /// client for twice its attempt timeout.
    public var probeTimeout: Duration? {
      didSet { probeTimeout = probeTimeout.map { Self.atLeast(.nanoseconds(1), $0) } }
    }

    /// Makes a configuration; values out of range are taken for the nearest one in range.
    public init(
      failureRatio: Double = 0.5, minimumCalls: Int = 20, window: Duration = .seconds(120),
      lastCalls: Int? = nil, slowCallDuration: Duration? = nil, slowCallRatio: Double = 1,
      openFor: Duration = .seconds(5), maxOpenFor: Duration = .seconds(60), growth: Double = 2,
      openJitter: Double = 0.5, probes: Int = 1, successesToClose: Int = 1, probeTimeout: Duration? = nil
    ) {
      self.failureRatio = Self.share(failureRatio, 0.5)
      self.minimumCalls = max(1, minimumCalls)
      self.window = Self.atLeast(.nanoseconds(1), window)
      self.lastCalls = Self.count(lastCalls)
      self.slowCallDuration = slowCallDuration.map { Self.atLeast(.zero, $0) }
      self.slowCallRatio = Self.share(slowCallRatio, 1)
      self.openFor = Self.atLeast(.zero, openFor)
      self.maxOpenFor = Self.atLeast(.zero, maxOpenFor)
      self.growth = Self.growth(growth)
      self.openJitter = Self.jitter(openJitter)
      self.probes = max(1, probes)
      self.successesToClose = max(1, successesToClose)
      self.probeTimeout = probeTimeout.map { Self.atLeast(.nanoseconds(1), $0) }
    }

    private static func atLeast(_ least: Duration, _ duration: Duration) -> Duration {
      max(least, duration.clamped)
    }

    private static func share(_ share: Double, _ fallback: Double) -> Double {
      share.isNaN ? fallback : min(1, max(0.000_001, share))
    }

    private static func growth(_ growth: Double) -> Double { growth.isNaN ? 2 : max(1, growth) }

    private static func jitter(_ jitter: Double) -> Double { jitter.isNaN ? 0.5 : min(1, max(0, jitter)) }

    private static func count(_ calls: Int?) -> Int? { calls.map { min(65_536, max(1, $0)) } }
  }
}

extension CircuitBreaker.Configuration {
  /// How long the breaker is open after a number of failed probes in a row.
  ///
  /// - Parameter fraction: a random number in `0..<1`.
  package func openTime(afterFailedProbes failed: Int, fraction: Double) -> Duration {
    let growing = RetrySchedule(base: openFor, cap: max(openFor, maxOpenFor), multiplier: growth)
    let nominal = growing.nominalWait(afterRetries: failed)
    guard failed > 0 else { return nominal }
    return nominal - nominal.scaled(by: openJitter * fraction)
  }
}

extension CircuitBreaker.Configuration {
  /// The numbers of a breaker on one line.
  package var text: String {
    "circuit breaker (\(failureRatio) of at least \(minimumCalls) calls in \(window.text), open for \(openFor.text))"
  }
}
