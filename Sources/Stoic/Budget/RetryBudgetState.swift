/// What a retry budget holds: successes that paid in, and retries that drew on it, of a window of time.
///
/// Pure: it knows no clock.
package struct RetryBudgetState: Hashable, Sendable {
  private struct Tally: AdditiveArithmetic, Hashable, Sendable {
    var successes = 0
    var withdrawals = 0

    static let zero = Tally()

    static func + (left: Tally, right: Tally) -> Tally {
      Tally(successes: left.successes + right.successes, withdrawals: left.withdrawals + right.withdrawals)
    }

    static func - (left: Tally, right: Tally) -> Tally {
      Tally(successes: left.successes - right.successes, withdrawals: left.withdrawals - right.withdrawals)
    }
  }

  /// One retry that was paid for, to be given back when it is not made.
  package struct Withdrawal: Hashable, Sendable {
    fileprivate let instant: Duration
  }

  /// Retries earned by a million successes.
  private let perMillion: Int
  private let minimumRetries: Int
  private var window: SlidingWindow<Tally>

  package init(perMillion: Int, minimumRetries: Int, window: Duration) {
    self.perMillion = perMillion
    self.minimumRetries = minimumRetries
    self.window = SlidingWindow(length: window)
  }

  /// How many retries may be made at an instant.
  package mutating func available(at now: Duration) -> Int {
    window.advance(to: now)
    let (product, overflow) = window.sum.successes.multipliedReportingOverflow(by: perMillion)
    let earned = overflow ? Int.max : product / 1_000_000
    let (total, tooMany) = minimumRetries.addingReportingOverflow(earned)
    // More is drawn than is there when successes have left the window before the retries that they paid for.
    return max(0, (tooMany ? .max : total) - window.sum.withdrawals)
  }

  /// A call has succeeded.
  package mutating func deposit(at now: Duration) {
    window.add(Tally(successes: 1), at: now)
  }

  /// Pays for one retry; nil when the budget is spent.
  package mutating func withdraw(at now: Duration) -> Withdrawal? {
    guard available(at: now) > 0 else { return nil }
    return Withdrawal(instant: window.add(Tally(withdrawals: 1), at: now))
  }

  /// Gives back what was paid for a retry that was not made.
  package mutating func refund(_ withdrawal: Withdrawal) {
    window.remove(Tally(withdrawals: 1), filedAt: withdrawal.instant)
  }
}
