extension Hedge {
  /// When the second attempt begins.
  @nonexhaustive
  public enum Delay: Sendable, Hashable {
    /// So long after the first one; negative is taken for zero.
    case fixed(Duration)
    /// When the first one has taken longer than a share of those before it: 0.95 for all but the slowest twentieth.
    ///
    /// From 0.5 to 1; 0.95 where it is not a number. There is no hedge before ``Configuration/minimumSamples`` latencies are
    /// known.
    case quantile(Double)
  }

  /// The numbers of a hedge.
  ///
  /// Every field is brought to its nearest sensible value when it is set; nothing traps.
  public struct Configuration: Sendable, Hashable {
    /// When the second attempt begins.
    public var delay: Delay { didSet { delay = Self.sensible(delay) } }
    /// How many latencies have to be known before a quantile of them means anything, from 1 to 10,000.
    public var minimumSamples: Int { didSet { minimumSamples = Self.samples(minimumSamples) } }
    /// Of how many of the last latencies the quantile is taken, from 1 to 10,000; never of less than ``minimumSamples``.
    public var lastSamples: Int { didSet { lastSamples = Self.samples(lastSamples) } }
    /// Hedges earned by each call that succeeds, from 0 to 1, in steps of a millionth; 0 where it is not a number.
    public var ratio: Double { didSet { ratio = Self.share(ratio) } }
    /// Hedges in each ``budgetWindow`` that need no success; at least 0.
    public var minimumHedges: Int { didSet { minimumHedges = max(0, minimumHedges) } }
    /// How long a success or a hedge counts, at least a nanosecond.
    public var budgetWindow: Duration {
      didSet { budgetWindow = max(.nanoseconds(1), budgetWindow.clamped) }
    }

    /// Makes a configuration; values out of range are taken for the nearest one in range.
    public init(
      delay: Delay = .quantile(0.95), minimumSamples: Int = 50, lastSamples: Int = 200, ratio: Double = 0.02,
      minimumHedges: Int = 1, budgetWindow: Duration = .seconds(10)
    ) {
      self.delay = Self.sensible(delay)
      self.minimumSamples = Self.samples(minimumSamples)
      self.lastSamples = Self.samples(lastSamples)
      self.ratio = Self.share(ratio)
      self.minimumHedges = max(0, minimumHedges)
      self.budgetWindow = max(.nanoseconds(1), budgetWindow.clamped)
    }

    private static func sensible(_ delay: Delay) -> Delay {
      switch delay {
      case .fixed(let duration): .fixed(max(.zero, duration.clamped))
      case .quantile(let share): .quantile(share.isNaN ? 0.95 : min(1, max(0.5, share)))
      }
    }

    private static func samples(_ samples: Int) -> Int { min(10_000, max(1, samples)) }

    private static func share(_ share: Double) -> Double { share.isNaN ? 0 : min(1, max(0, share)) }
  }
}

extension Hedge.Configuration: CustomStringConvertible {
  /// The numbers.
  public var description: String {
    let when =
      switch delay {
      case .fixed(let duration): "after \(duration.text)"
      case .quantile(let share): "after the \(share) quantile of \(max(minimumSamples, lastSamples)) calls"
      }
    return "\(when), at most \(minimumHedges) and \(ratio) of the successes in \(budgetWindow.text)"
  }
}
