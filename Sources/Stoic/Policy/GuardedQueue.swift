/// A breaker and the queues that follow it at once: whoever has queued asks the breaker again.
struct GuardedQueue: PolicyStage {
  let breaker: CircuitBreaker
  let queues: Policy

  func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await breaker.runQueued { begin in
      try await queues.run {
        try begin()
        return try await body()
      }
    }
  }

  var description: String { "\(breaker) > \(queues)" }
}
