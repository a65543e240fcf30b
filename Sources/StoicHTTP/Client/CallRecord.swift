import Stoic

/// What a call did before it ended: how many attempts, how each went, and whether the server may have acted.
public struct CallRecord: Sendable, Hashable {
  /// One attempt: how it ended, and the wait before it.
  public struct Attempt: Sendable, Hashable {
    /// How it ended, as a short word such as `status_503`, `timed_out` or `transport_-1005`.
    public let outcome: String
    /// The wait before it; zero before the first.
    public let waitBefore: Duration
    /// Whether the server may have acted on the request in this attempt.
    public let mayHaveActed: Bool

    /// Makes an attempt.
    public init(outcome: String, waitBefore: Duration, mayHaveActed: Bool) {
      self.outcome = outcome
      self.waitBefore = waitBefore
      self.mayHaveActed = mayHaveActed
    }
  }

  /// The method of the request; nil for a request that was refused before anything was sent.
  public let method: HTTPMethod?
  /// Whether the request may be repeated without harm: by its method, or because it carried an idempotency key.
  public let mayRepeat: Bool
  /// How many times the request was handed to the transport, or sent again by it where it may.
  ///
  /// Only a ``CurlTransport`` does that, and only with a GET, HEAD or OPTIONS over HTTP/2. So it can be more than there are in
  /// ``history``, where what the transport repeated is one attempt.
  public let attempts: Int
  /// The attempts that reached the transport, in order; of more than 64 the first and the last 32.
  ///
  /// Of a hedged pair the one that decided is last.
  public let history: [Attempt]
  /// The time from the start of the call to its end, on the ambient clock.
  public let elapsed: Duration

  /// Whether the server may have acted on the request in any attempt.
  public let mayHaveActed: Bool
  /// Whether the server may have acted in an attempt before the last: a 404 to a DELETE or a 412 to a PUT may then be
  /// the effect of this very call.
  public let mayHaveActedBefore: Bool

  /// Makes a record of attempts.
  public init(
    method: HTTPMethod? = nil, mayRepeat: Bool = true, history: [Attempt] = [], elapsed: Duration = .zero
  ) {
    self.init(
      method: method, mayRepeat: mayRepeat, history: history, elapsed: elapsed, attempts: history.count,
      mayHaveActed: history.contains { $0.mayHaveActed },
      mayHaveActedBefore: history.dropLast().contains { $0.mayHaveActed })
  }

  init(
    method: HTTPMethod?, mayRepeat: Bool, history: [Attempt], elapsed: Duration, attempts: Int,
    mayHaveActed: Bool, mayHaveActedBefore: Bool
  ) {
    self.method = method
    self.mayRepeat = mayRepeat
    self.history = history
    self.elapsed = elapsed
    self.attempts = attempts
    self.mayHaveActed = mayHaveActed
    self.mayHaveActedBefore = mayHaveActedBefore
  }

  static let historyLimit = 64
}

extension CallRecord: CustomStringConvertible {
  /// The attempts on one line, such as `3 attempts in 0.6s: status_503, 0.2s later status_503, 0.4s later status_503`.
  public var description: String {
    guard attempts > 0 else { return "no attempt was made" }
    var list = history.map { attempt in
      (attempt.waitBefore > .zero ? "\(attempt.waitBefore.text) later " : "") + attempt.outcome
    }
    // However many there were, a line stays a line.
    if list.count > 8 { list.replaceSubrange(4..<(list.count - 3), with: ["…"]) }
    return
      "\(attempts) attempt\(attempts == 1 ? "" : "s") in \(elapsed.text): \(list.joined(separator: ", "))"
  }
}
