/// How often calls go wrong, and by how much they are late: all faults of this package are drawn here.
///
/// Pure but for the source of random numbers. Faults exclude each other: where the shares add up to more than 1, they are
/// served in the order failure, answer, hang.
package struct FaultMix: Sendable, Hashable {
  /// What goes wrong with one call.
  package enum Fault: Sendable, Hashable {
    /// It fails.
    case failure
    /// Something else answers in the place of what is called.
    case answer
    /// It never ends.
    case hang
  }

  /// The share of calls that fail.
  package var failure: Double { didSet { failure = Self.share(failure) } }
  /// The share of calls that something else answers.
  package var answer: Double { didSet { answer = Self.share(answer) } }
  /// The share of calls that never end.
  package var hang: Double { didSet { hang = Self.share(hang) } }
  /// The share of calls that are late.
  package var late: Double { didSet { late = Self.share(late) } }
  /// By how much a late call is late, each time within the range as likely as the others.
  package var delay: ClosedRange<Duration> { didSet { delay = Self.span(delay) } }

  package init(
    failure: Double = 0, answer: Double = 0, hang: Double = 0, late: Double = 1,
    delay: ClosedRange<Duration> = .zero ... .zero
  ) {
    self.failure = Self.share(failure)
    self.answer = Self.share(answer)
    self.hang = Self.share(hang)
    self.late = Self.share(late)
    self.delay = Self.span(delay)
  }

  private static func share(_ share: Double) -> Double { share > 0 ? min(share, 1) : 0 }

  private static func span(_ range: ClosedRange<Duration>) -> ClosedRange<Duration> {
    max(.zero, range.lowerBound).clamped...max(.zero, range.upperBound).clamped
  }
}

extension FaultMix {
  /// Draws what goes wrong with a call.
  ///
  /// Faults and delays lie at the upper end of the numbers, so that a choice of zero is no fault and the shortest delay.
  package func draw(_ random: RandomSource) -> (fault: Fault?, delay: Duration) {
    let share = 1 - random.fraction()
    let fault: Fault? =
      switch share {
      case ...failure: .failure
      case ...(failure + answer): .answer
      case ...(failure + answer + hang): .hang
      default: nil
      }
    return (fault, drawDelay(random))
  }

  private func drawDelay(_ random: RandomSource) -> Duration {
    guard late > 0 else { return .zero }
    // A share of all needs no draw.
    if late < 1, 1 - random.fraction() > late { return .zero }
    guard delay.lowerBound < delay.upperBound else { return delay.lowerBound }
    let width = delay.upperBound - delay.lowerBound
    return delay.lowerBound.saturatingAdd(width.scaled(by: random.fraction()))
  }
}
