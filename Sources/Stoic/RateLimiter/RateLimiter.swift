/// Lets calls begin at a bounded rate: the excess waits for its turn, or is refused at once.
///
/// A bucket of tokens: each call takes one, and they come back at the rate. An idle limiter holds ``Configuration/burst``
/// of them and never more.
///
/// - First come, first served; nobody who comes later can snatch a token from those who wait.
/// - How long a wait will be is known when it begins. A call whose wait would outlast its deadline, or
///   ``Configuration/maxWait``, is refused at once, and so is one that finds the queue full.
/// - A waiting caller who is cancelled leaves the queue, and those behind it move up.
///
/// ```swift
/// import Stoic
///
/// let geocoder = RateLimiter(RateLimiter.Configuration(calls: 10, per: .seconds(1), burst: 5), label: "geocoder")
///
/// func place(_ name: String) async throws -> String {
///   try await geocoder.run { try await query(name) }
/// }
///
/// func query(_ name: String) async throws -> String { name }
/// ```
///
/// Time is that of the clock in force at the first use. Safe to use from any task; nothing of the caller's runs under its
/// lock. (Turner, "New Directions in Communications", 1986: the token bucket.)
public final class RateLimiter: Sendable {
  /// The limiter's numbers.
  public let configuration: Configuration
  /// Whose limiter it is, for events.
  public let label: String

  private let turns: TurnKeeper<RateLimiterState<WakeUp>>

  /// Makes a limiter with a full bucket.
  public init(_ configuration: Configuration, label: String = "rate limiter") {
    self.configuration = configuration
    self.label = label
    turns = TurnKeeper(RateLimiterState(configuration))
  }

  /// How many calls may begin now without waiting.
  public var available: Int {
    let now = turns.first.peek
    return turns.withState { state in
      // A look moves no time on.
      var copy = state
      return copy.available(at: now)
    }
  }

  /// How many callers wait.
  public var waiting: Int { turns.withState { $0.waiting } }

  /// Runs a body as soon as the rate allows it.
  ///
  /// The body runs where its caller is; it need not escape or be `Sendable`. Its token is spent, whatever it ends with, but
  /// for the refusal of a throttle, a breaker or another limiter inside.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited`, and the time after which another try has its place, when the queue is full
  ///   or the wait would be too long; with `.deadlineExceeded` when the deadline has come; `CancellationError` when
  ///   cancelled while waiting; else what the body throws.
  public func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    let values = Ambient.values
    switch await acquire(until: values.deadline, in: values) {
    case .granted:
      do { return try await body() } catch {
        if error.givesTokenBack { giveBack() }
        throw error
      }
    case .refused(let rejection): throw rejection
    case .cancelled: throw CancellationError()
    }
  }
}

extension RateLimiter {
  /// What came of asking for a token.
  package enum Admission: Hashable, Sendable {
    case granted
    case refused(Rejection)
    /// The caller was cancelled.
    case cancelled
  }

  /// Takes a token that is there; false when none is, or when others wait for it.
  package func acquireAtOnce() -> Bool {
    let now = turns.first.now
    return turns.withState { $0.takeAtOnce(at: now) }
  }

  /// Takes a token, waiting for it when none is there; throws nothing.
  ///
  /// - Parameters:
  ///   - deadline: when the wait has to be over, on the clock of `values`.
  ///   - values: what is in force for the caller.
  package func acquire(until deadline: AmbientClock.Instant?, in values: AmbientValues) async -> Admission {
    if Task.isCancelled { return .cancelled }
    let remaining = deadline.map { values.clock.now.duration(to: $0) }
    switch turns.change({ $0.enter(at: $1, within: remaining, WakeUp(), &$2) }) {
    case .granted: return .granted
    case .refused(let refusal, let wait): return .refused(rejection(refusal, retryAfter: wait))
    case .queued(let ticket, let waiter, let wait):
      Ambient.record(
        "rate_limiter.queued", .debug, label: label,
        [Event.Field("waiting", "\(waiting)"), Event.Field("wait", wait.text)])
      return await self.wait(ticket, waiter, until: deadline, in: values)
    }
  }

  /// Gives back a token with which no call was made.
  package func giveBack() {
    turns.change { $0.giveBack(at: $1, &$2) }
  }

  private func wait(
    _ ticket: UInt64, _ waiter: WakeUp, until deadline: AmbientClock.Instant?, in values: AmbientValues
  ) async -> Admission {
    let clock = values.clock
    let giveUp: @Sendable () -> Void = { [self] in
      turns.change { state, _, _ in state.withdraw(ticket) }
      waiter.ring()
    }
    let hold = values.hold(LedgerEntry("wait", "for a token of \(label)"))
    await cancellable {
      await withUnsafeContinuation { continuation in
        guard waiter.park(continuation) else { return continuation.resume() }
        // The token comes earlier, but the limiter's clock may be another one.
        if let deadline, deadline < .distantFuture { waiter.own(clock.schedule(at: deadline, giveUp)) }
      }
    } onCancel: {
      giveUp()
    }
    hold?.release()
    let isGranted = turns.withState { $0.claim(ticket) }
    let isLate = deadline.map { clock.now >= $0 } ?? false
    if isGranted, !Task.isCancelled, !isLate { return .granted }
    if isGranted { giveBack() }
    return Task.isCancelled ? .cancelled : .refused(rejection(.deadline, retryAfter: .zero))
  }

  private func rejection(
    _ refusal: RateLimiterState<WakeUp>.Refusal, retryAfter wait: Duration
  ) -> Rejection {
    Ambient.record(
      "rate_limiter.rejected", .info, label: label,
      [
        Event.Field("reason", refusal.rawValue), Event.Field("waiting", "\(waiting)"),
        Event.Field("retry_after", wait.text),
      ])
    // What asks too late is no matter of the rate.
    return wait > .zero ? Rejection(.rateLimited, retryAfter: wait) : Rejection(.deadlineExceeded)
  }
}

extension RateLimiter: CustomStringConvertible {
  /// The limiter's numbers.
  public var description: String {
    let settings = configuration
    let wait = settings.maxWait.map { " for at most \($0.text)" } ?? ""
    return "rate limiter (\(settings.calls) calls in \(settings.per.text), \(settings.burst) at once, "
      + "\(settings.queueLimit) waiting\(wait))"
  }
}

extension Error {
  /// Whether a policy inside has refused the call, and would refuse the next one for the same cause.
  ///
  /// Not so a full bulkhead: who has waited for a token would be refused with all behind it in one instant.
  fileprivate var givesTokenBack: Bool {
    guard let refused = self as? any RejectionCarrying, refused.isRefusal else { return false }
    return refused.rejection?.reason != .bulkheadFull
  }
}
