import Stoic

/// What all calls to one server share: what is known of its quotas, a breaker, a bulkhead, and a retry budget where each host
/// has its own.
final class Host: Sendable {
  /// The right to make one attempt, to be given back with ``leave(_:_:)``.
  struct Admission {
    fileprivate let call: CircuitBreaker.Call?
  }

  /// The turn of one attempt among those that are paced, to be given back with ``giveBack(_:)`` where it is not made.
  struct Pass {
    fileprivate var quota: QuotaState.Ticket?
  }

  /// The client's label and the host, for events.
  let label: String
  let use = HostUse()
  let budget: RetryBudget?
  private let quota: HostQuota?
  private let breaker: CircuitBreaker?
  private let bulkhead: Bulkhead?

  init(_ policy: HTTPPolicy, label: String) {
    self.label = label
    quota = policy.quota.map { HostQuota($0, label: label, wallClock: policy.wallClock) }
    breaker = policy.breaker.map { numbers in
      var numbers = numbers
      // The attempt's own timeout is to be heard before its probe expires.
      numbers.probeTimeout =
        numbers.probeTimeout ?? policy.attemptTimeout.saturatingAdd(policy.attemptTimeout)
      return CircuitBreaker(numbers, label: label)
    }
    bulkhead = policy.maxConcurrentPerHost.map {
      Bulkhead(
        maxConcurrent: $0, queueLimit: policy.queueLimitPerHost, queueTimeout: policy.queueTimeout,
        label: label)
    }
    budget =
      switch policy.budgetScope {
      case .client: policy.budget
      case .host:
        policy.budget.map {
          RetryBudget(ratio: $0.ratio, minimumRetries: $0.minimumRetries, window: $0.window)
        }
      }
  }

  /// Whether attempts wait for their turn in time before they enter.
  var isPaced: Bool { quota != nil }

  /// Waits for an attempt's turn in time.
  ///
  /// - Throws: ``Rejection``, or `CancellationError`; then nothing is held.
  func pace(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws -> Pass {
    Pass(quota: try await quota?.admit(until: deadline, in: values))
  }

  /// Gives back the turn of an attempt that is not made.
  func giveBack(_ pass: Pass) {
    if let ticket = pass.quota { quota?.giveBack(ticket) }
  }

  /// Takes what a response says about the host's quotas.
  func heed(_ response: HTTPResponse, _ pass: Pass) {
    if let ticket = pass.quota { quota?.report(response, to: ticket) }
  }

  /// Enters where the breaker lets the call through and a permit is free; nil where it has to wait for one.
  ///
  /// - Throws: ``Rejection``; then nothing is held.
  func enterAtOnce() throws(Rejection) -> Admission? {
    let call = try breaker?.admit(begins: bulkhead == nil)
    guard let bulkhead else { return Admission(call: call) }
    guard bulkhead.acquireAtOnce() else {
      if let call { breaker?.record(call, nil) }
      return nil
    }
    guard let call else { return Admission(call: nil) }
    do { return Admission(call: try breaker?.begin(call, hasWaited: false)) } catch {
      bulkhead.release()
      throw error
    }
  }

  /// Asks the breaker, waits for a permit of the bulkhead, and asks the breaker again: it may have opened meanwhile.
  ///
  /// - Throws: ``Rejection``, or `CancellationError`; then nothing is held.
  func enter(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws -> Admission {
    var call = try breaker?.admit(begins: bulkhead == nil)
    if let bulkhead {
      do { try await bulkhead.acquire(until: deadline, in: values) } catch {
        if let call { breaker?.record(call, nil) }
        throw error
      }
      if let queued = call {
        do { call = try breaker?.begin(queued, hasWaited: true) } catch {
          bulkhead.release()
          throw error
        }
      }
    }
    return Admission(call: call)
  }

  /// Tells the breaker how the attempt ended, and gives the permit to the next.
  func leave(_ admission: Admission, _ count: Verdict.BreakerCount) {
    if let call = admission.call {
      let outcome: CircuitBreaker.Outcome? =
        switch count {
        case .success: .success
        case .failure: .failure
        case .neutral: nil
        }
      breaker?.record(call, outcome)
    }
    bulkhead?.release()
  }

  /// How long the breaker is certain to refuse every call.
  var refusedFor: Duration { breaker?.remainingOpenTime ?? .zero }
}
