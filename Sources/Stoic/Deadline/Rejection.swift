/// A policy refused to do the work, or to go on with it: nothing was wrong with the answer, there was none to wait for.
public struct Rejection: Error, Sendable, Hashable {
  /// Which policy refused, as a stable word.
  @nonexhaustive
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// The circuit breaker is open.
    case breakerOpen = "breaker_open"
    /// The bulkhead and its queue are full.
    case bulkheadFull = "bulkhead_full"
    /// The retry budget has nothing left.
    case budgetExhausted = "budget_exhausted"
    /// The deadline has come, or would come before the next wait ends.
    case deadlineExceeded = "deadline_exceeded"
    /// The rate limiter has no token, or none in time.
    case rateLimited = "rate_limited"
    /// The throttle holds back what the server would turn away.
    case throttled = "throttled"
  }

  /// Which policy refused.
  public let reason: Reason
  /// How long the policy or the server asked to wait before another try; nil when it did not say.
  public let retryAfter: Duration?

  /// Makes a rejection.
  public init(_ reason: Reason, retryAfter: Duration? = nil) {
    self.reason = reason
    self.retryAfter = retryAfter
  }
}

/// An error that may be a policy's refusal in other words.
package protocol RejectionCarrying: Error {
  /// The refusal; nil where the error is none.
  var rejection: Rejection? { get }
  /// Whether the work was refused before it began; not so where a part of it was done, and the rest refused.
  var isRefusal: Bool { get }
}

extension RejectionCarrying {
  package var isRefusal: Bool { rejection?.isRefusal == true }
}

extension Rejection: RejectionCarrying {
  package var rejection: Rejection? { self }
}

extension Rejection: CustomStringConvertible {
  /// What was refused, by whom, and what to do.
  public var description: String {
    // No time at all is no advice, and beside a spent budget it would be a wrong one.
    let told = retryAfter.flatMap { $0 > .zero ? "; try again after \($0.text)" : nil } ?? ""
    return switch reason {
    case .breakerOpen: "refused: the circuit breaker is open, since too many calls failed lately\(told)"
    case .bulkheadFull: "refused: too many calls are running and waiting already\(told)"
    case .budgetExhausted: "not retried: the retry budget is spent\(told)"
    case .deadlineExceeded: "given up: the deadline has come or would come before the next try\(told)"
    case .rateLimited: "refused: the rate limit is reached\(told)"
    case .throttled: "refused: the server turned away too many calls lately\(told)"
    }
  }
}

extension Rejection: Retryable {
  /// A refusal is final: to fail fast is what the policy is there for.
  public var retryAdvice: RetryAdvice { .final }
}
