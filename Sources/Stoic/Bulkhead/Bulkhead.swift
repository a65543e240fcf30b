/// Lets a bounded number of calls run at once, lets a bounded number wait for their turn, and refuses the rest at once.
///
/// - First come, first served. A permit that is given back goes straight to who has waited longest; nobody who comes
///   later can snatch it.
/// - A waiting caller who is cancelled, whose deadline comes, or who has waited ``queueTimeout``, leaves the queue; a permit
///   that meets a caller on the way out goes to the next.
/// - Whatever way a body ends, its permit is given back once.
///
/// ```swift
/// import Stoic
///
/// let connections = Bulkhead(maxConcurrent: 8, queueLimit: 64)
///
/// func row(_ id: Int) async throws -> String {
///   try await connections.run { try await query(id) }
/// }
///
/// func query(_ id: Int) async throws -> String { "row \(id)" }
/// ```
///
/// A body that asks its own bulkhead again may wait for itself, until its deadline.
///
/// Safe to use from any task. (Nygard, "Release It!", 2007.)
public final class Bulkhead: Sendable {
  /// How many bodies may run at once; at least 1.
  public let maxConcurrent: Int
  /// How many callers may wait; at least 0.
  public let queueLimit: Int
  /// How long a caller may wait, on the clock in force for it; nil for as long as it likes.
  public let queueTimeout: Duration?
  /// Whose bulkhead it is, for events.
  public let label: String

  private let state: Lock<BulkheadState<WakeUp>>

  /// Makes a bulkhead.
  ///
  /// - Parameters:
  ///   - maxConcurrent: how many bodies may run at once; less than 1 is taken for 1.
  ///   - queueLimit: how many callers may wait; less than 0 is taken for 0.
  ///   - queueTimeout: how long one may wait; negative is taken for zero.
  ///   - label: whose bulkhead it is, for events.
  public init(
    maxConcurrent: Int, queueLimit: Int = 64, queueTimeout: Duration? = nil, label: String = "bulkhead"
  ) {
    self.maxConcurrent = max(1, maxConcurrent)
    self.queueLimit = max(0, queueLimit)
    self.queueTimeout = queueTimeout.map { max(.zero, $0.clamped) }
    self.label = label
    state = Lock(BulkheadState(limit: self.maxConcurrent, queueLimit: self.queueLimit))
  }

  /// How many permits are held.
  public var inUse: Int { state.withLock { $0.inUse } }

  /// How many callers wait.
  public var waiting: Int { state.withLock { $0.waiting } }

  /// Runs a body as soon as there is room for it.
  ///
  /// The body runs where its caller is; it need not escape or be `Sendable`.
  ///
  /// - Throws: ``Rejection`` with `.bulkheadFull` when the queue is full or the wait has lasted ``queueTimeout``, and with
  ///   `.deadlineExceeded` when the deadline comes first; `CancellationError` when cancelled while waiting; else what the
  ///   body throws.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    let values = Ambient.values
    try await acquire(until: values.deadline, in: values)
    defer { release() }
    let hold = values.hold(LedgerEntry("permit", label, count: "\(inUse) of \(maxConcurrent)"))
    defer { hold?.release() }
    return try await body()
  }
}

extension Bulkhead {
  /// Takes a permit that is free; false when none is.
  package func acquireAtOnce() -> Bool {
    state.withLock { $0.enterAtOnce() }
  }

  /// Takes a permit, waiting for it when none is free.
  ///
  /// - Parameters:
  ///   - deadline: when to give up at the latest, on the clock of `values`.
  ///   - values: what is in force for the caller.
  ///   - patience: until when to wait behind a full queue, too; then it is a full queue.
  package func acquire(
    until deadline: AmbientClock.Instant?, in values: AmbientValues, patience: AmbientClock.Instant? = nil
  ) async throws {
    try Task.checkCancellation()
    switch state.withLock({ $0.enter(WakeUp(), isPatient: patience != nil) }) {
    case .granted: return
    case .full: throw refusal("full")
    case .queued(let ticket, let waiter):
      try await queue(ticket, waiter, until: deadline, in: values, patience: nil)
    case .crowded(let ticket, let waiter):
      try await queue(ticket, waiter, until: deadline, in: values, patience: patience)
    }
  }

  private func queue(
    _ ticket: UInt64, _ waiter: WakeUp, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    patience: AmbientClock.Instant?
  ) async throws {
    Ambient.record("bulkhead.queued", .debug, label: label, [Event.Field("waiting", "\(waiting)")])
    try await wait(ticket, waiter, until: deadline, in: values, patience: patience)
  }

  /// Gives a permit back.
  ///
  /// - Returns: how many were in use before.
  @discardableResult
  package func release() -> Int {
    let (inUse, woken) = state.withLock { ($0.inUse, $0.leave()) }
    woken?.ring()
    return inUse
  }

  /// Changes the number of permits, by a decision that is made under its own lock.
  ///
  /// - Parameters:
  ///   - limit: how many bodies may run at once from now on.
  ///   - number: which decision it is; one that arrives after a later one changes nothing.
  package func resize(to limit: Int, decision number: Int) {
    let woken = state.withLock { $0.resize(to: limit, decision: number) }
    for waiter in woken { waiter.ring() }
  }

  private func wait(
    _ ticket: UInt64, _ waiter: WakeUp, until deadline: AmbientClock.Instant?, in values: AmbientValues,
    patience: AmbientClock.Instant?
  ) async throws {
    let clock = values.clock
    let timeout = queueTimeout.map { (patience ?? clock.now).advanced(by: $0) } ?? .distantFuture
    let end = min(deadline ?? .distantFuture, timeout)
    let giveUp: @Sendable () -> Void = { [self] in
      state.withLock { $0.withdraw(ticket) }
      waiter.ring()
    }
    let hold = values.hold(
      LedgerEntry("wait", "for a permit of \(label)", count: "\(waiting) of \(queueLimit) places"))
    await cancellable {
      await withUnsafeContinuation { continuation in
        guard waiter.park(continuation) else { return continuation.resume() }
        let leave: @Sendable () -> Void = {
          if end < .distantFuture { waiter.own(clock.schedule(at: end, giveUp)) }
        }
        guard let patience, patience < end else { return leave() }
        let losePatience: @Sendable () -> Void = { [self] in
          if state.withLock({ $0.losePatience(ticket) }) { leave() } else { waiter.ring() }
        }
        waiter.own(clock.schedule(at: patience, losePatience))
      }
    } onCancel: {
      giveUp()
    }
    hold?.release()
    let isGranted = state.withLock { $0.claim(ticket) }
    let isLate = deadline.map { clock.now >= $0 } ?? false
    guard isGranted, !Task.isCancelled, !isLate else {
      if isGranted {
        Ambient.reach("bulkhead.permit_passed_on")
        release()
      }
      try Task.checkCancellation()
      throw isLate ? Rejection(.deadlineExceeded) : refusal("queue_timeout")
    }
  }

  private func refusal(_ reason: String) -> Rejection {
    Ambient.record(
      "bulkhead.rejected", .info, label: label,
      [
        Event.Field("reason", reason), Event.Field("in_use", "\(inUse)"),
        Event.Field("waiting", "\(waiting)"),
      ])
    return Rejection(.bulkheadFull)
  }
}

extension Bulkhead: CustomStringConvertible {
  /// The bulkhead's numbers.
  public var description: String {
    let wait = queueTimeout.map { " for at most \($0.text)" } ?? ""
    return "bulkhead (\(maxConcurrent) at once, \(queueLimit) waiting\(wait))"
  }
}
