/// Several policies as one value, applied in the order in which they are written, the first one outermost.
///
/// The usual order is deadline, retry, rate limiter, throttle, breaker, bulkhead (or adaptive bulkhead), hedge, timeout: the
/// deadline bounds everything, each attempt asks limiter and breaker again, a refused attempt takes no permit, and waiting
/// for a permit is not charged to the attempt's timeout.
///
/// Where bulkheads or a limiter follow a breaker at once, a call that had to queue begins for the breaker when it leaves the queue: it
/// is asked again then, since it may have opened meanwhile, and neither the time of a probe nor that of a slow call runs before.
///
/// ```swift
/// import Stoic
///
/// let policy = Policy(
///   DeadlineStage(.seconds(30)),
///   RetryStage(RetrySchedule(maxAttempts: 3), budget: RetryBudget()),
///   CircuitBreaker(label: "database"),
///   Bulkhead(maxConcurrent: 8),
///   TimeoutStage(.seconds(10)))
///
/// func row(_ id: Int) async throws -> String {
///   try await policy.run { try await query(id) }
/// }
///
/// func query(_ id: Int) async throws -> String { "row \(id)" }
/// ```
///
/// A policy is a stage itself, so that policies nest. Copies share the state of their breakers, bulkheads and budgets.
public struct Policy: PolicyStage {
  /// The stages, the outermost first.
  public let stages: [any PolicyStage]
  /// The same, where a breaker and the queues behind it are one.
  private let steps: [any PolicyStage]

  /// Makes a policy of stages, the outermost first; without any, it only runs the body.
  public init(_ stages: any PolicyStage...) {
    self.init(stages)
  }

  /// Makes a policy of a list of stages, the outermost first.
  public init(_ stages: [any PolicyStage]) {
    self.stages = stages
    steps = Self.steps(stages.flatMap { ($0 as? Policy)?.flattened ?? [$0] })
  }

  private init(queues: ArraySlice<any PolicyStage>) {
    stages = Array(queues)
    steps = stages
  }

  private var flattened: [any PolicyStage] { stages.flatMap { ($0 as? Policy)?.flattened ?? [$0] } }

  private static func steps(_ stages: [any PolicyStage]) -> [any PolicyStage] {
    var steps: [any PolicyStage] = []
    var rest = stages[...]
    while let stage = rest.popFirst() {
      let queues = rest.prefix { $0 is Bulkhead || $0 is AdaptiveBulkhead || $0 is RateLimiter }
      if let breaker = stage as? CircuitBreaker, !queues.isEmpty {
        steps.append(GuardedQueue(breaker: breaker, queues: Policy(queues: queues)))
        rest = rest.dropFirst(queues.count)
      } else {
        steps.append(stage)
      }
    }
    return steps
  }

  /// Runs a body under all stages.
  ///
  /// The body runs where its caller is; it need not escape or be `Sendable`, so that a ``HedgeStage`` never hedges it: for
  /// that there is ``runHedged(_:)``.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(from: 0, body)
  }

  /// Runs a body under all stages, those that may start it a second time among them: ``HedgeStage``.
  ///
  /// - Parameter body: the work; it may run twice at once.
  public func runHedged<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await runHedged(from: 0, body)
  }

  private func runHedged<Value: Sendable>(
    from index: Int, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    guard index < steps.count else { return try await body() }
    return try await steps[index].runHedged { try await runHedged(from: index + 1, body) }
  }

  private func run<Value>(from index: Int, _ body: () async throws -> Value) async throws -> Value {
    guard index < steps.count else { return try await body() }
    return try await steps[index].run { try await run(from: index + 1, body) }
  }

  /// The stages in their order, on one line.
  public var description: String {
    stages.isEmpty ? "no policy" : stages.map(\.description).joined(separator: " > ")
  }
}
