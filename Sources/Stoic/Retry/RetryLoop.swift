/// The part that every retried call shares: decide after a failure, say so, and wait.
package struct RetryLoop {
  private let values: AmbientValues
  private let deadline: AmbientClock.Instant?
  private let label: String
  private var state: RetryState

  /// - Parameters:
  ///   - schedule: how often, and with which waits.
  ///   - values: what is in force around the call.
  ///   - deadline: the instant by which the call has to end; nil when there is none.
  ///   - label: whose call it is, for events.
  package init(
    _ schedule: RetrySchedule, in values: AmbientValues, deadline: AmbientClock.Instant?, label: String
  ) {
    self.values = values
    self.deadline = deadline
    self.label = label
    state = RetryState(schedule, isNested: values.attempt != nil)
  }

  /// The number of the attempt that is made or was made last, from 1.
  package var attempt: Int { state.attempt }

  /// Runs one attempt, so that a retry inside it can tell that it is nested.
  package func runAttempt<Value>(
    until attemptDeadline: AmbientClock.Instant? = nil, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let context = AttemptContext(number: state.attempt)
    let inside = values.with(attempt: context, deadline: attemptDeadline ?? deadline)
    return try await Ambient.$values.withValue(inside) { try await body() }
  }

  /// Waits for the next attempt where there is to be one.
  ///
  /// - Parameters:
  ///   - advice: what the failure says about trying again.
  ///   - reason: the failure as a short word, for events.
  /// - Returns: the wait that was made, or why there is no other attempt.
  /// - Throws: `CancellationError` when cancelled while waiting.
  package mutating func pause(after advice: RetryAdvice, reason: String) async throws -> RetryState.Step {
    let remaining = deadline.map { values.clock.now.duration(to: $0) }
    let step = state.next(after: advice, remaining: remaining, random: values.random)
    switch step {
    case .wait(let wait):
      Ambient.record("retry.scheduled", .debug, label: label, fields(reason, wait: wait, asked: advice.asked))
      try await values.clock.sleep(until: values.clock.now.advanced(by: wait))
    case .stop(.deadline):
      Ambient.record("retry.deadline_skip", .info, label: label, fields(reason))
    case .stop(.exhausted) where state.attempt > 1:
      Ambient.record("retry.exhausted", .info, label: label, fields(reason))
    case .stop:
      break
    }
    return step
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
