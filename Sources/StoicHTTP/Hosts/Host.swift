import Stoic

/// What all calls to one server share, each a policy of its own: quotas, rate limiter, throttle, breaker, bulkhead and hedge,
/// and a retry budget where each host has its own.
final class Host: Sendable {
  /// The right to make one attempt, to be given back with ``leave(_:_:)``.
  struct Admission: Sendable {
    fileprivate let call: CircuitBreaker.Call?
    fileprivate let entry: Gate.Entry?
  }

  /// The turn of one attempt among those that are paced, to be used with ``use(_:)`` or given back with ``giveBack(_:)``.
  struct Pass: Sendable {
    /// Until when it waits behind a full queue, too; nil where it has not waited for its turn.
    fileprivate var patience: AmbientClock.Instant?
  }

  /// The client's label and the host, for events.
  let label: String
  let use = HostUse()
  let budget: RetryBudget?
  /// What starts a second attempt beside a slow one; nil for nothing.
  let hedge: Hedge?
  private let quota: HostQuota?
  private let limiter: RateLimiter?
  private let throttle: Throttle?
  private let breaker: CircuitBreaker?
  private let gate: Gate?
  private let initialLimit: Int?
  private let hasOwnBudget: Bool

  init(_ policy: HTTPPolicy, label: String) {
    self.label = label
    quota = policy.quota.map { HostQuota($0, label: label, wallClock: policy.wallClock) }
    limiter = policy.rateLimit.map { RateLimiter($0, label: label) }
    throttle = policy.throttle.map { Throttle($0, label: label) }
    breaker = policy.breaker.map { numbers in
      var numbers = numbers
      // The attempt's own timeout is to be heard before its probe expires.
      numbers.probeTimeout =
        numbers.probeTimeout ?? policy.attemptTimeout.saturatingAdd(policy.attemptTimeout)
      return CircuitBreaker(numbers, label: label)
    }
    gate = Gate(policy, label: label)
    initialLimit = gate?.adaptedLimit
    let budget =
      switch policy.budgetScope {
      case .client: policy.budget
      case .host:
        policy.budget.map {
          RetryBudget(ratio: $0.ratio, minimumRetries: $0.minimumRetries, window: $0.window)
        }
      }
    self.budget = budget
    hasOwnBudget = policy.budgetScope == .host
    hedge = policy.hedge.map { Hedge($0, budget: budget, label: label) }
  }

  /// How long the breaker is certain to refuse every call.
  var refusedFor: Duration { breaker?.remainingOpenTime ?? .zero }

  /// Whether calls to a host that is made anew would fare otherwise than calls to this one.
  ///
  /// Not for what a breaker, closed, or a hedge has counted: that is gathered again soon.
  var remembers: Bool {
    if let breaker, breaker.state != .closed { return true }
    if let limiter, limiter.available < limiter.configuration.burst { return true }
    if hasOwnBudget, let budget, budget.available < budget.minimumRetries { return true }
    return quota?.isKnown == true || throttle?.hasCalls == true || gate?.adaptedLimit != initialLimit
  }
}

// What an attempt waits for before it holds anything.
extension Host {
  /// Whether attempts wait for their turn in time before they enter.
  var isPaced: Bool { quota != nil || limiter != nil }

  /// Waits for an attempt's turn in time.
  ///
  /// - Throws: ``Rejection``, or `CancellationError`; then nothing is held.
  func pace(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws -> Pass {
    let start = values.clock.now
    var patience = Duration.zero
    if let quota {
      try await quota.admit(until: deadline, in: values)
      if values.clock.now > start { patience = quota.maxWait }
    }
    let admitted = values.clock.now
    switch await limiter?.acquire(until: deadline, in: values) {
    case .granted, nil:
      if let limiter, values.clock.now > admitted {
        patience = patience.saturatingAdd(limiter.configuration.longestWait)
      }
      return Pass(patience: patience > .zero ? start.advanced(by: patience) : nil)
    case .refused(let rejection):
      quota?.giveBack()
      throw rejection
    case .cancelled:
      quota?.giveBack()
      throw CancellationError()
    }
  }

  /// Gives back the turn of an attempt that is not made.
  func giveBack(_ pass: Pass) {
    quota?.giveBack()
    limiter?.giveBack()
  }

  /// Says that an attempt is made whose turn it is; nil where no quotas are heeded.
  func use(_ pass: Pass) -> QuotaState.Ticket? { quota?.start() }

  /// Says that an attempt has ended that was made in its turn.
  func end(_ ticket: QuotaState.Ticket) { quota?.end() }

  /// Takes what a response says about the host's quotas.
  func heed(_ response: HTTPResponse, to ticket: QuotaState.Ticket) { quota?.report(response, to: ticket) }
}

// What an attempt holds while it is made.
extension Host {
  /// Enters where throttle and breaker let the call through and a permit is free; nil where it has to wait for one.
  ///
  /// - Parameter now: the present moment.
  /// - Throws: ``Rejection``; then nothing is held.
  func enterAtOnce(at now: Moment) throws(Rejection) -> Admission? {
    if let refusal = throttle?.refuse() { throw refusal }
    let call = try breaker?.admit(begins: gate == nil, at: now)
    guard let gate else { return Admission(call: call, entry: nil) }
    guard gate.acquireAtOnce() else {
      if let call { breaker?.record(call, nil, at: now) }
      return nil
    }
    return try begin(call, behind: gate, hasWaited: false)
  }

  /// Asks the breaker, waits for a permit of the bulkhead, and asks the breaker again: it may have opened meanwhile.
  ///
  /// The throttle was asked by ``enterAtOnce()``. Who has waited for a quota or a token waits behind a full queue as long as
  /// those may be waited for at all: else those whose turn comes together would be refused together.
  ///
  /// - Throws: ``Rejection``, or `CancellationError`; then nothing is held.
  func enter(
    _ pass: Pass?, until deadline: AmbientClock.Instant?, in values: AmbientValues
  ) async throws -> Admission {
    let call = try breaker?.admit(begins: gate == nil)
    guard let gate else { return Admission(call: call, entry: nil) }
    do { try await gate.acquire(until: deadline, in: values, patience: pass?.patience) } catch {
      if let call { breaker?.record(call, nil) }
      throw error
    }
    return try begin(call, behind: gate, hasWaited: true)
  }

  /// Enters as a second attempt beside one that is under way, which waits for nothing.
  ///
  /// - Parameter now: the present moment.
  /// - Throws: ``Rejection``; then nothing is held.
  func enterBeside(at now: Moment) throws(Rejection) -> (Pass?, Admission) {
    var pass: Pass?
    if isPaced {
      try quota?.admitAtOnce()
      if let limiter, !limiter.acquireAtOnce() {
        quota?.giveBack()
        throw Rejection(.rateLimited)
      }
      pass = Pass(patience: nil)
    }
    do throws(Rejection) {
      guard let admission = try enterAtOnce(at: now) else { throw Rejection(.bulkheadFull) }
      return (pass, admission)
    } catch {
      if let pass { giveBack(pass) }
      throw error
    }
  }

  private func begin(
    _ call: CircuitBreaker.Call?, behind gate: Gate, hasWaited: Bool
  ) throws(Rejection) -> Admission {
    do throws(Rejection) {
      let begun = if let call { try breaker?.begin(call, hasWaited: hasWaited) } else { call }
      return Admission(call: begun, entry: gate.begin())
    } catch {
      gate.leave(gate.begin(), nil)
      throw error
    }
  }

  /// Tells throttle and breaker how the attempt ended, and gives the permit to the next.
  ///
  /// - Parameter now: the present moment.
  func leave(_ admission: Admission, _ verdict: Verdict, at now: Moment) {
    throttle?.record(verdict.load.map { $0 == .served ? .success : .failure })
    if let call = admission.call {
      let outcome: CircuitBreaker.Outcome? =
        switch verdict.breaker {
        case .success: .success
        case .failure: .failure
        case .neutral: nil
        }
      breaker?.record(call, outcome, at: now)
    }
    if let entry = admission.entry { gate?.leave(entry, verdict.load) }
  }
}
