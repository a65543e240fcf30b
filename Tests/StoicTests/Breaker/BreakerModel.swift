import Stoic

/// A circuit breaker in lists and ifs; instants and spans are whole nanoseconds.
struct BreakerModel: Hashable {
  enum Phase: Hashable {
    case closed, halfOpen, forcedOpen, forcedClosed
    case open(until: Int)
  }

  struct Permit: Hashable {
    var period: Int
    var probe: Int?
    var hasBegun: Bool
  }

  struct Call: Hashable {
    var time: Int
    var isFailure: Bool
    var isSlow: Bool
  }

  struct Probe: Hashable {
    var number: Int
    var expiry: Int?
  }

  enum Answer: Hashable {
    case permit(Permit)
    case refused(retryAfter: Int?)
  }

  static let window = 100
  static let openTimes = [10, 20, 25]
  static let probeTimeout = 30
  static let slowFrom = 5

  let probeLimit: Int
  let successesToClose: Int
  let lastCalls: Int?

  var phase = Phase.closed
  var period = 0
  var calls: [Call] = []
  var probes: [Probe] = []
  var probesEver = 0
  var successfulProbes = 0
  var failedProbes = 0
  var dropped = 0
  var changes: [CircuitBreakerState.Change] = []

  var failures: Int { calls.filter(\.isFailure).count }
  var slowCalls: Int { calls.filter(\.isSlow).count }

  /// The next instant at which something happens by itself.
  var edge: Int? {
    if case .open(let until) = phase { return until }
    return probes.compactMap(\.expiry).min() ?? calls.first.map { $0.time + Self.window }
  }

  private mutating func enter(_ next: Phase) {
    phase = next
    period += 1
    calls = []
    probes = []
    successfulProbes = 0
  }

  private mutating func open(_ cause: CircuitBreakerState.Cause, at now: Int) {
    let length = Self.openTimes[min(failedProbes, 2)]
    changes.append(.opened(cause, for: .nanoseconds(length), calls: calls.count, failures: failures))
    enter(.open(until: now + length))
  }

  private mutating func failProbe(_ cause: CircuitBreakerState.Cause, at now: Int) {
    failedProbes += 1
    open(cause, at: now)
  }

  /// What time alone has done by an instant.
  private mutating func pass(to now: Int) {
    if let expiry = probes.compactMap(\.expiry).min(), expiry <= now { failProbe(.probeExpired, at: expiry) }
  }

  func reading(at now: Int) -> Phase {
    var copy = self
    copy.pass(to: now)
    if case .open(let until) = copy.phase, now >= until { return .halfOpen }
    return copy.phase
  }

  mutating func admit(at now: Int, begins: Bool) -> Answer {
    pass(to: now)
    if case .open(let until) = phase, now >= until {
      enter(.halfOpen)
      changes.append(.halfOpened)
    }
    switch phase {
    case .closed, .forcedClosed: return .permit(Permit(period: period, probe: nil, hasBegun: begins))
    case .forcedOpen: return .refused(retryAfter: nil)
    case .open(let until): return .refused(retryAfter: until - now)
    case .halfOpen:
      if probes.count == probeLimit { return .refused(retryAfter: nil) }
      probes.append(Probe(number: probesEver, expiry: begins ? now + Self.probeTimeout : nil))
      probesEver += 1
      return .permit(Permit(period: period, probe: probesEver - 1, hasBegun: begins))
    }
  }

  mutating func begin(_ permit: Permit, at now: Int) -> Answer {
    pass(to: now)
    if permit.period != period { return admit(at: now, begins: true) }
    for index in probes.indices where probes[index].number == permit.probe {
      probes[index].expiry = now + Self.probeTimeout
    }
    return .permit(Permit(period: period, probe: permit.probe, hasBegun: true))
  }

  mutating func record(_ permit: Permit, _ outcome: CircuitBreaker.Outcome?, took: Int, at now: Int) {
    pass(to: now)
    if permit.period != period {
      if outcome != nil { dropped += 1 }
      return
    }
    probes.removeAll { $0.number == permit.probe }
    guard let outcome else { return }
    let isFailure = outcome == .failure
    let isSlow = took >= Self.slowFrom
    if phase == .closed {
      // Who has read the clock before the one who was last counts as of that one's result.
      let now = max(now, calls.last?.time ?? now)
      calls = calls.filter { now - $0.time < Self.window }
      calls.append(Call(time: now, isFailure: isFailure, isSlow: isSlow))
      if let lastCalls { calls = calls.suffix(lastCalls) }
      // Half of at least two calls failed, or all of them were slow.
      if calls.count >= 2, 2 * failures >= calls.count {
        open(.failures, at: now)
      } else if calls.count >= 2, slowCalls == calls.count {
        open(.slowCalls, at: now)
      }
    } else if phase == .halfOpen {
      // A probe that is slow is no sign of health.
      if isFailure || isSlow { return failProbe(.probe, at: now) }
      successfulProbes += 1
      if successfulProbes >= successesToClose {
        enter(.closed)
        failedProbes = 0
        changes.append(.closed)
      }
    }
  }

  mutating func force(_ forced: CircuitBreaker.Forced?) {
    failedProbes = 0
    switch forced {
    case .open: enter(.forcedOpen)
    case .closed: enter(.forcedClosed)
    case nil: enter(.closed)
    }
  }
}
