/// One policy that work can be run under: a retry, a breaker, a bulkhead, a hedge, a time limit, or one of your own.
///
/// A stage runs the body once, several times, or not at all, and rethrows what the last run threw. Its description
/// is how it shows in a printed ``Policy``.
public protocol PolicyStage: Sendable, CustomStringConvertible {
  /// Runs a body; not escaping, on the caller's actor.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value

  /// Runs a body that may run in several tasks at once: the same as ``run(_:)``, but for stages that make use of that.
  func runHedged<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value
}

extension PolicyStage {
  /// Runs a body as any other.
  public func runHedged<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run(body)
  }
}

extension CircuitBreaker: PolicyStage {}

extension Bulkhead: PolicyStage {}

extension AdaptiveBulkhead: PolicyStage {}

/// A stage that starts a second attempt beside a slow one: ``Hedge``, in a policy that is run by
/// ``Policy/runHedged(_:)``.
///
/// Under ``Policy/run(_:)`` it only runs the body, and says so by an event: a body that need not be `Sendable` cannot run
/// twice at once.
public struct HedgeStage: PolicyStage {
  /// When, and how often.
  public let hedge: Hedge

  /// Makes a stage.
  public init(_ hedge: Hedge) {
    self.hedge = hedge
  }

  /// Runs the body once.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    Ambient.record("hedge.throttled", .info, label: hedge.label, [Event.Field("reason", "not_sendable")])
    return try await body()
  }

  /// Runs the body, and a second time beside it where it takes unusually long.
  public func runHedged<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await hedge.run(body)
  }

  /// The hedge's numbers, and the retry budget's.
  public var description: String {
    hedge.budget.map { "hedge (\(hedge.configuration), \($0))" } ?? hedge.description
  }
}
