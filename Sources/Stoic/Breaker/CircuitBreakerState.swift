/// Whether a circuit breaker lets calls through, and what it remembers of them.
///
/// Pure: it knows no clock; instants are offsets on one clock. Every change of phase begins a new generation, and a
/// result counts only in the generation in which its call began.
package struct CircuitBreakerState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case closed
    case open(until: Duration)
    case halfOpen
    case forcedOpen
    case forcedClosed
  }

  /// The right to make one call.
  package struct Permit: Hashable, Sendable {
    fileprivate let generation: Int
    fileprivate let probe: Int?

    /// Whether the call is a probe.
    package var isProbe: Bool { probe != nil }
  }

  package enum Admission: Hashable, Sendable {
    case permit(Permit)
    /// How long the breaker stays open, where that is known.
    case refused(retryAfter: Duration?)
  }

  package enum Change: Hashable, Sendable {
    case opened(Cause, for: Duration, calls: Int, failures: Int)
    case halfOpened
    case closed
  }

  package enum Cause: String, Hashable, Sendable {
    case failures = "failure_ratio"
    case slowCalls = "slow_ratio"
    case probe = "probe_failed"
    case probeExpired = "probe_expired"
  }

  private let configuration: CircuitBreaker.Configuration
  private let probeTimeout: Duration
  private let minimumCalls: Int
  private var window: SlidingWindow<CallTally>
  private var random: SplitMix
  private var generation = 0
  /// How often probes have failed since the breaker was closed.
  private var failedProbes = 0
  /// When the probes that run expire; one that waits further in has no time yet.
  private var probes: [Int: Duration?] = [:]
  private var nextProbe = 0
  private var successfulProbes = 0

  package private(set) var phase = Phase.closed
  /// How many results came too late to count.
  package private(set) var dropped = 0

  package init(_ configuration: CircuitBreaker.Configuration, seed: UInt64) {
    self.configuration = configuration
    probeTimeout = configuration.probeTimeout ?? .seconds(30)
    minimumCalls = min(configuration.minimumCalls, configuration.lastCalls ?? .max)
    window = SlidingWindow(length: configuration.window, capacity: configuration.lastCalls)
    random = SplitMix(seed: seed)
  }

  /// The calls that counted when the last result came.
  package var tally: CallTally { window.sum }

  /// How many probes run or wait.
  package var probesInFlight: Int { probes.count }

  /// Asks for the right to make a call.
  ///
  /// - Parameters:
  ///   - begins: whether the call begins now. One that may have to queue further in says so with ``begin(_:at:_:)``, and no
  ///     probe's time runs before.
  ///   - changes: what happened to the breaker, to be told outside the lock.
  package mutating func admit(at now: Duration, begins: Bool, _ changes: inout [Change]) -> Admission {
    expireProbes(at: now, &changes)
    if case .open(let until) = phase, until <= now {
      turn(.halfOpen)
      changes.append(.halfOpened)
    }
    switch phase {
    case .closed, .forcedClosed: return .permit(Permit(generation: generation, probe: nil))
    case .open(let until): return .refused(retryAfter: until - now)
    case .forcedOpen: return .refused(retryAfter: nil)
    case .halfOpen:
      guard probes.count < configuration.probes else { return .refused(retryAfter: nil) }
      let probe = nextProbe
      nextProbe += 1
      probes[probe] = .some(begins ? now.saturatingAdd(probeTimeout) : nil)
      return .permit(Permit(generation: generation, probe: probe))
    }
  }

  /// Says that a call that had to queue begins, and asks again: the breaker may have opened meanwhile.
  package mutating func begin(_ permit: Permit, at now: Duration, _ changes: inout [Change]) -> Admission {
    expireProbes(at: now, &changes)
    guard permit.generation == generation else { return admit(at: now, begins: true, &changes) }
    if let probe = permit.probe { probes[probe] = .some(now.saturatingAdd(probeTimeout)) }
    return .permit(permit)
  }

  /// Takes a call's result.
  ///
  /// - Parameters:
  ///   - outcome: nil where it says nothing about the health of what was called; a probe only gives its place back.
  ///   - duration: how long the call took.
  package mutating func record(
    _ permit: Permit, _ outcome: CircuitBreaker.Outcome?, took duration: Duration, at now: Duration,
    _ changes: inout [Change]
  ) {
    expireProbes(at: now, &changes)
    guard permit.generation == generation else {
      if outcome != nil { dropped += 1 }
      return
    }
    if let probe = permit.probe { probes[probe] = nil }
    guard let outcome else { return }
    let isSlow = configuration.slowCallDuration.map { duration >= $0 } ?? false
    switch phase {
    case .closed: count(outcome, isSlow: isSlow, at: now, &changes)
    case .halfOpen where outcome == .failure || isSlow: open(.probe, at: now, &changes)
    case .halfOpen:
      successfulProbes += 1
      guard successfulProbes >= configuration.successesToClose else { return }
      turn(.closed)
      failedProbes = 0
      changes.append(.closed)
    case .open, .forcedOpen, .forcedClosed: break
    }
  }

  /// Holds the breaker in a phase, or lets it go with a clean slate.
  package mutating func force(_ forced: CircuitBreaker.Forced?) {
    failedProbes = 0
    switch forced {
    case .open: turn(.forcedOpen)
    case .closed: turn(.forcedClosed)
    case nil: turn(.closed)
    }
  }

  /// The phase at an instant, without a change: an open period that is over reads as half open.
  package func phase(at now: Duration) -> Phase {
    var copy = self
    var changes: [Change] = []
    copy.expireProbes(at: now, &changes)
    if case .open(let until) = copy.phase, until <= now { return .halfOpen }
    return copy.phase
  }

  private mutating func count(
    _ outcome: CircuitBreaker.Outcome, isSlow: Bool, at now: Duration, _ changes: inout [Change]
  ) {
    // The window takes an instant before the latest one for that one, and so does what follows.
    let now = window.add(
      CallTally(calls: 1, failures: outcome == .failure ? 1 : 0, slow: isSlow ? 1 : 0), at: now)
    let sum = window.sum
    guard sum.calls >= minimumCalls else { return }
    if sum.failures > 0, sum.failures * 1_000_000 >= configuration.failureRatio.millionths * sum.calls {
      open(.failures, at: now, &changes)
    } else if sum.slow > 0, sum.slow * 1_000_000 >= configuration.slowCallRatio.millionths * sum.calls {
      open(.slowCalls, at: now, &changes)
    }
  }

  /// A probe that never ends must not keep the breaker half open for ever.
  private mutating func expireProbes(at now: Duration, _ changes: inout [Change]) {
    guard !probes.isEmpty, let first = probes.values.compactMap(\.self).min(), first <= now else { return }
    open(.probeExpired, at: first, &changes)
  }

  private mutating func open(_ cause: Cause, at now: Duration, _ changes: inout [Change]) {
    if phase == .halfOpen { failedProbes += 1 }
    let length = configuration.openTime(afterFailedProbes: failedProbes, fraction: random.fraction())
    changes.append(
      .opened(cause, for: length, calls: window.sum.calls, failures: window.sum.failures))
    turn(.open(until: now.saturatingAdd(length)))
  }

  private mutating func turn(_ next: Phase) {
    phase = next
    generation += 1
    window = SlidingWindow(length: configuration.window, capacity: configuration.lastCalls)
    probes = [:]
    successfulProbes = 0
  }
}

/// Calls, and those among them that failed or were slow.
package struct CallTally: AdditiveArithmetic, Hashable, Sendable {
  package var calls = 0
  package var failures = 0
  package var slow = 0

  package static let zero = CallTally()

  package static func + (left: CallTally, right: CallTally) -> CallTally {
    CallTally(
      calls: left.calls + right.calls, failures: left.failures + right.failures, slow: left.slow + right.slow)
  }

  package static func - (left: CallTally, right: CallTally) -> CallTally {
    CallTally(
      calls: left.calls - right.calls, failures: left.failures - right.failures, slow: left.slow - right.slow)
  }
}

extension Double {
  /// A share between 0 and 1 in whole millionths, so that shares compare exactly.
  fileprivate var millionths: Int { Int((self * 1_000_000).rounded()) }
}
