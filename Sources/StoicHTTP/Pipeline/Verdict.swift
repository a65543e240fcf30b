import Foundation
package import Stoic

/// How one attempt ended.
package enum AttemptOutcome: Sendable {
  /// A response came: any status, its body whole or cut at the limit.
  case answered(HTTPResponse)
  /// No usable response came.
  case failed(TransportError)
  /// The attempt took longer than its timeout.
  case timedOut(mayHaveActed: Bool)
  /// The call's deadline came first.
  case deadlinePassed
  /// The caller was cancelled.
  case cancelled
}

/// What one attempt's outcome means: the one table of the client.
///
/// | outcome | retried, if the request may be repeated | breaker | word |
/// |-|-|-|-|
/// | 2xx | no: it is the answer | success | `status_200` |
/// | 2xx whose body is too large | no | neutral | `response_too_large` |
/// | a status of the policy's list | yes, after `Retry-After` | failure from 500 on, else success | `status_503` |
/// | 409 to a keyed request after an attempt that may have acted | where the policy says so | success | `status_409` |
/// | any other 3xx or 4xx | no | success | `status_404` |
/// | any other status | no | failure | `status_501` |
/// | timed out | yes | failure | `timed_out` |
/// | transport failure | by its code, see ``TransportVerdict`` | by its code | `transport_-1005` |
/// | deadline, cancelled | no | neutral | `deadline_exceeded`, `cancelled` |
package struct Verdict: Equatable {
  /// What a circuit breaker makes of an outcome.
  package enum BreakerCount: Equatable {
    case success, failure, neutral
  }

  /// What an outcome says about the load of the server.
  package enum Load: Equatable {
    /// It did its work.
    case served
    /// It turned the request away: 429, 503.
    case refused
    /// It did not answer in time.
    case silent
    /// It failed for another cause.
    case failed
  }

  /// Whether and when another attempt may be made.
  package private(set) var advice: RetryAdvice
  /// What a circuit breaker counts it as.
  package let breaker: BreakerCount
  /// The outcome as a short word for events and records.
  package let word: String
  /// Whether the response is what the caller asked for.
  package let isSuccess: Bool
  /// What it says about the server's load; nil where nothing.
  package let load: Load?
  /// Whether the server may have acted on the request.
  let mayHaveActed: Bool
  /// The wait that the server asked for, as it asked.
  private(set) var requestedWait: Duration?

  /// The word for a success whose body is too large.
  static let tooLarge = "response_too_large"

  private init(
    _ word: String, advice: RetryAdvice = .final, breaker: BreakerCount, isSuccess: Bool = false,
    mayHaveActed: Bool = true, load: Load? = nil
  ) {
    self.word = word
    self.advice = advice
    self.breaker = breaker
    self.isSuccess = isSuccess
    self.mayHaveActed = mayHaveActed
    self.load = load
  }

  /// Judges an outcome.
  ///
  /// Pure but for the policy's wall clock, which is looked at for an HTTP-date.
  ///
  /// - Parameter afterAmbiguity: whether the server may have acted in an earlier attempt of the call.
  package init(
    _ outcome: AttemptOutcome, of request: borrowing PreparedRequest, policy: borrowing HTTPPolicy,
    afterAmbiguity: Bool = false
  ) {
    let retried = request.mayRepeat
    switch outcome {
    case .answered(let response):
      self.init(response, of: request, policy: policy, afterAmbiguity: afterAmbiguity)
    case .failed(let error):
      let verdict = TransportVerdict(error.code)
      self.init(
        "transport_\(error.code.rawValue)", advice: verdict.isRetried && retried ? .retry : .final,
        breaker: verdict.isCounted ? .failure : .neutral, mayHaveActed: error.mayHaveActed,
        load: verdict.isCounted ? .failed : nil)
    case .timedOut(let mayHaveActed):
      self.init(
        "timed_out", advice: retried ? .retry : .final, breaker: .failure, mayHaveActed: mayHaveActed,
        load: .silent)
    case .deadlinePassed:
      self.init("deadline_exceeded", breaker: .neutral)
    case .cancelled:
      self.init("cancelled", breaker: .neutral)
    }
  }

  private init(
    _ response: HTTPResponse, of request: borrowing PreparedRequest, policy: borrowing HTTPPolicy,
    afterAmbiguity: Bool
  ) {
    let status = response.status
    let word = Self.word(for: status)
    let breaker: BreakerCount = (200..<500).contains(status) ? .success : .failure
    // Half a document that nobody asked for must not pass for a whole one.
    let isSuccess = (200..<300).contains(status) && !(status == 206 && !request.asksForRange)
    if isSuccess && response.exceeds(policy.maxResponseBytes, of: request.method) {
      self.init(Self.tooLarge, breaker: .neutral)
    } else if isSuccess {
      self.init(word, breaker: breaker, isSuccess: true, load: .served)
    } else {
      let asked = RetryAfter.wait(in: response.headers, wallClock: policy.wallClock)
      let isConflict = status == 409 && policy.retryKeyedConflict && request.isKeyed && afterAmbiguity
      let isRetried = request.mayRepeat && (policy.retryStatuses.contains(status) || isConflict)
      let wait = asked.map { min($0, policy.maxRetryAfter) }
      let advice: RetryAdvice = isRetried ? wait.map { .retryAfter($0) } ?? .retry : .final
      let load: Load = status == 429 || status == 503 ? .refused : breaker == .success ? .served : .failed
      self.init(word, advice: advice, breaker: breaker, load: load)
      requestedWait = asked
    }
  }

  /// Whether another attempt may follow.
  var mayBeFollowed: Bool { advice != .final }

  /// This verdict with the longest wait that it and those of attempts beside it ask for, where it may be followed by another.
  func heeding(_ others: [Verdict]) -> Verdict {
    guard advice != .final else { return self }
    var verdict = self
    for case .retryAfter(let wait) in others.map(\.advice) {
      if case .retryAfter(let own) = verdict.advice, own >= wait { continue }
      verdict.advice = .retryAfter(wait)
    }
    let asked = others.filter { $0.advice != .final }.compactMap(\.requestedWait)
    verdict.requestedWait = (asked + [requestedWait].compactMap(\.self)).max()
    return verdict
  }

  private static func word(for status: Int) -> String {
    common.indices.contains(status) ? common[status] : "status_\(status)"
  }

  private static let common = (0..<600).map { "status_\($0)" }
}

extension HTTPResponse {
  /// Whether the response to a method has a body at all (RFC 9112, section 6.3).
  func hasBody(for method: HTTPMethod) -> Bool {
    method != .head && ![204, 205, 304].contains(status)
  }

  /// This response without the bytes that a transport gave to one that has no body.
  var withoutBody: HTTPResponse {
    guard !body.isEmpty || isTruncated else { return self }
    return HTTPResponse(status: status, headers: headers, url: url)
  }

  /// Whether the body is longer than allowed, whoever cut it; responses that have no body are within any limit.
  fileprivate func exceeds(_ limit: Int, of method: HTTPMethod) -> Bool {
    hasBody(for: method) && (isTruncated || body.count > limit)
  }
}
