/// Holds back calls that an overloaded server would turn away, so that it spends its time on those it can serve.
///
/// Of the calls of the last two minutes so many are refused here, at random, that no more than twice as many reach the
/// server as it accepts: the share `max(0, (requests - 2 * accepts) / (requests + 1))`, where `requests` counts what was
/// refused here as well. A share of what is asked for always goes through, and so the throttle notices by itself
/// that the server is well again. (Google's SRE book, chapter 21: client-side throttling.)
///
/// ```swift
/// import Stoic
///
/// let throttle = Throttle(label: "search")
///
/// func hits(_ words: String) async throws -> Int {
///   try await throttle.run { try await query(words) }
/// }
///
/// func query(_ words: String) async throws -> Int { 42 }
/// ```
///
/// A call counts when its result is known: what is still under way has not been turned away. A call that ends cancelled,
/// or refused by another policy, does not count.
///
/// A breaker stops calling what has failed, a throttle calls less often what can do some of the work. Share one throttle
/// between all calls to a server; what limits the time of calls belongs inside.
///
/// Time is that of the clock in force at the first use. Safe to use from any task; nothing of the caller's runs under its
/// lock.
public final class Throttle: Sendable {
  private struct Shared {
    var state: ThrottleState
    var random: SplitMix
  }

  /// The throttle's numbers.
  public let configuration: Configuration
  /// Whose throttle it is, for events.
  public let label: String

  private let shared: Lock<Shared>
  private let first = FirstClock()

  /// Makes a throttle that has seen no calls.
  public init(_ configuration: Configuration = Configuration(), label: String = "throttle") {
    self.configuration = configuration
    self.label = label
    // Drawn here and not under the lock, where a caller's source of random numbers may not be called.
    shared = Lock(Shared(state: ThrottleState(configuration), random: SplitMix(seed: Ambient.random.next())))
  }

  /// The share of calls that is refused now, 0 to ``Configuration/maxRejection``.
  public var rejectionProbability: Double {
    let now = first.peek
    return shared.withLock { shared in
      // A look moves no time on.
      var copy = shared.state
      return copy.rejectionProbability(at: now)
    }
  }

  /// Whether a call is within its window.
  package var hasCalls: Bool {
    let now = first.peek
    return shared.withLock { shared in
      var copy = shared.state
      _ = copy.rejectionProbability(at: now)
      return copy.tally != .zero
    }
  }

  /// Runs a body unless the throttle holds it back.
  ///
  /// A value means that the server has accepted the call. An error is judged as a ``CircuitBreaker`` judges it: one that is
  /// ``BreakerJudged`` says itself what it is; cancellation and the refusals of other policies do not count; any other
  /// means that the server has not accepted the call.
  ///
  /// - Throws: ``Rejection`` with `.throttled`; else what the body throws.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(judging: CircuitBreaker.judge, body)
  }

  /// Runs a body unless the throttle holds it back, and asks whether the server has accepted it.
  ///
  /// - Parameter judge: `.success` where the server has accepted the call, whatever came of it, `.failure` where it
  ///   turned the call away or did not answer; nil where the call is not to count.
  public func run<Value>(
    judging judge: (Result<Value, any Error>) -> CircuitBreaker.Outcome?, _ body: () async throws -> Value
  ) async throws -> Value {
    if let rejection = refuse() { throw rejection }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    record(judge(result))
    return try result.get()
  }
}

extension Throttle {
  /// Asks whether a call is to be held back; nil where it may be made, and ``record(_:)`` has to follow.
  package func refuse() -> Rejection? {
    let now = first.now
    let probability = shared.withLock { shared in
      shared.state.refuse(at: now, fraction: shared.random.fraction())
    }
    guard let probability else { return nil }
    Ambient.record(
      "throttle.rejected", .info, label: label,
      [Event.Field("share", "\((probability * 100).rounded() / 100)")])
    return Rejection(.throttled)
  }

  /// Counts a call that was made; nil where it says nothing about the server.
  package func record(_ outcome: CircuitBreaker.Outcome?) {
    guard let outcome else { return }
    let now = first.now
    shared.withLock { $0.state.record(isAccepted: outcome == .success, at: now) }
  }
}

extension Throttle: CustomStringConvertible {
  /// The throttle's numbers.
  public var description: String {
    configuration.text
  }
}
