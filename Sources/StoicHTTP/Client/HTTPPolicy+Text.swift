import Stoic

extension HTTPPolicy: CustomStringConvertible {
  /// The stages that each attempt passes, in their order, with their numbers, on one line.
  public var description: String { stages.joined(separator: " > ") }

  private var stages: [String] {
    [
      coalescesGETs ? "shared GETs" : nil,
      "deadline (\(timeout?.text ?? "the caller's"))",
      retryText,
      quota.map { "\($0) per host" },
      rateLimit.map { "\(RateLimiter($0)) per host" },
      throttle.map { "\($0.text) per host" },
      breaker.map { "\($0.text) per host" },
      bulkheadText.map { "\($0) per host" },
      hedge.map { "hedge (\($0)) per host" },
      "timeout (\(attemptTimeout.text))",
      "exchange (\(redirectText), at most \(maxResponseBytes) bytes)",
      faults.map { "\($0)" },
    ].compactMap(\.self)
  }

  private var retryText: String {
    guard retry.maxAttempts > 1 else { return "no retry" }
    let statuses = retryStatuses.sorted().map { "\($0)" }.joined(separator: ", ")
    let scope = budgetScope == .host ? "each host" : "the client"
    return [
      "retry (\(retry.text), jitter \(retry.jitter)", statuses.isEmpty ? nil : "on \(statuses)",
      "Retry-After up to \(maxRetryAfter.text)", budget.map { "\($0) of \(scope)" },
    ].compactMap(\.self).joined(separator: ", ") + ")"
  }

  private var bulkheadText: String? {
    adaptiveConcurrency?.text
      ?? maxConcurrentPerHost.map {
        Bulkhead(maxConcurrent: $0, queueLimit: queueLimitPerHost, queueTimeout: queueTimeout).description
      }
  }

  private var redirectText: String {
    switch redirects {
    case .none: "no redirects"
    case .standard: "at most \(Redirect.limit) redirects"
    case .allowingMethodRewrite: "at most \(Redirect.limit) redirects, rewriting methods"
    }
  }
}
