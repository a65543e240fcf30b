/// How often to try, and how long to wait in between: backoff with a cap and jitter.
///
/// After `n` retries the nominal wait of exponential backoff is `min(cap, base * multiplier^n)`; the jitter is drawn from
/// the nominal wait. So clients that have come to the cap do not return together (Brooker, "Exponential Backoff And
/// Jitter", 2015). With the default numbers and no jitter:
///
/// | after attempt | 1 | 2 | 3 | 4 | 5 | 6 | 7 and later |
/// |-|-|-|-|-|-|-|-|
/// | wait in seconds | 0.2 | 0.4 | 0.8 | 1.6 | 3.2 | 6.4 | 10 |
///
/// Every field is brought to its nearest sensible value when it is set; nothing traps.
public struct RetrySchedule: Sendable, Hashable {
  /// How a wait is drawn from the nominal one.
  @nonexhaustive
  public enum Jitter: Sendable, Hashable {
    /// The nominal wait itself: for tests that pin waits.
    case none
    /// Anything from zero to the nominal wait.
    case full
    /// Half of the nominal wait, and anything up to the other half on top.
    case equal
    /// Anything from ``base`` to three times the last wait of the schedule, up to the cap: waits wander instead of growing
    /// in step.
    ///
    /// Only for exponential backoff; with any other it is ``full``.
    case decorrelated
  }

  /// How the nominal wait grows.
  @nonexhaustive
  public enum Backoff: Sendable, Hashable {
    /// ``base``, times ``multiplier`` after each attempt.
    case exponential
    /// ``base``, and as much again after each attempt.
    case linear
    /// Always ``base``.
    case constant
    /// The times listed, the last one again and again; ``base`` where the list is empty.
    case list([Duration])
  }

  /// What a retry does when it runs inside an attempt of another retry.
  public enum Nesting: Sendable, Hashable {
    /// It makes one attempt: the outer retry owns retrying, so that attempts do not multiply.
    case singleAttempt
    /// It retries as if it stood alone.
    case independent
  }

  /// The number of attempts, the first one included; at least 1.
  public var maxAttempts: Int { didSet { maxAttempts = max(1, maxAttempts) } }
  /// The nominal wait after the first attempt; at least zero.
  public var base: Duration { didSet { base = Self.span(base) } }
  /// The longest nominal wait; at least zero.
  public var cap: Duration { didSet { cap = Self.span(cap) } }
  /// What the nominal wait grows by after each attempt; at least 1, and 2 where it is not a number.
  public var multiplier: Double { didSet { multiplier = Self.growth(multiplier) } }
  /// How the nominal wait grows.
  public var backoff: Backoff
  /// How a wait is drawn from the nominal one.
  public var jitter: Jitter
  /// What happens inside an attempt of another retry.
  public var nesting: Nesting

  /// Makes a schedule; values out of range are taken for the nearest one in range.
  public init(
    maxAttempts: Int = 3, base: Duration = .milliseconds(200), cap: Duration = .seconds(10),
    multiplier: Double = 2, backoff: Backoff = .exponential, jitter: Jitter = .full,
    nesting: Nesting = .singleAttempt
  ) {
    self.maxAttempts = max(1, maxAttempts)
    self.base = Self.span(base)
    self.cap = Self.span(cap)
    self.multiplier = Self.growth(multiplier)
    self.backoff = backoff
    self.jitter = jitter
    self.nesting = nesting
  }

  private static func span(_ duration: Duration) -> Duration { max(.zero, duration.clamped) }

  private static func growth(_ multiplier: Double) -> Double {
    multiplier.isNaN ? 2 : max(1, multiplier)
  }
}

extension RetrySchedule {
  /// The wait before jitter after a number of retries.
  ///
  /// - Parameter retries: the retries already made; negative counts as none. Any size costs the same.
  public func nominalWait(afterRetries retries: Int) -> Duration {
    let retries = max(0, retries)
    return switch backoff {
    case .exponential: product(multiplier.raised(to: retries))
    case .linear: product(Double(retries) + 1)
    case .constant: min(cap, base)
    case .list(let waits):
      min(cap, waits.isEmpty ? base : Self.span(waits[min(retries, waits.count - 1)]))
    }
  }

  /// ``base`` times a factor of at least one, at most the cap.
  private func product(_ factor: Double) -> Duration {
    guard base > .zero, cap > .zero else { return .zero }
    let attoseconds = base.attoseconds
    // A whole factor is multiplied exactly, so that doubling 200 ms gives 400 ms and not 400.000000000000022 ms.
    if factor < 0x1p62, factor == factor.rounded() {
      let (product, overflow) = attoseconds.multipliedReportingOverflow(by: Int128(factor))
      return overflow ? cap : min(cap, Duration(attoseconds: product))
    }
    let product = Double(attoseconds) * factor
    return product < Double(cap.attoseconds) ? Duration(attoseconds: Int128(product)) : cap
  }

  /// The wait after a number of retries, with its jitter drawn from a source.
  ///
  /// - Parameters:
  ///   - retries: the retries already made; negative counts as none.
  ///   - previous: the wait before the last retry; only decorrelated jitter asks for it.
  ///   - random: the source.
  /// - Returns: at least zero and at most the nominal wait; with decorrelated jitter at most the cap.
  public func wait(
    afterRetries retries: Int, previous: Duration? = nil, random: RandomSource
  ) -> Duration {
    let nominal = nominalWait(afterRetries: retries)
    switch jitter {
    case .none: return nominal
    case .full: return nominal.scaled(by: random.fraction())
    case .equal: return nominal / 2 + (nominal / 2).scaled(by: random.fraction())
    case .decorrelated:
      guard backoff == .exponential else { return nominal.scaled(by: random.fraction()) }
      let least = min(base, cap)
      let last = max(least, Self.span(previous ?? least))
      // The cap bounds the range and not the draw: waits still differ at the cap.
      let most = min(cap, last.saturatingAdd(last).saturatingAdd(last))
      return least + (most - least).scaled(by: random.fraction())
    }
  }
}

extension RetrySchedule {
  /// The same wait every time.
  public static func constant(_ wait: Duration, maxAttempts: Int = 3, jitter: Jitter = .none) -> RetrySchedule
  {
    RetrySchedule(
      maxAttempts: maxAttempts, base: wait, cap: .longest, backoff: .constant, jitter: jitter)
  }

  /// Waits that grow by the same step every time, up to a cap.
  public static func linear(
    _ step: Duration, cap: Duration = .seconds(10), maxAttempts: Int = 3, jitter: Jitter = .full
  ) -> RetrySchedule {
    RetrySchedule(maxAttempts: maxAttempts, base: step, cap: cap, backoff: .linear, jitter: jitter)
  }

  /// Exactly the waits listed, so one attempt more than there are waits.
  public static func list(_ waits: [Duration], jitter: Jitter = .none) -> RetrySchedule {
    RetrySchedule(
      maxAttempts: waits.count + 1, base: waits.first ?? .zero, cap: .longest, backoff: .list(waits),
      jitter: jitter)
  }
}

extension Double {
  /// This number to a whole power of at least zero, by squaring; infinite where it overflows.
  fileprivate func raised(to power: Int) -> Double {
    var (result, square, rest) = (1.0, self, power)
    while rest > 0 {
      if rest & 1 == 1 { result *= square }
      square *= square
      rest >>= 1
    }
    return result
  }
}
