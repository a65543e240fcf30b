extension AmbientClock {
  /// A point in time of one ambient clock.
  ///
  /// An instant is only meaningful on the clock that gave it: two clocks count from different origins. Arithmetic
  /// saturates, it never traps.
  public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the clock's origin.
    package let offset: Duration

    package init(offset: Duration) {
      self.offset = offset.clamped
    }

    /// - Parameter offset: within plus and minus ``Swift/Duration/longest``.
    init(bounded offset: Duration) {
      self.offset = offset
    }

    /// An instant so late that it is never reached.
    public static let distantFuture = Instant(offset: .longest)

    /// The instant `duration` later, or ``distantFuture`` where that would overflow.
    public func advanced(by duration: Duration) -> Instant {
      Instant(bounded: offset.saturatingAdd(duration))
    }

    /// The time from this instant to another; negative when the other is earlier.
    public func duration(to other: Instant) -> Duration {
      Duration(attoseconds: other.offset.attoseconds - offset.attoseconds)
    }

    /// Whether one instant is before another.
    public static func < (left: Instant, right: Instant) -> Bool {
      left.offset.isBelow(right.offset)
    }
  }
}
