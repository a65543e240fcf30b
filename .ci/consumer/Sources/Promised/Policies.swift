import Stoic

/// What is promised of the policies that stand alone.
package func usesPolicies(schedule: RetrySchedule, budget: RetryBudget) async throws {
  let number = try await retry(schedule, budget: budget) { attempt in attempt.number }
  let made = RetryBudget(ratio: 0.2, minimumRetries: 10, window: .seconds(10))
  let configuration = CircuitBreaker.Configuration(
    failureRatio: 0.5, minimumCalls: 20, window: .seconds(120), openFor: .seconds(5))
  let breaker = CircuitBreaker(CircuitBreaker.Configuration())
  try await breaker.run {}
  let isOpen = breaker.state == .open || breaker.state == .halfOpen || breaker.state != .closed
  let bulkhead = Bulkhead(maxConcurrent: 8, queueLimit: 64)
  try await bulkhead.run {}
  let counts = (bulkhead.inUse, bulkhead.waiting)
  let flights = SingleFlight<String, Int>()
  let value = try await flights.run("key") { 1 }
  let reasons: [Rejection.Reason] = [
    .breakerOpen, .bulkheadFull, .budgetExhausted, .deadlineExceeded, .rateLimited,
  ]
  let policy = Policy(RetryStage(schedule, budget: budget), breaker, bulkhead, TimeoutStage(.seconds(1)))
  try await policy.run {}
  _ = (number, made, configuration, isOpen, counts, value, reasons)
}
