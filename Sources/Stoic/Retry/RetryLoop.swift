/// The part that every retried call shares: decide after a failure, say so, and wait.
package struct RetryLoop {
  private let values: AmbientValues
  private let deadline: AmbientClock.Instant?
  private let label: String
  private let budget: RetryBudget?
  private let isNested: Bool
  private let flight: FlightChain?
  private var state: RetryState
  /// What was paid for a retry that has not reached what it calls.
  private var unspent: RetryBudgetState.Withdrawal?

  /// - Parameters:
  ///   - schedule: how often, and with which waits.
  ///   - values: what is in force around the call.
  ///   - deadline: the instant by which the call has to end; nil when there is none.
  ///   - budget: what pays for retries; nil where nothing bounds them together.
  ///   - isNested: whether the call is part of another retry's attempt; nil where the values say so.
  ///   - flight: the flight that the attempts are made for, where it is not that of the values.
  ///   - label: whose call it is, for events.
  package init(
    _ schedule: RetrySchedule, in values: AmbientValues, deadline: AmbientClock.Instant?,
    budget: RetryBudget? = nil, isNested: Bool? = nil,
    flight: FlightChain? = nil, label: String
  ) {
    self.values = values
    self.deadline = deadline
    self.label = label
    self.budget = budget
    self.flight = flight ?? values.flight
    self.isNested = isNested ?? (values.attempt != nil)
    state = RetryState(schedule, isNested: self.isNested)
  }

  /// The number of the attempt that is made or was made last, from 1.
  package var attempt: Int { state.attempt }

  /// Runs one attempt, so that a retry inside it can tell that it is nested.
  package func runAttempt<Value>(_ body: () async throws -> Value) async rethrows -> Value {
    try await values(until: nil).inForce(body)
  }

  /// What is in force inside an attempt, so that a retry inside it can tell that it is nested.
  package func values(until attemptDeadline: AmbientClock.Instant?) -> AmbientValues {
    let context = AttemptContext(number: state.attempt)
    return values.with(attempt: context, deadline: attemptDeadline ?? deadline, flight: flight)
  }

  /// Waits for the next attempt where there is to be one; the budget pays for it before the wait.
  ///
  /// - Parameters:
  ///   - advice: what the failure says about trying again.
  ///   - reason: the failure as a short word, for events.
  ///   - refusedFor: the time for which a breaker is certain to refuse.
  /// - Returns: the wait that was made, or why there is no other attempt.
  /// - Throws: `CancellationError` when cancelled while waiting.
  package mutating func pause(
    after advice: RetryAdvice, reason: @autoclosure () -> String, refusedFor: Duration = .zero
  ) async throws -> RetryState.Step {
    let step = decide(after: advice, reason: reason, refusedFor: refusedFor)
    if case .wait(let wait) = step {
      try await values.clock.sleep(until: values.clock.now.advanced(by: wait))
    }
    return step
  }

  /// Decides what follows, pays for it and says so.
  ///
  /// Apart from the wait, whose frame so stays small.
  @inline(never) private mutating func decide(
    after advice: RetryAdvice, reason: () -> String, refusedFor: Duration
  ) -> RetryState.Step {
    let remaining = deadline.map { values.clock.now.duration(to: $0) }
    let step = state.next(
      after: advice, remaining: remaining, refusedFor: refusedFor, random: values.random)
    switch step {
    case .wait(let wait):
      if let budget {
        guard let withdrawal = budget.withdraw() else {
          Ambient.record("retry.budget_exhausted", .notice, label: label, fields(reason()))
          return .stop(.budget)
        }
        if let unspent { budget.refund(unspent) }
        unspent = withdrawal
        values.ledger?.tell("pays for a retry; the budget has \(budget.available) left")
      }
      state.advance()
      Ambient.record(
        "retry.scheduled", .debug, label: label, fields(reason(), wait: wait, asked: advice.asked))
    case .stop(.deadline):
      Ambient.record("retry.deadline_skip", .info, label: label, fields(reason()))
    case .stop(.refused):
      Ambient.record("retry.breaker_skip", .info, label: label, fields(reason()))
    case .stop(.exhausted) where state.attempt > 1:
      Ambient.record("retry.exhausted", .info, label: label, fields(reason()))
    case .stop:
      break
    }
    return step
  }

  /// Notes that the attempt has reached what it calls: what was paid for it is spent.
  package mutating func reached() {
    unspent = nil
  }

  /// Ends the call: a retry that was paid for and not made is given back.
  ///
  /// - Parameters:
  ///   - hasSucceeded: whether the call earns the budget something.
  ///   - moment: the present one, where it is known.
  package mutating func end(hasSucceeded: Bool, at moment: Moment? = nil) {
    if let unspent {
      Ambient.reach("retry.refunded")
      budget?.refund(unspent)
    }
    unspent = nil
    // The call around pays in for itself.
    if hasSucceeded, !isNested { budget?.deposit(at: moment) }
  }

  private func fields(_ reason: String, wait: Duration? = nil, asked: Duration? = nil) -> [Event.Field] {
    [
      Event.Field("attempt", "\(state.attempt)"), wait.map { Event.Field("delay", $0.text) },
      asked.map { Event.Field("asked", $0.text) }, Event.Field("reason", reason),
    ].compactMap(\.self)
  }
}

extension RetryAdvice {
  /// The wait that the failure asks for.
  fileprivate var asked: Duration? {
    if case .retryAfter(let wait) = self { wait } else { nil }
  }
}
