/// Bounds the retries of many calls together, so that retrying cannot multiply an outage.
///
/// Each call that succeeds earns a fraction of a retry, and each retry costs a whole one:
/// `available = minimumRetries + floor(ratio * successes) - retries`, all of the last `window`. In a total outage nothing
/// is earned and the floor alone is left: with the default numbers ten retries in ten seconds, however many calls fail.
/// (Finagle's retry budget; Google's SRE book, chapter 22.)
///
/// Share one budget between the calls that load the same thing: a copy of the reference is the same budget.
///
/// ```swift
/// import Stoic
///
/// let budget = RetryBudget(ratio: 0.2, minimumRetries: 10, window: .seconds(10))
///
/// func row(_ id: Int) async throws -> String {
///   try await retry(RetrySchedule(maxAttempts: 3), budget: budget) { _ in try await query(id) }
/// }
///
/// func query(_ id: Int) async throws -> String { "row \(id)" }
/// ```
///
/// - A first attempt is never refused.
/// - A retry is paid for before its wait, so that a crowd that waits has paid already; what was paid is given back when
///   the retry is not made: cancelled in the wait, refused by a breaker or a bulkhead inside.
/// - A call that was refused neither earns nor costs.
///
/// Time is that of the clock in force at the first use. Safe to use from any task.
public final class RetryBudget: Sendable {
  /// Retries earned by each success, from 0 to 1,000, in steps of a millionth.
  public let ratio: Double
  /// Retries that are there without any success, at least 0.
  public let minimumRetries: Int
  /// How long a success or a retry counts, at least a nanosecond.
  public let window: Duration

  private let state: Lock<RetryBudgetState>
  private let clock = FirstClock()

  /// Makes a budget.
  ///
  /// - Parameters:
  ///   - ratio: retries earned by each success; negative and not a number are taken for 0, more than 1,000 for 1,000.
  ///   - minimumRetries: retries in each window that need no success; negative is taken for 0.
  ///   - window: how long a success or a retry counts; zero and negative are taken for a nanosecond.
  public init(ratio: Double = 0.2, minimumRetries: Int = 10, window: Duration = .seconds(10)) {
    let perMillion = ratio.isNaN ? 0 : Int((min(max(0, ratio), 1_000) * 1_000_000).rounded())
    self.ratio = Double(perMillion) / 1_000_000
    self.minimumRetries = max(0, minimumRetries)
    self.window = max(.nanoseconds(1), window.clamped)
    state = Lock(
      RetryBudgetState(
        perMillion: perMillion, minimumRetries: self.minimumRetries, window: self.window))
  }

  /// How many retries may be made now.
  public var available: Int {
    let now = clock.peek
    return state.withLock { state in
      // A look moves no time on.
      var copy = state
      return copy.available(at: now)
    }
  }

  /// Notes that a call has succeeded; once for each call, however many attempts it took.
  ///
  /// ``retry(_:budget:label:_:)`` does this by itself.
  ///
  /// - Parameter moment: the present one, where it is known.
  package func deposit(at moment: Moment? = nil) {
    let now = clock.time(at: moment)
    state.withLock { $0.deposit(at: now) }
  }

  /// Pays for a retry; nil when the budget is spent.
  package func withdraw() -> RetryBudgetState.Withdrawal? {
    let now = clock.now
    return state.withLock { $0.withdraw(at: now) }
  }

  /// Gives back what was paid for a retry that was not made.
  package func refund(_ withdrawal: RetryBudgetState.Withdrawal) {
    state.withLock { $0.refund(withdrawal) }
  }
}

extension RetryBudget: CustomStringConvertible {
  /// The budget's numbers.
  public var description: String {
    "retry budget (\(minimumRetries) and \(ratio) of the successes in \(window.text))"
  }
}
