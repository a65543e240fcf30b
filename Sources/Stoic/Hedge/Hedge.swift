/// Starts a second attempt beside a first one that takes unusually long, and takes the answer that comes first.
///
/// - **When.** After a fixed time, or when the first attempt has taken longer than a share of those before it; then there is
///   no hedge until enough of them are known. One at most, and none that would begin at the deadline or later.
/// - **How many.** A hedge is paid for twice: from a budget of this value, a small share of the calls that succeed, and from
///   the retry budget. Where either is empty there is no hedge, and the call ends with what the first attempt brings.
/// - **Which.** The first value wins, and so does an error that is ``Retryable`` and says `.final`; a ``Rejection`` does not.
///   The other attempt is cancelled and waited for, and its value is let go of. Any other failure ends the call only where
///   no other attempt runs; when both fail so, the first attempt's error is thrown.
///
/// Only for work that may be done twice. Put it inside a retry, so that each of its attempts may be hedged.
///
/// ```swift
/// import Stoic
///
/// let hedge = Hedge(budget: RetryBudget())
///
/// func row(_ id: Int) async throws -> String {
///   try await hedge.run { try await query(id) }
/// }
///
/// @Sendable func query(_ id: Int) async throws -> String { "row \(id)" }
/// ```
///
/// Safe to use from any task. (Dean and Barroso, "The Tail at Scale", 2013.)
public final class Hedge: Sendable {
  /// The hedge's numbers.
  public let configuration: Configuration
  /// What bounds hedges and the retries of many calls together; nil for no such bound.
  public let budget: RetryBudget?
  /// Whose hedge it is, for events.
  public let label: String

  private let own: RetryBudget
  private let latencies: Lock<LatencySample>

  /// Makes a hedge.
  ///
  /// - Parameters:
  ///   - configuration: its numbers.
  ///   - budget: the retry budget that pays for hedges, too; nil for none.
  ///   - label: whose hedge it is, for events.
  public init(
    _ configuration: Configuration = Configuration(), budget: RetryBudget? = nil, label: String = "hedge"
  ) {
    self.configuration = configuration
    self.budget = budget
    self.label = label
    own = RetryBudget(
      ratio: configuration.ratio, minimumRetries: configuration.minimumHedges,
      window: configuration.budgetWindow)
    latencies = Lock(
      LatencySample(capacity: configuration.lastSamples, minimum: configuration.minimumSamples))
  }

  /// How long after the first attempt a second one begins; nil while too few latencies are known.
  public var delay: Duration? {
    switch configuration.delay {
    case .fixed(let duration): duration
    case .quantile(let share): latencies.withLock { $0.quantile(share) }
    }
  }

  /// How many hedges the own budget has now.
  public var available: Int { own.available }

  /// Runs a body, and a second time beside it where it takes unusually long.
  ///
  /// - Parameter body: the work; it may run twice at once, each time in a task of its own, with all ambient values of the
  ///   caller. Where no hedge is possible it runs in the caller's task.
  /// - Throws: when no attempt brings a value, an error that is final, else what the first attempt throws. When the caller
  ///   is cancelled, all attempts are, and are waited for, so that a body that pays no heed returns late; what they make
  ///   of it stays.
  public func run<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await run { _ in try await body() }
  }

  /// Runs a body that is told which attempt it is: the same as ``run(_:)``.
  ///
  /// The second one may get its turn before the first one. The first one always gets its turn, even once the race is over.
  ///
  /// - Parameter tellsStart: whether the body says itself, by ``started(after:)``, when the second attempt has begun, since it
  ///   may be refused before.
  package func run<Value: Sendable>(
    tellsStart: Bool = false,
    _ body: @escaping @Sendable (HedgeRaceState<Value>.Attempt) async throws -> Value
  ) async throws -> Value {
    let values = Ambient.values
    let start = values.clock.now
    let end = min(values.deadline ?? .distantFuture, .distantFuture)
    guard let due = delay.map({ start.advanced(by: $0) }), due < end else {
      let value = try await body(.first)
      succeeded(after: start.duration(to: values.clock.now), in: values)
      return value
    }
    let race = HedgeRace<Value>(in: values, label: label) { [self] attempt in
      if attempt == .second, !tellsStart { started(after: start.duration(to: due)) }
      return try await body(attempt)
    }
    return try await cancellable {
      await race.begin(hedgeAt: due)
      let payment = race.mayHedge ? pay() : nil
      let hasHedged = payment != nil && race.hedge()
      let result: Result<Value, any Error>
      do { result = .success(try await race.finish()) } catch { result = .failure(error) }
      if !hasHedged || !race.hasReached { refund(payment) }
      let value = try result.get()
      if race.winner == .second { Ambient.record("hedge.won", .debug, label: label, []) }
      // Where the second attempt has won, the first one would have taken at least as long.
      succeeded(after: start.duration(to: race.end ?? values.clock.now), in: values)
      return value
    } onCancel: {
      race.cancel()
    }
  }
}

extension Hedge {
  private struct Payment {
    let own: RetryBudgetState.Withdrawal
    let shared: RetryBudgetState.Withdrawal?
  }

  private func pay() -> Payment? {
    guard let own = own.withdraw() else {
      throttled("hedge_budget")
      return nil
    }
    guard let budget else { return Payment(own: own, shared: nil) }
    guard let shared = budget.withdraw() else {
      self.own.refund(own)
      throttled("retry_budget")
      return nil
    }
    return Payment(own: own, shared: shared)
  }

  private func refund(_ payment: Payment?) {
    guard let payment else { return }
    own.refund(payment.own)
    if let shared = payment.shared { budget?.refund(shared) }
  }

  /// Tells that a second attempt has begun.
  package func started(after delay: Duration) {
    Ambient.record("hedge.started", .debug, label: label, [Event.Field("delay", delay.text)])
  }

  /// Tells that there is no second attempt.
  package func throttled(_ reason: String) {
    Ambient.record("hedge.throttled", .info, label: label, [Event.Field("reason", reason)])
  }

  private func succeeded(after latency: Duration, in values: AmbientValues) {
    own.deposit()
    // A retry around pays in for itself.
    if values.attempt == nil { budget?.deposit() }
    if case .quantile = configuration.delay { latencies.withLock { $0.add(latency) } }
  }
}

extension Hedge: CustomStringConvertible {
  /// The hedge's numbers.
  public var description: String { "hedge (\(configuration))" }
}
