/// One policy that work can be run under: a retry, a breaker, a bulkhead, a rate limiter, a hedge, or one of your own.
///
/// A stage runs the body once, several times, or not at all, and rethrows what the last run threw. Its description
/// is how it shows in a printed ``Policy``.
///
/// A stage of your own is written as here in a module with the upcoming feature `NonisolatedNonsendingByDefault`; in another one
/// write `nonisolated(nonsending)` before `func`, and before the type of the body.
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

extension RateLimiter: PolicyStage {}

extension Throttle: PolicyStage {}

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

/// A stage that tries again: ``retry(_:budget:label:_:)`` with its arguments.
public struct RetryStage: PolicyStage {
  /// How often, and with which waits.
  public var schedule: RetrySchedule
  /// What bounds the retries of many calls together.
  public var budget: RetryBudget?
  /// Whose work it is, for events.
  public var label: String

  /// Makes a stage.
  public init(
    _ schedule: RetrySchedule = RetrySchedule(), budget: RetryBudget? = nil, label: String = "retry"
  ) {
    self.schedule = schedule
    self.budget = budget
    self.label = label
  }

  /// Runs the body until it succeeds or the retry stops.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await retry(schedule, budget: budget, label: label) { _ in try await body() }
  }

  /// The schedule's numbers, and the budget's.
  public var description: String {
    let bound = budget.map { ", \($0)" } ?? ""
    return "retry (\(schedule.text)\(bound))"
  }
}

/// A stage that bounds all that is inside: ``withDeadline(_:_:)``.
public struct DeadlineStage: PolicyStage {
  /// The time that a run may take.
  public var duration: Duration

  /// Makes a stage.
  public init(_ duration: Duration) {
    self.duration = duration
  }

  /// Runs the body within the time.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withDeadline(duration, body)
  }

  /// The time.
  public var description: String { "deadline (\(duration.text))" }
}

/// A stage that bounds one step: ``withTimeout(_:_:)``.
public struct TimeoutStage: PolicyStage {
  /// The time that a run may take.
  public var duration: Duration

  /// Makes a stage.
  public init(_ duration: Duration) {
    self.duration = duration
  }

  /// Runs the body within the time.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withTimeout(duration, body)
  }

  /// The time.
  public var description: String { "timeout (\(duration.text))" }
}
