extension Duration {
  /// The longest span that this package computes with, 2^60 seconds; longer ones are taken for it.
  ///
  /// `Duration` traps on overflow, and callers write `.seconds(Int64.max)` to mean "never": with this bound the sum of
  /// any two spans still fits.
  package static let longest = Duration(attoseconds: bound)

  // Every call reads the clock and compares instants a few times. The operators of `Duration` are calls into the library,
  // those of its attoseconds are a few instructions.

  /// The attoseconds of ``longest``.
  private static var bound: Int128 { Int128(1 << 60) * 1_000_000_000_000_000_000 }

  /// This span, brought within plus and minus ``longest``.
  package var clamped: Duration {
    Duration(attoseconds: Swift.min(Swift.max(attoseconds, -Self.bound), Self.bound))
  }

  /// The sum, brought within plus and minus ``longest``; never traps.
  package func saturatingAdd(_ other: Duration) -> Duration {
    Duration(attoseconds: clamped.attoseconds + other.clamped.attoseconds).clamped
  }

  /// Whether this span is shorter than another.
  package func isBelow(_ other: Duration) -> Bool {
    attoseconds < other.attoseconds
  }

  /// Seconds as a floating-point number, for reports and random draws.
  package var inSeconds: Double {
    let (seconds, attoseconds) = clamped.components
    return Double(seconds) + Double(attoseconds) / 1e18
  }

  /// Seconds with at most three decimals and a unit, such as `0.2s` or `30s`, below a millisecond with nine; for events and
  /// error texts.
  package var text: String {
    let (seconds, attoseconds) = clamped.components
    let sign = seconds == 0 && attoseconds < 0 ? "-" : ""
    let nanoseconds = abs(attoseconds / 1_000_000_000)
    let isShort = seconds == 0 && nanoseconds < 1_000_000
    let (fraction, count) = isShort ? (nanoseconds, 9) : (nanoseconds / 1_000_000, 3)
    guard fraction > 0 else { return "\(seconds)s" }
    var digits = String(fraction)
    digits = String(repeating: "0", count: count - digits.count) + digits
    while digits.last == "0" { digits.removeLast() }
    return "\(sign)\(seconds).\(digits)s"
  }

  /// This span times a fraction in `0...1`; never longer than the span.
  package func scaled(by fraction: Double) -> Duration {
    // Up to nine seconds the same in machine numbers, which are many times as quick as wide ones.
    if let attoseconds = Int64(exactly: attoseconds) {
      let product = (Double(attoseconds) * fraction).rounded(.towardZero)
      if let scaled = Int64(exactly: product) { return min(self, Duration(attoseconds: Int128(scaled))) }
    }
    return min(self, Duration(attoseconds: Int128(Double(attoseconds) * fraction)))
  }
}
