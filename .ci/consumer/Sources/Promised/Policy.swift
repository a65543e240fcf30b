import Foundation
import StoicHTTP

package func setsEveryNumber(date: Date, presets: inout [HTTPPolicy]) -> HTTPPolicy {
  presets = [.standard, .interactive, .server]
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
  policy.budget = RetryBudget(ratio: 0.2, minimumRetries: 10, window: .seconds(10))
  policy.budget = nil
  policy.breaker = CircuitBreaker.Configuration(
    failureRatio: 0.5, minimumCalls: 20, window: .seconds(120), openFor: .seconds(5))
  policy.breaker = nil
  policy.maxConcurrentPerHost = 8
  policy.maxConcurrentPerHost = nil
  policy.queueLimitPerHost = 64
  policy.queueTimeout = nil
  policy.varyHeaders = .all(except: ["traceparent"])
  policy.varyHeaders = .only(["Accept"])
  policy.wallClock = { date }
  policy.redirects = .none
  policy.redirects = .allowingMethodRewrite
  policy.redirects = .standard
  return policy
}
