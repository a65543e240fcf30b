import Foundation
import StoicHTTP
import Testing

@Suite("A policy in print")
struct PolicyTextTests {
  @Test("A policy prints its stages in their order with their numbers")
  func standard() {
    #expect(
      HTTPPolicy.standard.description
        == "shared GETs > deadline (the caller's) > retry (3 attempts, 0.2s to 10s, jitter full, on 408, 429, 500, 502, "
        + "503, 504, Retry-After up to 60s, retry budget (10 and 0.2 of the successes in 10s) of the client) > "
        + "circuit breaker (0.5 of at least 20 calls in 120s, open for 5s) per host > "
        + "bulkhead (8 at once, 64 waiting) per host > timeout (10s) > "
        + "exchange (at most 20 redirects, at most 10000000 bytes)")
  }

  @Test("What is off is not printed, and what is on is")
  func others() {
    var policy = HTTPPolicy.server
    (policy.coalescesGETs, policy.budget, policy.redirects) = (false, nil, .none)
    policy.retry.maxAttempts = 1
    policy.rateLimit = .init(calls: 50)
    policy.throttle = .init()
    policy.adaptiveConcurrency = .init(queueTimeout: .seconds(5))
    policy.hedge = .init()
    policy.quota = QuotaPacing(readsXRateLimit: true)
    policy.faults = HTTPFaults(
      failure: 0.25, status: 0.5, statuses: [503, 429], late: 0.5, delay: .zero ... .seconds(2), seed: 7)
    #expect(
      policy.description
        == "deadline (30s) > no retry > server quota (waits of at most 60s, X-RateLimit too) per host > "
        + "rate limiter (50 calls in 1s, 1 at once, 64 waiting) per host > "
        + "throttle (2.0 calls for each accepted one in 120s, at most 0.9 refused, off below 5.0 a second) per host > "
        + "circuit breaker (0.5 of at least 20 calls in 120s, open for 5s) per host > "
        + "adaptive bulkhead (2 to 200 at once, 64 waiting for at most 5s) per host > "
        + "hedge (after the 0.95 quantile of 200 calls, at most 1 and 0.02 of the successes in 10s) per host > timeout (10s) > "
        + "exchange (no redirects, at most 10000000 bytes) > "
        + "faults (0.25 fail with -1005, 0.5 get 503, 429, 0.5 are 0s to 2s late, seed 7)")
  }
}
