/// What an error says about trying again.
@nonexhaustive
public enum RetryAdvice: Sendable, Hashable {
  /// Another try may succeed, after the schedule's wait.
  case retry
  /// Another try may succeed, but not before this time.
  case retryAfter(Duration)
  /// Another try would end the same way, or would do harm.
  case final
}

/// An error that knows whether trying again makes sense.
///
/// ``retry(_:budget:label:_:)`` asks it. An error that is not `Retryable` is retried; `CancellationError` never is.
public protocol Retryable: Error {
  /// What to do after this error.
  var retryAdvice: RetryAdvice { get }
}

extension RetryAdvice {
  /// The advice for any error.
  package init(for error: any Error) {
    self =
      switch error {
      case is CancellationError: .final
      case let error as any Retryable: error.retryAdvice
      default: .retry
      }
  }
}
