/// A bulkhead that finds out by itself how many calls may run at once.
///
/// It watches how long calls take. As long as they take no longer than with little load, and all permits are in use, it lets
/// in a few more; when they get slower, since they queue at the server, it lets in as many fewer. So the limit comes to lie
/// a little above what the server can work on at once.
///
/// - **Baseline.** How long calls take with little load is measured at the beginning, after each
///   ``Configuration/baselineLifetime``, and when the limit has fallen to half: the limit is halved until calls get no faster.
///   So a load that lasts is not taken for the server's normal state, and the limit does not creep up under it.
/// - **Bounds.** The limit stays within ``Configuration/minLimit`` and ``Configuration/maxLimit``, and does not rise while
///   not all of it is used.
/// - **Waiting** is that of ``Bulkhead``: first come, first served; a bounded queue; cancellation, deadline and
///   ``Configuration/queueTimeout`` end it.
///
/// ```swift
/// import Stoic
///
/// let search = AdaptiveBulkhead(AdaptiveBulkhead.Configuration(maxLimit: 64), label: "search")
///
/// func find(_ words: String) async throws -> [Int] {
///   try await search.run { try await withTimeout(.seconds(2)) { try await query(words) } }
/// }
///
/// func query(_ words: String) async throws -> [Int] { [words.count] }
/// ```
///
/// What limits the time of calls belongs inside: a server that hangs is only noticed by calls that end.
///
/// Time is that of the clock in force at the first use; each wait is measured on the waiting caller's. Safe to use from any
/// task. (Netflix's concurrency-limits, gradient2; Envoy's adaptive concurrency filter; Little's law.)
public final class AdaptiveBulkhead: Sendable {
  /// What the end of a call says about the load.
  public enum Outcome: Sendable, Hashable {
    /// It brought what it was to bring, and its latency counts.
    case success
    /// It was given up or refused for too much load: it counts as one that took at least twice the baseline.
    case overload
  }

  /// The bulkhead's numbers.
  public let configuration: Configuration
  /// Whose bulkhead it is, for events.
  public let label: String

  private let permits: Bulkhead
  private let state: Lock<AdaptiveLimitState>
  private let clock = FirstClock()

  /// Makes an adaptive bulkhead.
  public init(_ configuration: Configuration = Configuration(), label: String = "adaptive bulkhead") {
    self.configuration = configuration
    self.label = label
    let state = AdaptiveLimitState(configuration, seed: Ambient.random.next())
    permits = Bulkhead(
      maxConcurrent: state.limit, queueLimit: configuration.queueLimit,
      queueTimeout: configuration.queueTimeout, label: label)
    self.state = Lock(state)
  }

  /// How many calls may run at once now.
  public var limit: Int { state.withLock { $0.limit } }

  /// How long a call takes with little load, as last measured; nil before the first measurement.
  public var baseline: Duration? {
    state.withLock { $0.baseline }.map { .seconds(min($0, Duration.longest.inSeconds)) }
  }

  /// How many permits are held; more than ``limit`` for a while after that has fallen.
  public var inUse: Int { permits.inUse }

  /// How many callers wait.
  public var waiting: Int { permits.waiting }

  /// Runs a body as soon as there is room for it.
  ///
  /// A value is a success. A ``TimeoutError`` and a deadline set inside the body that passes say that there is too much load.
  /// Any other error, a deadline around the call and cancellation say nothing: what fails fast must not look like speed.
  ///
  /// The body runs where its caller is; it need not escape or be `Sendable`.
  ///
  /// - Throws: as ``Bulkhead/run(_:)`` does.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(judging: Self.judge, body)
  }

  /// Runs a body as soon as there is room for it, and asks what its result says about the load.
  ///
  /// - Parameter judge: what a result says; nil when nothing.
  /// - Throws: as ``Bulkhead/run(_:)`` does.
  public func run<Value>(
    judging judge: (Result<Value, any Error>) -> Outcome?, _ body: () async throws -> Value
  ) async throws -> Value {
    let values = Ambient.values
    try await acquire(until: values.deadline, in: values)
    let call = begin()
    let hold = values.hold(LedgerEntry("permit", label, count: "\(inUse) of \(limit)"))
    defer { hold?.release() }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    release(call, judge(result))
    return try result.get()
  }

  private static func judge<Value>(_ result: Result<Value, any Error>) -> Outcome? {
    guard case .failure(let error) = result else { return .success }
    if Task.isCancelled { return nil }
    if error is TimeoutError { return .overload }
    guard (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded else { return nil }
    // A deadline inside the body has told that the call took too long; one around it is the caller's own.
    let isCallers = Ambient.values.remaining.map { $0 <= .zero } ?? false
    return isCallers ? nil : .overload
  }
}

extension AdaptiveBulkhead {
  /// A call that holds a permit, and when it began.
  package struct Call: Sendable {
    fileprivate let start: Duration
  }

  /// Takes a permit that is free; false when none is.
  ///
  /// ``begin()`` has to follow.
  package func acquireAtOnce() -> Bool { permits.acquireAtOnce() }

  /// Takes a permit, waiting for it when none is free.
  ///
  /// ``begin()`` has to follow.
  ///
  /// - Parameters:
  ///   - deadline: when to give up at the latest, on the clock of `values`.
  ///   - values: what is in force for the caller.
  ///   - patience: until when to wait behind a full queue, too.
  package func acquire(
    until deadline: AmbientClock.Instant?, in values: AmbientValues, patience: AmbientClock.Instant? = nil
  ) async throws {
    try await permits.acquire(until: deadline, in: values, patience: patience)
  }

  /// Says that a call begins that holds a permit; ``release(_:_:)`` has to follow.
  package func begin() -> Call { Call(start: clock.now) }

  /// Gives a permit back.
  ///
  /// - Parameter outcome: what the call's end says about the load; nil where it says nothing.
  package func release(_ call: Call, _ outcome: Outcome?) {
    let inUse = permits.release()
    let now = clock.now
    guard
      let change = state.withLock({ $0.record(outcome, from: call.start, to: now, inUse: inUse) })
    else { return }
    permits.resize(to: change.limit, decision: change.number)
    Ambient.record(
      "bulkhead.limit", .debug, label: label,
      [
        Event.Field("limit", "\(change.limit)"), Event.Field("before", "\(change.before)"),
        Event.Field("cause", change.cause.rawValue),
        Event.Field("latency", Duration.seconds(min(change.latency, Duration.longest.inSeconds)).text),
      ])
  }
}

extension AdaptiveBulkhead: CustomStringConvertible {
  /// The bulkhead's numbers.
  public var description: String {
    configuration.text
  }
}
