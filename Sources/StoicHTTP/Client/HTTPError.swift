public import Foundation
public import Stoic
public import StoicSchema

/// Why a call did not bring what was asked for.
///
/// Cancellation is not among it: that is `CancellationError`.
///
/// Each case has the record of the call: where a policy refused in the end, it still tells which answers came before. No
/// text made of an error shows a query, a header, a key or a body.
@nonexhaustive
public enum HTTPError: Error, Sendable {
  /// The server answered with a status that is no success.
  ///
  /// The excerpt is the start of the body as text, at most 1,024 bytes, for the program to look at: it is in no
  /// description. `retryAfter` is what the server asked for, uncapped.
  case status(Int, excerpt: String, retryAfter: Duration?, call: CallRecord)
  /// No usable response came back.
  case transport(URLError.Code, call: CallRecord)
  /// The numbered attempt, which was the last, took longer than the attempt timeout.
  case timedOut(attempt: Int, call: CallRecord)
  /// A success's body was longer than allowed, in bytes; reading stopped and the connection was closed.
  case responseTooLarge(limit: Int, call: CallRecord)
  /// The body is not what the schema describes, with every issue and its path.
  case decoding(ValidationFailure, call: CallRecord)
  /// A policy refused the call, or its next attempt.
  case rejected(Rejection, call: CallRecord)
  /// Nothing was sent, since nothing could be: the request or the base is refused, or no libcurl can be loaded.
  ///
  /// It says why, never a value.
  case invalidRequest(String)
}

extension HTTPError {
  /// What the call did before it ended; empty for an invalid request.
  public var call: CallRecord {
    switch self {
    case .status(_, _, _, let call), .transport(_, let call), .timedOut(_, let call),
      .responseTooLarge(_, let call), .decoding(_, let call), .rejected(_, let call):
      call
    case .invalidRequest: CallRecord()
    }
  }

  /// How many attempts reached the transport.
  public var attempts: Int { call.attempts }

  /// Whether more than one attempt was made.
  public var wasRetried: Bool { attempts > 1 }
}

extension HTTPError: RejectionCarrying {
  package var rejection: Rejection? {
    guard case .rejected(let rejection, _) = self else { return nil }
    return rejection
  }

  /// A call whose next attempt is refused has sent those before it.
  package var isRefusal: Bool { attempts == 0 && rejection?.isRefusal == true }
}

extension HTTPError: BreakerJudged {
  /// What a breaker around the client makes of it, by the client's own table: a status below 500 is a success.
  public var breakerOutcome: CircuitBreaker.Outcome? {
    switch self {
    case .status(let status, _, _, _): (200..<500).contains(status) ? .success : .failure
    case .transport(let code, _): TransportVerdict(code).isCounted ? .failure : nil
    case .timedOut: .failure
    case .responseTooLarge, .decoding, .rejected, .invalidRequest: nil
    }
  }
}

extension HTTPError: Retryable {
  /// Whether another call may succeed, by the statuses and codes of the standard policy.
  ///
  /// A request that may not be repeated, such as a POST without a key, is final whatever happened to it: a retry around
  /// the client does not double it.
  public var retryAdvice: RetryAdvice {
    guard call.mayRepeat else { return .final }
    switch self {
    case .status(let status, _, let retryAfter, _):
      guard HTTPPolicy.standardRetryStatuses.contains(status) else { return .final }
      return retryAfter.map { .retryAfter(min($0, HTTPPolicy.standardMaxRetryAfter)) } ?? .retry
    case .transport(let code, _): return TransportVerdict(code).isRetried ? .retry : .final
    case .timedOut: return .retry
    case .responseTooLarge, .decoding, .rejected, .invalidRequest: return .final
    }
  }
}
