/// One policy that work can be run under: a retry, a breaker, a bulkhead, a time limit, or one of your own.
///
/// A stage runs the body once, several times, or not at all, and rethrows what the last run threw. Its description
/// is how it shows in a printed ``Policy``.
public protocol PolicyStage: Sendable, CustomStringConvertible {
  /// Runs a body; not escaping, on the caller's actor.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value
}

extension CircuitBreaker: PolicyStage {}

extension Bulkhead: PolicyStage {}

extension RateLimiter: PolicyStage {}

extension Throttle: PolicyStage {}

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
