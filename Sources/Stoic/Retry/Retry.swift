/// Runs a body until it succeeds, with a schedule's waits between its tries.
///
/// - An error that is ``Retryable`` decides for itself; `CancellationError` is never retried; every other error is.
/// - When it stops, for whatever cause, the last error of the body is rethrown; a cancelled task is not retried.
/// - A wait that would end at the ambient deadline or after it is not started.
/// - A budget pays for each retry before its wait, and a call that succeeds pays into it. A retry that is cancelled in its
///   wait, or whose body a breaker, bulkhead or rate limiter refuses, is given back.
/// - Inside another retry's attempt the schedule's ``RetrySchedule/nesting-swift.property`` decides; by default the body
///   is tried once.
///
/// The body runs where its caller is; it need not escape or be `Sendable`.
///
/// - Parameters:
///   - schedule: how often, and with which waits.
///   - budget: what bounds the retries of many calls together; nil for no such bound.
///   - label: whose work it is, for events.
///   - body: the work; it is told which attempt it makes.
/// - Throws: the body's last error, or `CancellationError` when cancelled while waiting.
public func retry<Value>(
  _ schedule: RetrySchedule = RetrySchedule(), budget: RetryBudget? = nil, label: String = "retry",
  _ body: (Attempt) async throws -> Value
) async throws -> Value {
  let values = Ambient.values
  var loop = RetryLoop(schedule, in: values, deadline: values.deadline, budget: budget, label: label)
  while true {
    do {
      let value = try await loop.runAttempt { try await body(Attempt(number: loop.attempt)) }
      loop.reached()
      loop.end(hasSucceeded: true)
      return value
    } catch {
      if (error as? any RejectionCarrying)?.isRefusal != true { loop.reached() }
      do {
        if Task.isCancelled { throw error }
        let step = try await loop.pause(after: RetryAdvice(for: error), reason: "\(type(of: error))")
        if case .stop = step { throw error }
      } catch {
        loop.end(hasSucceeded: false)
        throw error
      }
    }
  }
}

extension RetrySchedule {
  /// Runs a body by this schedule: the same as ``retry(_:budget:label:_:)``.
  public func run<Value>(
    budget: RetryBudget? = nil, label: String = "retry", _ body: (Attempt) async throws -> Value
  ) async throws -> Value {
    try await retry(self, budget: budget, label: label, body)
  }
}

extension Rejection {
  /// Whether the work was refused before it began, so that it has had no effect and no cost.
  package var isRefusal: Bool {
    switch reason {
    case .breakerOpen, .bulkheadFull, .rateLimited, .throttled: true
    case .budgetExhausted, .deadlineExceeded: false
    }
  }
}
