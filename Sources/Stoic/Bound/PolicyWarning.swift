/// A combination of a policy's numbers that cannot work: something in it has no effect, or undoes something else.
///
/// A policy without warnings is not proven good; one with a warning does not do what it says. Ask for none in a test:
///
/// ```swift
/// import Stoic
///
/// func check(_ policy: Policy) -> [String] { policy.warnings.map(\.description) }
/// ```
@nonexhaustive
public enum PolicyWarning: Sendable, Hashable {
  /// A call or an attempt has no time at all: nothing is ever sent.
  case noTime(Duration)
  /// An attempt may take as long as the whole call, or longer.
  case attemptTimeoutPastDeadline(attempt: Duration, deadline: Duration)
  /// A call may wait for its turn as long as it may take as a whole, or longer.
  case queueTimeoutPastDeadline(queue: Duration, deadline: Duration)
  /// Calls may queue, and leave the queue at once.
  case queueWithoutTime(queueLimit: Int)
  /// The longest wait is shorter than the first one.
  case capBelowBase(cap: Duration, base: Duration)
  /// There is a retry, and it makes one attempt.
  case retryOfOneAttempt
  /// There is a retry within the attempts of another, which makes one attempt there.
  case retryWithinRetry(attempts: Int)
  /// The waits alone take longer than the call may, so that not all attempts can be made.
  case attemptsPastDeadline(possible: Int, attempts: Int, deadline: Duration)
  /// The budget has no floor, and successes earn nothing.
  case budgetNeverPays
  /// The budget has no floor, so that there is no retry until calls have succeeded.
  case budgetWithoutFloor(ratio: Double)
  /// So few calls that hang end in the breaker's window that it may never open: `minimumCalls * timeout / window` is above
  /// the number that run at once.
  case breakerNeverOpens(minimumCalls: Int, timeout: Duration, window: Duration, concurrency: Int)
  /// The breaker's window is shorter than two calls that hang.
  case breakerWindowTooShort(window: Duration, timeout: Duration)
  /// The longest open time is shorter than the first one.
  case openTimeBelowFirst(longest: Duration, first: Duration)
  /// Calls are called slow only when they have timed out already.
  case slowCallsTimeOut(slow: Duration, timeout: Duration)
  /// A probe counts as failed before its call can time out.
  case probeTimeoutTooShort(probe: Duration, timeout: Duration)
  /// A time limit is around a breaker and none inside, so that calls that hang are cancelled and not counted.
  case breakerInsideTimeLimit(limit: Duration)
  /// A hedge would begin when the attempt beside it has timed out already.
  case hedgeAfterTimeout(delay: Duration, timeout: Duration)
  /// One of the two budgets that pay for a hedge has nothing to begin with, and earns nothing.
  case hedgeNeverPaid
  /// A second attempt finds no permit while the first one has it: there is a single one.
  case hedgeWithoutRoom(permits: Int)
  /// A second attempt is due, or ends with the first one, before the rate limit has a token for it.
  case rateLimitBelowHedge(token: Duration, latest: Duration)
  /// The rate limit has not as many tokens for a call as it may make attempts, before the call's time is over.
  case rateLimitBelowRetry(possible: Int, attempts: Int, deadline: Duration)
  /// A second attempt may not wait until the rate limit has a token for it, and is refused.
  case rateLimitRefusesRetry(token: Duration, latest: Duration)
  /// The rate limit lets so few calls begin in the breaker's window that it may never open.
  case rateLimitBelowBreaker(possible: Int, minimumCalls: Int, window: Duration)
  /// An adaptive bulkhead has one limit only.
  case limitCannotAdapt(limit: Int)
  /// A throttle refuses no share of the calls.
  case throttleNeverRefuses
  /// A throttle lets through no more calls than are accepted, so that a share that it refuses shrinks by chance alone.
  case throttleHardlyRecovers(multiplier: Double)
  /// The rate limit is below the rate from which on the throttle refuses.
  case rateLimitBelowThrottle(limit: Double, minimum: Double)
  /// A server's quotas are heeded, and waited for no time at all: none has an effect.
  case quotaWithoutWait(Duration)
  /// The policy makes faults itself.
  case injectsFaults(String)
}

extension PolicyWarning: CustomStringConvertible {
  /// What cannot work, with the numbers, and what to do, in one sentence.
  public var description: String {
    switch self {
    case .noTime(let time):
      "there is no time to send anything, since a time limit is \(time.text); set one above zero, or none"
    case .attemptTimeoutPastDeadline(let attempt, let deadline):
      "an attempt may take \(attempt.text) and all attempts together \(deadline.text), so one that hangs is never "
        + "timed out and never retried; make the attempt timeout the shorter one"
    case .queueTimeoutPastDeadline(let queue, let deadline):
      "a call may queue for \(queue.text) and take \(deadline.text) as a whole, so the queue's timeout never comes; "
        + "make it the shorter one"
    case .queueWithoutTime(let limit):
      "\(limit) calls may queue, for no time at all, so none ever gets its turn; set a queue timeout above zero, or a "
        + "queue limit of 0"
    case .capBelowBase(let cap, let base):
      "the longest wait is \(cap.text) and the first one \(base.text), so the first one is never waited; make the cap "
        + "the longer one"
    case .retryOfOneAttempt:
      "a retry is set up and makes 1 attempt, so it never retries and its budget is never used; allow 2 or more, or "
        + "leave retry and budget out"
    case .retryWithinRetry(let attempts):
      "a retry of \(attempts) attempts is within another retry and makes 1 there, since the outer one owns retrying; "
        + "leave one of them out, or make the inner one independent"
    case .attemptsPastDeadline(let possible, let attempts, let deadline):
      "of \(attempts) attempts no more than \(possible) can begin within \(deadline.text), since the waits take longer; "
        + "shorten the waits, or allow fewer attempts or more time"
    case .budgetNeverPays:
      "the budget has 0 retries and each success earns 0, so nothing is ever retried; raise one of them, or make 1 attempt"
    case .budgetWithoutFloor(let ratio):
      "the budget has 0 retries of its own and \(ratio) for each success, so a client that has just started, or calls "
        + "seldom, never retries; give it a minimum of 1 or more"
    case .breakerNeverOpens(let calls, let timeout, let window, let concurrency):
      "the breaker wants \(calls) calls in \(window.text), and \(concurrency) at once that hang for \(timeout.text) each "
        + "are fewer in that time, so it may never open; lengthen its window, or ask for fewer calls"
    case .breakerWindowTooShort(let window, let timeout):
      "the breaker looks at \(window.text) and a call may take \(timeout.text), so it forgets calls that hang as fast as "
        + "they fail; make the window at least \((timeout.saturatingAdd(timeout)).text)"
    case .openTimeBelowFirst(let longest, let first):
      "the breaker is open for at most \(longest.text) and the first time for \(first.text), so that time never grows; "
        + "make the longest the longer one"
    case .slowCallsTimeOut(let slow, let timeout):
      "a call is slow from \(slow.text) on and times out after \(timeout.text), so none is ever called slow; make the "
        + "slow time the shorter one"
    case .probeTimeoutTooShort(let probe, let timeout):
      "a probe counts as failed after \(probe.text) and its call may take \(timeout.text), so a slow success cannot "
        + "close the breaker; make the probe timeout the longer one"
    case .breakerInsideTimeLimit(let limit):
      "a limit of \(limit.text) is around the breaker and none inside, so calls that hang are cancelled and not counted, "
        + "and it never opens; put a timeout inside"
    case .hedgeAfterTimeout(let delay, let timeout):
      "a second attempt begins after \(delay.text) and the first one has timed out after \(timeout.text), so there is "
        + "never one; make the delay the shorter one"
    case .hedgeNeverPaid:
      "a hedge is paid for by a budget of its own and by the retry budget, and one of them has 0 and earns 0, so there "
        + "is never one; give both a minimum or a ratio"
    case .hedgeWithoutRoom(let permits):
      "there is \(permits) permit and the first attempt holds it, so no second one can begin beside it; allow 2 or more at "
        + "once, or leave the hedge out"
    case .rateLimitBelowHedge(let token, let latest):
      "the rate limit has a token every \(token.text) and 1 at once, and a second attempt is due within \(latest.text), so "
        + "there is none for it; allow a burst of 2 or more, or leave the hedge out"
    case .rateLimitBelowRetry(let possible, let attempts, let deadline):
      "of \(attempts) attempts no more than \(possible) have a token of the rate limit within \(deadline.text); raise its rate "
        + "or burst, or allow fewer attempts or more time"
    case .rateLimitRefusesRetry(let token, let latest):
      "the rate limit has a token every \(token.text) and 1 at once, and a second attempt may wait for it until \(latest.text) "
        + "at the latest, so it is refused unless a failure asks for a longer wait; allow a burst of 2 or more, or a longer queue"
    case .rateLimitBelowBreaker(let possible, let calls, let window):
      "the breaker wants \(calls) calls in \(window.text) and the rate limit lets \(possible) begin in it, so it may never "
        + "open; lengthen its window, or ask for fewer calls"
    case .limitCannotAdapt(let limit):
      "the adaptive bulkhead may go from \(limit) to \(limit), so it cannot adapt; widen its limits, or take a fixed one"
    case .throttleNeverRefuses:
      "the throttle refuses at most 0 of the calls, so it has no effect; raise its largest share, or leave it out"
    case .throttleHardlyRecovers(let multiplier):
      "the throttle lets through \(multiplier) call for each accepted one, so a share that it once refuses shrinks by chance "
        + "alone when all is well again; let through more of them, such as 2"
    case .rateLimitBelowThrottle(let limit, let minimum):
      "the throttle is off below \(minimum) calls a second and the rate limit lets \(limit) begin, so it hardly ever "
        + "refuses, in a burst at most; lower its minimum rate, or leave it out"
    case .quotaWithoutWait(let wait):
      "a server's quota is believed and waited for no longer than \(wait.text), so it holds up no call; set a longest "
        + "wait above zero, or leave it out"
    case .injectsFaults(let faults):
      "the policy makes faults itself: \(faults); leave them out in production"
    }
  }
}
