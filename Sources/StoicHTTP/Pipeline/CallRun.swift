import Stoic

/// The way of a call from its first attempt to its answer, through the policies in their fixed order.
///
/// Outermost first:
///
/// 1. overall deadline: the caller's, tightened by the policy's `timeout`
/// 2. retry: the schedule's wait, or the one that the server asked for, paid for by the budget
/// 3. circuit breaker and bulkhead of the host: ``Host``
/// 4. attempt timeout
/// 5. the exchanges of the attempt: ``AttemptRun``
struct CallRun {
  private let call: Call
  /// What is in force: the caller's, or the flight's.
  private let values: AmbientValues
  /// Whether the call is part of another retry's attempt.
  private let isNested: Bool

  private var policy: HTTPPolicy { call.pipeline.policy }
  private var deadline: AmbientClock.Instant? { call.deadline }

  init(_ call: Call, in values: AmbientValues, isNested: Bool) {
    self.call = call
    self.values = values
    self.isNested = isNested
  }

  /// Makes attempts until one succeeds or none may follow.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when cancelled.
  func run() async throws -> Call.Answer {
    var log = CallLog(of: call.request, on: values.clock, since: values.clock.now)
    do {
      return try await call.pipeline.hosts.withHost(of: call.request.first.location.origin) { host in
        var retry = RetryLoop(
          policy.retry, in: values, deadline: deadline, budget: host.budget, isNested: isNested,
          label: host.label)
        var hasSucceeded = false
        defer { retry.end(hasSucceeded: hasSucceeded) }
        let answer = try await attempts(at: host, &retry, &log)
        hasSucceeded = true
        return answer
      }
    } catch let error as HTTPError {
      call.events.failed(error)
      throw error
    } catch {
      throw call.failure(error, log)
    }
  }

  private func attempts(
    at host: Host, _ retry: inout RetryLoop, _ log: inout CallLog
  ) async throws -> Call.Answer {
    var waited = Duration.zero
    while true {
      try Task.checkCancellation()
      guard !isExpired else { throw HTTPError.rejected(Rejection(.deadlineExceeded), call: log.record) }
      guard policy.attemptTimeout > .zero else {
        throw HTTPError.timedOut(attempt: retry.attempt, call: log.record)
      }

      let admission: Host.Admission
      do { admission = try await host.enter(until: deadline, in: values) } catch let rejection as Rejection {
        throw HTTPError.rejected(rejection, call: log.record)
      }
      retry.reached()
      let start = values.clock.now
      let outcome = await attempt(retry, from: start)
      let verdict = Verdict(
        outcome, of: call.request, policy: policy, afterAmbiguity: log.mayHaveActed)
      host.leave(admission, verdict.breaker)
      log.add(verdict, waitBefore: waited)
      call.events.attempt(retry.attempt, outcome, verdict, took: start.duration(to: values.clock.now))
      if case .answered(let response) = outcome, verdict.isSuccess {
        return Call.Answer(response: response, record: log.record)
      }
      if case .cancelled = outcome { throw CancellationError() }

      let step = try await retry.pause(
        after: verdict.advice, reason: verdict.word, refusedFor: host.refusedFor)
      guard case .wait(let wait) = step else {
        throw error(after: outcome, verdict, step, retry.attempt, log.record)
      }
      waited = wait
      call.events.retry(retry.attempt, after: wait, because: verdict)
    }
  }

  /// What the caller is told when no other attempt is made.
  private func error(
    after outcome: AttemptOutcome, _ verdict: Verdict, _ step: RetryState.Step, _ attempt: Int,
    _ record: CallRecord
  ) -> HTTPError {
    let asked = verdict.requestedWait
    return switch step {
    case .stop(.deadline): .rejected(Rejection(.deadlineExceeded, retryAfter: asked), call: record)
    case .stop(.budget): .rejected(Rejection(.budgetExhausted, retryAfter: asked), call: record)
    case .stop(.refused(let time)): .rejected(Rejection(.breakerOpen, retryAfter: time), call: record)
    case .stop, .wait:
      HTTPError(outcome, verdict, attempt: attempt, limit: policy.maxResponseBytes, call: record)
    }
  }

  private func attempt(_ retry: RetryLoop, from start: AmbientClock.Instant) async -> AttemptOutcome {
    let timeout = start.advanced(by: policy.attemptTimeout)
    let end = deadline.map { min($0, timeout) } ?? timeout
    let run = AttemptRun(
      transport: call.pipeline.transport, policy: policy, request: call.request, events: call.events,
      clock: values.clock, end: end, deadline: deadline, callersDeadline: call.values.deadline)
    return await retry.runAttempt(until: end == .distantFuture ? nil : end) { await run.run() }
  }

  private var isExpired: Bool {
    deadline.map { values.clock.now >= $0 } ?? false
  }
}
