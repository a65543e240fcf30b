import Foundation
import Stoic

/// One call, from its first attempt to its answer, through the policies in their fixed order.
///
/// Outermost first:
///
/// 1. overall deadline: the caller's, tightened by the policy's `timeout`
/// 2. retry: the schedule's wait, or the one that the server asked for, paid for by the budget
/// 3. circuit breaker and bulkhead of the host: ``Host``
/// 4. attempt timeout
/// 5. the exchanges of the attempt: ``AttemptRun``
struct Call {
  /// What a call brought back, and what it took.
  struct Answer {
    let response: HTTPResponse
    let record: CallRecord
  }

  let transport: any HTTPTransport
  let hosts: HostRegistry
  let policy: HTTPPolicy
  let request: PreparedRequest
  let events: CallEvents
  /// What is in force around the call.
  let values: AmbientValues
  /// The instant by which the call has to end.
  let deadline: AmbientClock.Instant?

  init(
    _ request: PreparedRequest, over transport: any HTTPTransport, hosts: HostRegistry, policy: HTTPPolicy,
    label: String
  ) {
    self.transport = transport
    self.hosts = hosts
    self.policy = policy
    self.request = request
    events = CallEvents(request, label: label)
    values = Ambient.values
    let own = policy.timeout.map { [values] in values.clock.now.advanced(by: $0) }
    deadline = [values.deadline, own].compactMap(\.self).min()
  }

  /// Makes attempts until one succeeds or none may follow.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when the caller was cancelled.
  func run() async throws -> Answer {
    var log = CallLog(of: request, on: values.clock)
    do {
      return try await hosts.withHost(of: request.first.location.origin) { host in
        var retry = RetryLoop(
          policy.retry, in: values, deadline: deadline, budget: host.budget, label: events.label)
        var hasSucceeded = false
        defer { retry.end(hasSucceeded: hasSucceeded) }
        let answer = try await attempts(at: host, &retry, &log)
        hasSucceeded = true
        return answer
      }
    } catch let error as HTTPError {
      events.failed(error)
      throw error
    } catch {
      // A deadline ends its body by cancelling it: what the caller is to see is the deadline.
      guard values.deadline.map({ values.clock.now >= $0 }) ?? false else { throw error }
      let rejection = HTTPError.rejected(Rejection(.deadlineExceeded), call: log.record)
      events.failed(rejection)
      throw rejection
    }
  }

  private func attempts(at host: Host, _ retry: inout RetryLoop, _ log: inout CallLog) async throws -> Answer
  {
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
      let verdict = Verdict(outcome, of: request, policy: policy)
      host.leave(admission, verdict.breaker)
      log.add(verdict, waitBefore: waited)
      events.attempt(retry.attempt, outcome, verdict, took: start.duration(to: values.clock.now))
      if case .answered(let response) = outcome, verdict.isSuccess {
        return Answer(response: response, record: log.record)
      }
      if case .cancelled = outcome { throw CancellationError() }

      let step = try await retry.pause(
        after: verdict.advice, reason: verdict.word, refusedFor: host.refusedFor)
      guard case .wait(let wait) = step else { throw error(after: outcome, step, retry.attempt, log.record) }
      waited = wait
      events.retry(retry.attempt, after: wait, because: verdict)
    }
  }

  /// What the caller is told when no other attempt is made.
  private func error(
    after outcome: AttemptOutcome, _ step: RetryState.Step, _ attempt: Int, _ record: CallRecord
  ) -> HTTPError {
    let asked = outcome.requestedWait
    return switch step {
    case .stop(.deadline): .rejected(Rejection(.deadlineExceeded, retryAfter: asked), call: record)
    case .stop(.budget): .rejected(Rejection(.budgetExhausted, retryAfter: asked), call: record)
    case .stop(.refused(let time)): .rejected(Rejection(.breakerOpen, retryAfter: time), call: record)
    case .stop, .wait: HTTPError(outcome, attempt: attempt, limit: policy.maxResponseBytes, call: record)
    }
  }

  private func attempt(_ retry: RetryLoop, from start: AmbientClock.Instant) async -> AttemptOutcome {
    let timeout = start.advanced(by: policy.attemptTimeout)
    let end = deadline.map { min($0, timeout) } ?? timeout
    let run = AttemptRun(
      transport: transport, policy: policy, request: request, events: events, clock: values.clock, end: end,
      deadline: deadline, callersDeadline: values.deadline)
    return await retry.runAttempt(until: end == .distantFuture ? nil : end) { await run.run() }
  }

  private var isExpired: Bool {
    deadline.map { values.clock.now >= $0 } ?? false
  }
}
