/// Where a retried call stands: which attempt it makes, and what follows a failure.
///
/// Pure: it knows no clock and waits for nothing.
package struct RetryState {
  /// What follows a failed attempt.
  package enum Step: Equatable, Sendable {
    /// Wait so long, then make the next attempt.
    case wait(Duration)
    /// Make no other attempt.
    case stop(Stop)
  }

  /// Why no other attempt is made.
  package enum Stop: Equatable, Sendable {
    /// The failure is final.
    case final
    /// All attempts are made.
    case exhausted
    /// The wait would end at the deadline or after it.
    case deadline
    /// The wait would end while a breaker is certain to refuse still, for so long from now.
    case refused(for: Duration)
    /// The retry budget is spent.
    case budget
  }

  private let schedule: RetrySchedule
  private let maxAttempts: Int

  /// The last wait before jitter's next draw; decorrelated jitter grows from it.
  private var lastWait: Duration?

  /// The number of the attempt that is made or was made last, from 1.
  package private(set) var attempt = 1

  /// - Parameter isNested: whether the call runs inside another retry's attempt.
  package init(_ schedule: RetrySchedule, isNested: Bool) {
    self.schedule = schedule
    maxAttempts = isNested && schedule.nesting == .singleAttempt ? 1 : schedule.maxAttempts
  }

  /// Decides what follows the failure of the current attempt.
  ///
  /// A wait that the failure asks for is never cut short, nor is the schedule's. With jitter the schedule's draw comes
  /// on top of what was asked: callers who were all told the same time must not return together.
  ///
  /// - Parameters:
  ///   - advice: what the failure says about trying again.
  ///   - remaining: the time until the deadline; nil where there is none.
  ///   - refusedFor: the time for which a breaker is certain to refuse.
  ///   - random: where jitter is drawn from.
  package mutating func next(
    after advice: RetryAdvice, remaining: Duration?, refusedFor: Duration = .zero, random: RandomSource
  ) -> Step {
    if advice == .final { return .stop(.final) }
    guard attempt < maxAttempts else { return .stop(.exhausted) }
    let scheduled = schedule.wait(afterRetries: attempt - 1, previous: lastWait, random: random)
    var wait = scheduled
    if case .retryAfter(let asked) = advice {
      wait = schedule.jitter == .none ? max(asked, scheduled) : max(.zero, asked).saturatingAdd(scheduled)
    }
    if let remaining, wait >= remaining { return .stop(.deadline) }
    if wait < refusedFor { return .stop(.refused(for: refusedFor)) }
    lastWait = scheduled
    return .wait(wait)
  }

  /// Counts the next attempt, which begins.
  package mutating func advance() {
    attempt += 1
  }
}
