import Stoic

/// The way of a call from its first attempt to its answer, through the policies in their fixed order.
///
/// Outermost first:
///
/// 1. overall deadline: the caller's, tightened by the policy's `timeout`
/// 2. retry: the schedule's wait, or the one that the server asked for, paid for by the budget
/// 3. the quotas that the server announces, and the rate limit: ``Host/pace(until:in:)``
/// 4. throttle, circuit breaker and bulkhead of the host: ``Host/enterAtOnce()``
/// 5. hedge: ``HedgedRound``
/// 6. attempt timeout
/// 7. the exchanges of the attempt: ``AttemptRun``
struct CallRun {
  private let call: Call
  /// Whether the call is part of another retry's attempt.
  private let isNested: Bool
  /// The flight that the call is made for; nil where it is that of the values, if any.
  private let flight: FlightChain?
  private let start: AmbientClock.Instant

  private var clock: AmbientClock { call.values.clock }

  init(_ call: Call, since start: AmbientClock.Instant, isNested: Bool, flight: FlightChain?) {
    self.call = call
    self.start = start
    self.isNested = isNested
    self.flight = flight
  }

  /// Makes attempts until one succeeds or none may follow.
  ///
  /// - Throws: ``HTTPError``, or `CancellationError` when cancelled.
  func run() async throws -> Call.Answer {
    let host = call.pipeline.hosts.take(call.request.first.location.origin)
    defer { call.pipeline.hosts.giveBack(host) }
    var log = CallLog(since: start, on: clock)
    var retry = RetryLoop(
      call.pipeline.policy.retry, in: call.values, deadline: call.deadline, budget: host.budget,
      isNested: isNested, flight: flight, label: host.label)
    do {
      let (response, end) = try await answer(of: host, &retry, &log)
      retry.end(hasSucceeded: true, at: Moment(end, on: clock))
      log.end(at: end)
      return Call.Answer(response, log)
    } catch {
      retry.end(hasSucceeded: false)
      guard let failure = error as? HTTPError else { throw call.failure(error, log) }
      call.events.failed(failure)
      throw failure
    }
  }

  @inline(never) private func answer(
    of host: Host, _ retry: inout RetryLoop, _ log: inout CallLog
  ) async throws -> (HTTPResponse, AmbientClock.Instant) {
    while true {
      let (outcome, verdict, end) = try await round(at: host, &retry, &log)
      if case .answered(let response) = outcome, verdict.isSuccess { return (response, end) }
      try await pause(after: outcome, verdict, at: host, &retry, &log)
    }
  }

  /// One attempt, from its turn on; with a hedge perhaps two.
  @inline(never) private func round(
    at host: Host, _ retry: inout RetryLoop, _ log: inout CallLog
  ) async throws -> (AttemptOutcome, Verdict, end: AmbientClock.Instant) {
    let pass = host.isPaced ? try await pass(to: host, retry.attempt, log) : nil
    var start = clock.now
    let atOnce = try admissionAtOnce(to: host, at: start, pass, retry.attempt, log)
    let admission: Host.Admission
    if let atOnce {
      admission = atOnce
    } else {
      admission = try await self.admission(to: host, pass, log)
      start = clock.now
    }
    retry.reached()
    if let hedge = hedge(of: host) {
      return await hedged(by: hedge, at: host, pass, admission, retry, from: start, &log)
    }
    return await single(at: host, pass, admission, retry, from: start, &log)
  }

  @inline(never) private func single(
    at host: Host, _ pass: Host.Pass?, _ admission: Host.Admission, _ retry: borrowing RetryLoop,
    from start: AmbientClock.Instant, _ log: inout CallLog
  ) async -> (AttemptOutcome, Verdict, end: AmbientClock.Instant) {
    let (outcome, repeats) = await attempt(at: host, pass, retry, from: start)
    let end = clock.now
    let verdict = judge(outcome, repeats, retry.attempt, took: start.duration(to: end), &log)
    host.leave(admission, verdict, at: Moment(end, on: clock))
    return (outcome, verdict, end)
  }

  @inline(never) private func judge(
    _ outcome: AttemptOutcome, _ repeats: Int, _ attempt: Int, took duration: Duration, _ log: inout CallLog
  ) -> Verdict {
    let verdict = Verdict(
      outcome, of: call.request, policy: call.pipeline.policy, afterAmbiguity: log.mayHaveActed)
    log.add(verdict, repeats: repeats)
    call.events.attempt(attempt, outcome, verdict, took: duration)
    return verdict
  }

  /// Waits for the next attempt.
  ///
  /// - Throws: what the caller is told when there is to be none.
  @inline(never) private func pause(
    after outcome: AttemptOutcome, _ verdict: Verdict, at host: Host, _ retry: inout RetryLoop,
    _ log: inout CallLog
  ) async throws {
    if case .cancelled = outcome { throw CancellationError() }
    let step = try await retry.pause(
      after: verdict.advice, reason: verdict.word, refusedFor: host.refusedFor)
    guard case .wait(let wait) = step else {
      throw error(after: outcome, verdict, step, log.attempts, log)
    }
    log.waited = wait
    call.events.retry(retry.attempt, after: wait, because: verdict)
  }

  /// The turn of the attempt, where the host is one whose calls are paced.
  @inline(never) private func pass(
    to host: Host, _ attempt: Int, _ log: borrowing CallLog
  ) async throws -> Host.Pass {
    try checkTime(at: clock.now, attempt, log)
    do { return try await host.pace(until: call.deadline, in: call.values) } catch let rejection as Rejection
    {
      throw HTTPError.rejected(rejection, call: log.record(of: call))
    }
  }

  /// Whether it is not too late for an attempt.
  private func checkTime(at now: AmbientClock.Instant, _ attempt: Int, _ log: borrowing CallLog) throws {
    try Task.checkCancellation()
    if let deadline = call.deadline, now >= deadline {
      throw HTTPError.rejected(Rejection(.deadlineExceeded), call: log.record(of: call))
    }
    guard call.pipeline.policy.attemptTimeout > .zero else {
      throw HTTPError.timedOut(attempt: attempt, call: log.record(of: call))
    }
  }

  /// The right to make an attempt, unless it is too late for one or the host's policies refuse it; nil where it has to be
  /// waited for.
  @inline(never) private func admissionAtOnce(
    to host: Host, at now: AmbientClock.Instant, _ pass: Host.Pass?, _ attempt: Int, _ log: borrowing CallLog
  ) throws -> Host.Admission? {
    do {
      try checkTime(at: now, attempt, log)
      return try host.enterAtOnce(at: Moment(now, on: clock))
    } catch {
      if let pass { host.giveBack(pass) }
      guard let rejection = error as? Rejection else { throw error }
      throw HTTPError.rejected(rejection, call: log.record(of: call))
    }
  }

  @inline(never) private func admission(
    to host: Host, _ pass: Host.Pass?, _ log: borrowing CallLog
  ) async throws -> Host.Admission {
    do { return try await host.enter(pass, until: call.deadline, in: call.values) } catch {
      if let pass { host.giveBack(pass) }
      guard let rejection = error as? Rejection else { throw error }
      throw HTTPError.rejected(rejection, call: log.record(of: call))
    }
  }

  @inline(never) private func attempt(
    at host: Host, _ pass: Host.Pass?, _ retry: borrowing RetryLoop, from start: AmbientClock.Instant
  ) async -> (outcome: AttemptOutcome, repeats: Int) {
    let end = attemptEnd(from: start)
    let run = AttemptRun(call: call, host: host, pass: pass, clock: clock, start: start, end: end)
    let inside = retry.values(until: end == .distantFuture ? nil : end)
    return await inside.inForce { await run.run() }
  }

  /// What starts a second attempt beside a slow one, where that does no harm.
  private func hedge(of host: Host) -> Hedge? {
    guard let hedge = host.hedge, call.request.method.isRepeatedByClient else { return nil }
    // Within another's attempt that one decides how many there are.
    return isNested && call.pipeline.policy.retry.nesting == .singleAttempt ? nil : hedge
  }

  /// Makes an attempt, and a second one beside it where it is slow.
  @inline(never) private func hedged(
    by hedge: Hedge, at host: Host, _ pass: Host.Pass?, _ admission: Host.Admission,
    _ retry: borrowing RetryLoop, from start: AmbientClock.Instant, _ log: inout CallLog
  ) async -> (AttemptOutcome, Verdict, end: AmbientClock.Instant) {
    let end = attemptEnd(from: start)
    let round = HedgedRound(
      call: call, host: host, clock: clock, start: start, end: end, attempts: log.attempts,
      afterAmbiguity: log.mayHaveActed)
    let inside = retry.values(until: end == .distantFuture ? nil : end)
    let made = await inside.inForce { await round.run(hedge, pass, admission) }
    for attempt in made.others + [made.decisive] {
      log.add(attempt.verdict, repeats: attempt.repeats)
      // The one beside it was made without a wait of its own.
      log.waited = .zero
    }
    return (made.decisive.outcome, made.decisive.verdict.heeding(made.others.map(\.verdict)), clock.now)
  }

  private func attemptEnd(from start: AmbientClock.Instant) -> AmbientClock.Instant {
    let timeout = start.advanced(by: call.pipeline.policy.attemptTimeout)
    return call.deadline.map { min($0, timeout) } ?? timeout
  }

  /// What the caller is told when no other attempt is made.
  @inline(never) private func error(
    after outcome: AttemptOutcome, _ verdict: Verdict, _ step: RetryState.Step, _ attempt: Int, _ log: CallLog
  ) -> HTTPError {
    let (asked, record) = (verdict.requestedWait, log.record(of: call))
    return switch step {
    case .stop(.deadline): .rejected(Rejection(.deadlineExceeded, retryAfter: asked), call: record)
    case .stop(.budget): .rejected(Rejection(.budgetExhausted, retryAfter: asked), call: record)
    case .stop(.refused(let time)): .rejected(Rejection(.breakerOpen, retryAfter: time), call: record)
    case .stop, .wait:
      HTTPError(
        outcome, verdict, attempt: attempt, limit: call.pipeline.policy.maxResponseBytes, call: record)
    }
  }
}
