import Foundation
import StoicHTTP

package func setsEveryNumber() -> HTTPPolicy {
  var policy = HTTPPolicy.standard
  policy.attemptTimeout = .seconds(10)
  policy.maxResponseBytes = 10_000_000
  policy.timeout = nil
  policy.retry.maxAttempts = 3
  policy.retry.base = .milliseconds(200)
  policy.retry.cap = .seconds(10)
  policy.retry.jitter = .full
  policy.retry.jitter = .none
  policy.retry.jitter = .equal
  policy.retryStatuses = [408, 429, 500, 502, 503, 504]
  policy.maxRetryAfter = .seconds(60)
  policy.redirects = .none
  policy.redirects = .allowingMethodRewrite
  policy.redirects = .standard
  return policy
}
