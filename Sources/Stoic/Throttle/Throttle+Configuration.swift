extension Throttle {
  /// The numbers of a throttle.
  ///
  /// Every field is brought to its nearest sensible value when it is set; nothing traps.
  public struct Configuration: Sendable, Hashable {
    /// How many calls are let through for each one that the server accepts, 1 to 1,000; 2 where it is not a number.
    ///
    /// A smaller one wastes less of the server, a larger one notices earlier that it is well again.
    public var multiplier: Double { didSet { multiplier = Self.multiplier(multiplier) } }
    /// How long a call counts; at least a nanosecond.
    public var window: Duration { didSet { window = max(.nanoseconds(1), window.clamped) } }
    /// The largest share of calls that is refused, 0 to 1; 0.9 where it is not a number.
    ///
    /// What is let through is what notices that the server is well again.
    public var maxRejection: Double { didSet { maxRejection = Self.share(maxRejection) } }
    /// The calls a second, on average of the window, below which none is refused; at least 0, and 5 where it is not a number.
    public var minimumRate: Double { didSet { minimumRate = Self.rate(minimumRate) } }

    /// Makes a configuration; values out of range are taken for the nearest one in range.
    public init(
      multiplier: Double = 2, window: Duration = .seconds(120), maxRejection: Double = 0.9,
      minimumRate: Double = 5
    ) {
      self.multiplier = Self.multiplier(multiplier)
      self.window = max(.nanoseconds(1), window.clamped)
      self.maxRejection = Self.share(maxRejection)
      self.minimumRate = Self.rate(minimumRate)
    }

    private static func multiplier(_ number: Double) -> Double {
      number.isNaN ? 2 : min(1_000, max(1, number))
    }

    private static func share(_ share: Double) -> Double { share.isNaN ? 0.9 : min(1, max(0, share)) }

    private static func rate(_ rate: Double) -> Double { rate.isNaN ? 5 : min(1e9, max(0, rate)) }
  }
}

extension Throttle.Configuration {
  /// The numbers of a throttle on one line.
  package var text: String {
    "throttle (\(multiplier) calls for each accepted one in \(window.text), at most \(maxRejection) refused, "
      + "off below \(minimumRate) a second)"
  }
}
