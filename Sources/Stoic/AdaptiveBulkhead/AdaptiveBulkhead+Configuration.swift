extension AdaptiveBulkhead {
  /// The numbers of an adaptive bulkhead.
  ///
  /// Every field is brought to its nearest sensible value when it is set; nothing traps.
  public struct Configuration: Sendable, Hashable {
    /// The limit that it begins with, from 1 to 1,000,000; brought within ``minLimit`` and ``maxLimit`` where it is used.
    public var initialLimit: Int { didSet { initialLimit = Self.limit(initialLimit) } }
    /// The least limit, from 1 to 1,000,000.
    public var minLimit: Int { didSet { minLimit = Self.limit(minLimit) } }
    /// The greatest limit, from 1 to 1,000,000; never less than ``minLimit``.
    public var maxLimit: Int { didSet { maxLimit = Self.limit(maxLimit) } }
    /// How long latencies are collected at least before the limit is looked at; at least a nanosecond.
    public var window: Duration { didSet { window = Self.atLeast(.nanoseconds(1), window) } }
    /// How many calls have to end in a window at least, from 1 to 65,536.
    public var samples: Int { didSet { samples = Self.samples(samples) } }
    /// How many calls are waited for at most in a window, from 1 to 65,536; never less than ``samples``.
    ///
    /// The more calls differ in how long they take, the more of them it takes to tell: a window goes on until chance moves the
    /// mean by no more than a twentieth, or this many have ended.
    public var maxSamples: Int { didSet { maxSamples = Self.samples(maxSamples) } }
    /// How many times as long as the baseline calls may take before the limit falls, from 1 to 10; 1 where it is not a
    /// number.
    ///
    /// By how much chance alone may move the mean of a window comes on top.
    public var tolerance: Double { didSet { tolerance = Self.tolerance(tolerance) } }
    /// How long a baseline is good for, at least zero; up to a quarter of it is taken off at random.
    ///
    /// It is good for longer where calls are slow: for at least nine times as long as its measurement took.
    public var baselineLifetime: Duration {
      didSet { baselineLifetime = Self.atLeast(.zero, baselineLifetime) }
    }
    /// How many callers may wait; at least 0.
    public var queueLimit: Int { didSet { queueLimit = max(0, queueLimit) } }
    /// How long a caller may wait, at least zero; nil for as long as it likes.
    public var queueTimeout: Duration? {
      didSet { queueTimeout = queueTimeout.map { Self.atLeast(.zero, $0) } }
    }

    /// Makes a configuration; values out of range are taken for the nearest one in range.
    public init(
      initialLimit: Int = 20, minLimit: Int = 2, maxLimit: Int = 200, window: Duration = .milliseconds(250),
      samples: Int = 50, maxSamples: Int = 800, tolerance: Double = 1,
      baselineLifetime: Duration = .seconds(30), queueLimit: Int = 64, queueTimeout: Duration? = nil
    ) {
      self.initialLimit = Self.limit(initialLimit)
      self.minLimit = Self.limit(minLimit)
      self.maxLimit = Self.limit(maxLimit)
      self.window = Self.atLeast(.nanoseconds(1), window)
      self.samples = Self.samples(samples)
      self.maxSamples = Self.samples(maxSamples)
      self.tolerance = Self.tolerance(tolerance)
      self.baselineLifetime = Self.atLeast(.zero, baselineLifetime)
      self.queueLimit = max(0, queueLimit)
      self.queueTimeout = queueTimeout.map { Self.atLeast(.zero, $0) }
    }

    private static func limit(_ limit: Int) -> Int { min(1_000_000, max(1, limit)) }

    private static func samples(_ samples: Int) -> Int { min(65_536, max(1, samples)) }

    private static func tolerance(_ tolerance: Double) -> Double {
      tolerance.isNaN ? 1 : min(10, max(1, tolerance))
    }

    private static func atLeast(_ least: Duration, _ duration: Duration) -> Duration {
      max(least, duration.clamped)
    }
  }
}

extension AdaptiveBulkhead.Configuration {
  /// The limits that are possible.
  package var limits: ClosedRange<Int> { minLimit...max(minLimit, maxLimit) }

  /// How many calls end a window, however much they differ.
  var mostSamples: Int { max(samples, maxSamples) }
}

extension AdaptiveBulkhead.Configuration {
  /// The numbers of an adaptive bulkhead on one line.
  package var text: String {
    let wait = queueTimeout.map { " for at most \($0.text)" } ?? ""
    return
      "adaptive bulkhead (\(limits.lowerBound) to \(limits.upperBound) at once, \(queueLimit) waiting\(wait))"
  }
}
