/// How often to try, and how long to wait in between: exponential backoff with a cap and jitter.
///
/// After `n` retries the nominal wait is `min(cap, base * multiplier^n)`; the jitter is drawn from the nominal wait, so
/// that waits still differ at the cap (Brooker, "Exponential Backoff And Jitter", 2015). With the default numbers and
/// no jitter:
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
  /// How a wait is drawn from the nominal one.
  public var jitter: Jitter
  /// What happens inside an attempt of another retry.
  public var nesting: Nesting

  /// Makes a schedule; values out of range are taken for the nearest one in range.
  public init(
    maxAttempts: Int = 3, base: Duration = .milliseconds(200), cap: Duration = .seconds(10),
    multiplier: Double = 2, jitter: Jitter = .full, nesting: Nesting = .singleAttempt
  ) {
    self.maxAttempts = max(1, maxAttempts)
    self.base = Self.span(base)
    self.cap = Self.span(cap)
    self.multiplier = Self.growth(multiplier)
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
    guard base > .zero, cap > .zero else { return .zero }
    let factor = multiplier.raised(to: max(0, retries))
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
  /// - Returns: at least zero and at most the nominal wait.
  public func wait(afterRetries retries: Int, random: RandomSource) -> Duration {
    let nominal = nominalWait(afterRetries: retries)
    return switch jitter {
    case .none: nominal
    case .full: nominal.scaled(by: random.fraction())
    case .equal: nominal / 2 + (nominal / 2).scaled(by: random.fraction())
    }
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

extension Duration {
  /// This span times a fraction in `0...1`; never longer than the span.
  fileprivate func scaled(by fraction: Double) -> Duration {
    min(self, Duration(attoseconds: Int128(Double(attoseconds) * fraction)))
  }
}
