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

    /// Whether the server, or the way to it, has told that another try would end the same way.
    var isFinal: Bool {
      switch outcome {
      case .answered, .failed, .timedOut: !verdict.isSuccess && !verdict.mayBeFollowed
      // The other one has the same end, and what comes with it counts.
      case .deadlinePassed, .cancelled: false
      }
    }
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
      decisive = try await hedge.run(tellsStart: true) { which in
        guard which == .second else { return try await attempt(1, pass, admission, from: start, tally) }
        let now = clock.now
        guard now < end else { throw TooLate() }
        let (pass, admission) = try enterBeside(hedge, at: now)
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
    if let last = decisive, last.verdict.mayBeFollowed, let index = made.firstIndex(where: \.isFinal) {
      // Neither has succeeded: whichever began first, another try meets what the final one has told.
      decisive = made[index]
      made[index] = last
    }
    if let decisive { return (decisive, made) }
    if let last = made.popLast() { return (last, made) }
    // The hedge had no attempt made, which it does for nobody: the right is still held.
    let verdict = Verdict(.cancelled, of: call.request, policy: call.pipeline.policy)
    host.leave(admission, verdict, at: Moment(on: clock))
    if let pass { host.giveBack(pass) }
    return (Made(outcome: .cancelled, verdict: verdict, repeats: 0), [])
  }

  /// Enters for the second attempt, and tells that it begins, or why there is none.
  private func enterBeside(
    _ hedge: Hedge, at now: AmbientClock.Instant
  ) throws(Rejection) -> (Host.Pass?, Host.Admission) {
    do throws(Rejection) {
      let entry = try host.enterBeside(at: Moment(now, on: clock))
      hedge.started(after: start.duration(to: now))
      return entry
    } catch {
      hedge.throttled(error.reason.rawValue)
      throw error
    }
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
      // Of requests that change something, what one attempt finds may be what the other one has done.
      throw Unanswered(made: made, endsRound: made.isFinal && call.request.method.isSafe)
    }
    return made
  }
}
