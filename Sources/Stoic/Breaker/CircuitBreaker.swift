/// Stops calling what has failed too often, and tries again by and by.
///
/// - **Closed**: calls go through and are counted. When the window holds enough calls and the share of failed or slow ones
///   is reached, the breaker opens.
/// - **Open**: every call is refused at once with ``Rejection`` and the reason `.breakerOpen`, exactly ``Configuration/openFor``
///   long the first time.
/// - **Half open**: after that a few probes are let through, all others are refused. Enough successes close the breaker; a
///   failure opens it again, for longer, up to ``Configuration/maxOpenFor``.
///
/// ```swift
/// import Stoic
///
/// let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 10), label: "billing")
///
/// func balance() async throws -> Int {
///   try await breaker.run { try await queryBalance() }
/// }
///
/// func queryBalance() async throws -> Int { 42 }
/// ```
///
/// A result counts only when its call began in the same period: what was started before the breaker opened cannot close
/// it. A call that ends cancelled, or refused by another policy, counts neither way, and a probe that ends so gives its
/// place to the next. A probe that does not end in time counts as failed.
///
/// What limits the time of calls belongs inside: a body that is cancelled by a time limit around the breaker counts
/// neither way, so that a host that only ever hangs would never open it. A breaker inside itself refuses its own probe.
///
/// Time is that of the clock in force at the first use. Safe to use from any task; nothing of the caller's runs under its
/// lock. (Nygard, "Release It!", 2007.)
public final class CircuitBreaker: Sendable {
  /// What a breaker does with calls.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// They go through.
    case closed
    /// They are refused.
    case open
    /// A few go through as probes.
    case halfOpen = "half_open"
  }

  /// What a call says about the health of what it called.
  public enum Outcome: Sendable, Hashable {
    /// It is well.
    case success
    /// It is not.
    case failure
  }

  /// A state in which an operator holds a breaker.
  public enum Forced: Sendable, Hashable {
    /// Every call is refused.
    case open
    /// Every call goes through, and none is counted.
    case closed
  }

  /// The breaker's numbers.
  public let configuration: Configuration
  /// Whose breaker it is, for events.
  public let label: String

  private let current: Lock<CircuitBreakerState>
  private let first = FirstClock()

  /// Makes a closed breaker.
  public init(_ configuration: Configuration = Configuration(), label: String = "breaker") {
    self.configuration = configuration
    self.label = label
    // Drawn here and not under the lock, where a caller's source of random numbers may not be called.
    current = Lock(CircuitBreakerState(configuration, seed: Ambient.random.next()))
  }

  /// What the breaker would do with a call now.
  public var state: State {
    let now = first.peek
    return switch current.withLock({ $0.phase(at: now) }) {
    case .closed, .forcedClosed: .closed
    case .open, .forcedOpen: .open
    case .halfOpen: .halfOpen
    }
  }

  /// The state in which the breaker is held; nil when it decides for itself.
  public var forced: Forced? {
    switch current.withLock({ $0.phase }) {
    case .forcedOpen: .open
    case .forcedClosed: .closed
    case .closed, .open, .halfOpen: nil
    }
  }

  /// Holds the breaker open or closed until it is let go, for operators.
  ///
  /// - Parameter forced: the state; nil lets the breaker go, closed and with nothing counted.
  public func force(_ forced: Forced?) {
    current.withLock { $0.force(forced) }
    let word =
      switch forced {
      case .open: "open"
      case .closed: "closed"
      case nil: "released"
      }
    Ambient.record("breaker.forced", .notice, label: label, [Event.Field("state", word)])
  }

  /// How many results came too late to count, since their call began in an earlier period.
  public var droppedResults: Int { current.withLock { $0.dropped } }

  /// Runs a body unless the breaker refuses it.
  ///
  /// A value is a success. An error that is ``BreakerJudged`` says itself what it is; any other is a failure, but for
  /// cancellation and the refusals of other policies, which count neither way. A deadline set inside the body that passes is
  /// a failure, one around the call is not.
  ///
  /// - Throws: ``Rejection`` with `.breakerOpen`, and the time until the next probe where it is known; else what the body
  ///   throws.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await run(judging: Self.judge, body)
  }

  /// Runs a body unless the breaker refuses it, and asks what its result says.
  ///
  /// - Parameter judge: what a result says about the health of what was called; nil when nothing.
  public func run<Value>(
    judging judge: (Result<Value, any Error>) -> Outcome?, _ body: () async throws -> Value
  ) async throws -> Value {
    let call = try admit(begins: true)
    let hold = hold(for: call)
    defer { hold?.release() }
    let result: Result<Value, any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    record(call, judge(result))
    return try result.get()
  }

  /// Runs a body that may have to queue before its call begins.
  ///
  /// - Parameter body: says when the call begins, which may refuse it then.
  func runQueued<Value>(_ body: (_ begin: () throws -> Void) async throws -> Value) async throws -> Value {
    var call = try admit(begins: false)
    var hold = hold(for: call)
    defer { hold?.release() }
    let result: Result<Value, any Error>
    do {
      result = .success(
        try await body {
          let begun = try begin(call, hasWaited: true)
          hold?.release()
          (call, hold) = (begun, self.hold(for: begun))
        })
    } catch { result = .failure(error) }
    record(call, Self.judge(result))
    return try result.get()
  }

  private func hold(for call: Call) -> LedgerHold? {
    call.permit.isProbe ? Ambient.values.hold(LedgerEntry("probe", label)) : nil
  }

  /// What a result says where nobody else judges it.
  static func judge<Value>(_ result: Result<Value, any Error>) -> Outcome? {
    guard case .failure(let error) = result else { return .success }
    if error is CancellationError || Task.isCancelled { return nil }
    if let rejection = (error as? any RejectionCarrying)?.rejection {
      // A deadline inside the body has told that the call took too long; one around it is the caller's own.
      let isCallers = Ambient.values.remaining.map { $0 <= .zero } ?? false
      return rejection.reason == .deadlineExceeded && !isCallers ? .failure : nil
    }
    if let judged = error as? any BreakerJudged { return judged.breakerOutcome }
    return .failure
  }
}

extension CircuitBreaker {
  /// A call that may be made, and when it began.
  package struct Call: Sendable {
    fileprivate let permit: CircuitBreakerState.Permit
    fileprivate let start: Duration
  }

  /// Asks for the right to make a call.
  ///
  /// - Parameters:
  ///   - begins: whether it begins now; else ``begin(_:hasWaited:)`` has to follow.
  ///   - moment: the present one, where it is known.
  /// - Throws: ``Rejection`` with `.breakerOpen`.
  package func admit(begins: Bool, at moment: Moment? = nil) throws(Rejection) -> Call {
    let now = first.time(at: moment)
    var changes: [CircuitBreakerState.Change] = []
    let admission = current.withLock { $0.admit(at: now, begins: begins, &changes) }
    return try call(admission, at: now, changes)
  }

  /// Says that a call begins, and asks again where it had to queue.
  package func begin(_ call: Call, hasWaited: Bool) throws(Rejection) -> Call {
    let now = hasWaited ? first.now : call.start
    var changes: [CircuitBreakerState.Change] = []
    let admission = current.withLock { $0.begin(call.permit, at: now, &changes) }
    return try self.call(admission, at: now, changes)
  }

  /// Takes a call's result; nil where it counts neither way.
  ///
  /// - Parameter moment: the present one, where it is known.
  package func record(_ call: Call, _ outcome: Outcome?, at moment: Moment? = nil) {
    let now = first.time(at: moment)
    var changes: [CircuitBreakerState.Change] = []
    let isLate = current.withLock { state in
      let dropped = state.dropped
      state.record(call.permit, outcome, took: now - call.start, at: now, &changes)
      return state.dropped > dropped
    }
    if isLate { Ambient.reach("breaker.result_dropped") }
    if call.permit.isProbe, outcome == nil { Ambient.reach("breaker.probe_given_back") }
    tell(changes)
  }

  /// How long the breaker is certain to refuse all calls; zero when it may let one through.
  package var remainingOpenTime: Duration {
    let now = first.peek
    guard case .open(let until) = current.withLock({ $0.phase(at: now) }) else { return .zero }
    return until - now
  }

  private func call(
    _ admission: CircuitBreakerState.Admission, at now: Duration, _ changes: [CircuitBreakerState.Change]
  ) throws(Rejection) -> Call {
    tell(changes)
    switch admission {
    case .permit(let permit): return Call(permit: permit, start: now)
    case .refused(let wait):
      Ambient.record(
        "breaker.rejected", .debug, label: label,
        [wait.map { Event.Field("retry_after", $0.text) }].compactMap(\.self))
      throw Rejection(.breakerOpen, retryAfter: wait)
    }
  }

  private func tell(_ changes: [CircuitBreakerState.Change]) {
    for change in changes {
      switch change {
      case .opened(let cause, let length, let calls, let failures):
        if cause == .probeExpired { Ambient.reach("breaker.probe_expired") }
        Ambient.record(
          "breaker.opened", .warning, label: label,
          [
            Event.Field("cause", cause.rawValue), Event.Field("open_for", length.text),
            Event.Field("calls", "\(calls)"), Event.Field("failures", "\(failures)"),
          ])
      case .halfOpened: Ambient.record("breaker.half_open", .info, label: label, [])
      case .closed: Ambient.record("breaker.closed", .notice, label: label, [])
      }
    }
  }
}

/// An error that knows what it says about the health of what was called.
public protocol BreakerJudged: Error {
  /// What a circuit breaker makes of it; nil where it says nothing.
  var breakerOutcome: CircuitBreaker.Outcome? { get }
}

extension CircuitBreaker: CustomStringConvertible {
  /// The breaker's numbers.
  public var description: String {
    configuration.text
  }
}
