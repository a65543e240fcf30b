import Stoic

/// A round of a call that may be two attempts at once: one, and a second beside it where it is slow.
///
/// The second enters by itself, and waits for nothing. Both end by the first one's timeout.
struct HedgedRound: Sendable {
  /// What came of one attempt.
  struct Made: Sendable {
    let outcome: AttemptOutcome
    let verdict: Verdict
    /// How many times the transport sent the request again on its own.
    let repeats: Int
  }

  /// An attempt that brought no success: the hedge looks at the other one, unless this one ends the round.
  private struct Unanswered: Retryable {
    let made: Made
    let endsRound: Bool

    var retryAdvice: RetryAdvice { endsRound ? .final : .retry }
  }

  /// A second attempt that gets its turn when the time of both is over: nothing is sent.
  private struct TooLate: RejectionCarrying {
    var rejection: Rejection? { nil }
    var isRefusal: Bool { true }
  }

  /// The attempts of a round that have ended.
  private final class Tally: Sendable {
    private let state = Lock([Made]())

    var ended: [Made] { state.withLock { $0 } }

    func end(_ made: Made) { state.withLock { $0.append(made) } }
  }

  let call: Call
  let host: Host
  let clock: AmbientClock
  let start: AmbientClock.Instant
  let end: AmbientClock.Instant
  /// How many attempts the call has made before.
  let attempts: Int
  /// Whether the server may have acted in one of those.
  let afterAmbiguity: Bool

  /// Makes the attempts.
  ///
  /// - Parameters:
  ///   - hedge: when a second one begins.
  ///   - pass: the first one's turn.
  ///   - admission: the first one's right, given back here.
  /// - Returns: what came of the attempt that decides, and of the other one where there is one.
  func run(
    _ hedge: Hedge, _ pass: Host.Pass?, _ admission: Host.Admission
  ) async -> (decisive: Made, others: [Made]) {
    let tally = Tally()
    var decisive: Made?
    do {
      decisive = try await hedge.run { which in
        guard which == .second else { return try await attempt(1, pass, admission, from: start, tally) }
        let now = clock.now
        guard now < end else { throw TooLate() }
        let (pass, admission) = try host.enterBeside(at: Moment(now, on: clock))
        return try await attempt(2, pass, admission, from: now, tally)
      }
    } catch {
      decisive = (error as? Unanswered)?.made
    }
    var made = tally.ended
    // Which of two equal outcomes decides does not matter.
    if let index = made.firstIndex(where: { $0.verdict == decisive?.verdict }) {
      decisive = made.remove(at: index)
    }
    if let decisive { return (decisive, made) }
    if let last = made.popLast() { return (last, made) }
    // The hedge had no attempt made, which it does for nobody: the right is still held.
    let verdict = Verdict(.cancelled, of: call.request, policy: call.pipeline.policy)
    host.leave(admission, verdict, at: Moment(on: clock))
    if let pass { host.giveBack(pass) }
    return (Made(outcome: .cancelled, verdict: verdict, repeats: 0), [])
  }

  private func attempt(
    _ number: Int, _ pass: Host.Pass?, _ admission: Host.Admission, from start: AmbientClock.Instant,
    _ tally: Tally
  ) async throws -> Made {
    let run = AttemptRun(call: call, host: host, pass: pass, clock: clock, start: start, end: end)
    let (outcome, repeats) = await run.run()
    let verdict = Verdict(
      outcome, of: call.request, policy: call.pipeline.policy, afterAmbiguity: afterAmbiguity)
    let now = Moment(on: clock)
    host.leave(admission, verdict, at: now)
    call.events.attempt(attempts + number, outcome, verdict, took: start.duration(to: now.instant))
    let made = Made(outcome: outcome, verdict: verdict, repeats: repeats)
    tally.end(made)
    guard case .answered = outcome, verdict.isSuccess else {
      throw Unanswered(made: made, endsRound: endsRound(after: outcome, verdict))
    }
    return made
  }

  /// Whether no other attempt has to be waited for.
  ///
  /// Of requests that change something, what one attempt finds may be what the other one has done.
  private func endsRound(after outcome: AttemptOutcome, _ verdict: Verdict) -> Bool {
    switch outcome {
    case .answered, .failed, .timedOut: verdict.advice == .final && call.request.method.isSafe
    // The other one has the same end, and what comes with it counts.
    case .deadlinePassed, .cancelled: false
    }
  }
}
