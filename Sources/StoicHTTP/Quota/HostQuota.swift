import Foundation
import Stoic

/// What all calls to one host know of its quotas, and who waits for them.
final class HostQuota: Sendable {
  private struct Alarm {
    let instant: Duration
    let bell: WakeUp
  }

  private struct Shared {
    var queue: QuotaQueue<WakeUp>
    /// What is set for the instant at which the first in the queue may have its turn.
    var alarm: Alarm?

    /// Brings the alarm in line with the queue; returns the old and the new one where they differ.
    mutating func rearm() -> (old: WakeUp?, new: Alarm?) {
      let next = queue.nextTurn
      guard next != alarm?.instant else { return (nil, nil) }
      let old = alarm?.bell
      alarm = next.map { Alarm(instant: $0, bell: WakeUp()) }
      return (old, alarm)
    }
  }

  private let pacing: QuotaPacing
  private let label: String
  private let wallClock: @Sendable () -> Date
  private let shared: Lock<Shared>
  private let first = FirstClock()

  init(_ pacing: QuotaPacing, label: String, wallClock: @escaping @Sendable () -> Date) {
    self.pacing = pacing
    self.label = label
    self.wallClock = wallClock
    shared = Lock(Shared(queue: QuotaQueue(maxWait: pacing.maxWait)))
  }

  /// Waits until the quotas have a request left, and those who came before have had theirs.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited` where that would be too late, or `CancellationError`; then nothing is
  ///   reserved.
  func admit(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws {
    let remaining = deadline.map { values.clock.now.duration(to: $0) }
    switch change({ $0.enter(at: $1, within: remaining, WakeUp(), &$2) }) {
    case .granted: return
    case .refused(let wait): throw refused(retryAfter: wait)
    case .queued(let ticket, let waiter, let wait):
      Ambient.record("http.quota_wait", .info, label: label, [Event.Field("delay", wait.text)])
      try await self.wait(ticket, waiter, until: deadline, in: values)
    }
  }

  /// Takes a request that is left.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited` where none is, or others wait for it.
  func admitAtOnce() throws(Rejection) {
    let now = first.now
    if let wait = shared.withLock({ $0.queue.takeAtOnce(at: now) }) {
      throw Rejection(.rateLimited, retryAfter: wait)
    }
  }

  /// Whether a quota is known whose end is still to come.
  var isKnown: Bool {
    let now = first.peek
    return shared.withLock { $0.queue.isKnown(at: now) }
  }

  /// Sends the request that was let through.
  func start() -> QuotaState.Ticket { shared.withLock { $0.queue.start() } }

  /// Gives back a request that is not sent.
  func giveBack() {
    change { $0.giveBack(at: $1, &$2) }
  }

  /// Takes what a response says.
  func report(_ response: HTTPResponse, to ticket: QuotaState.Ticket) {
    let report = QuotaReport(response.headers, readsX: pacing.readsXRateLimit, wallClock: wallClock)
    change { $0.report(report.entries, of: ticket, at: $1, &$2) }
  }
}

extension HostQuota {
  private func wait(
    _ ticket: QuotaQueue<WakeUp>.Ticket, _ waiter: WakeUp, until deadline: AmbientClock.Instant?,
    in values: AmbientValues
  ) async throws {
    let clock = values.clock
    let start = clock.now
    let limit = start.advanced(by: pacing.maxWait)
    let giveUp: @Sendable () -> Void = { [self] in
      change { queue, now, woken in
        // Its turn may come at this very instant.
        queue.settle(at: now, &woken)
        queue.withdraw(ticket)
      }
      waiter.ring()
    }
    let hold = values.hold(LedgerEntry("wait", "for a quota of \(label)"))
    await cancellable {
      await withUnsafeContinuation { continuation in
        guard waiter.park(continuation) else { return continuation.resume() }
        waiter.own(clock.schedule(at: deadline.map { min($0, limit) } ?? limit, giveUp))
      }
    } onCancel: {
      giveUp()
    }
    hold?.release()
    let isGranted = shared.withLock { $0.queue.claim(ticket) }
    do {
      try Task.checkCancellation()
      let now = clock.now
      if let deadline, now >= deadline { throw Rejection(.deadlineExceeded) }
      guard isGranted else { throw refused(retryAfter: shared.withLock { $0.queue.wait }) }
      try await spread(start.duration(to: now), deadline.map { now.duration(to: $0) }, on: clock, values)
    } catch {
      if isGranted { giveBack() }
      throw error
    }
  }

  /// Waits for a drawn share of the time that was waited: all were told the same instant, and are not to come all at once.
  private func spread(
    _ waited: Duration, _ remaining: Duration?, on clock: AmbientClock, _ values: AmbientValues
  ) async throws {
    guard pacing.spread > 0 else { return }
    // The deadline is not to come meanwhile.
    let room = min(pacing.maxWait - waited, (remaining ?? .longest) / 2)
    let late = min(waited.scaled(by: pacing.spread * values.random.fraction()), room)
    if late > .zero { try await clock.sleep(until: clock.now.advanced(by: late)) }
  }

  /// Lets something happen to the queue, wakes whom that concerns, and sets the alarm for the next turn.
  ///
  /// - Parameter bell: that of the alarm that has gone off.
  @discardableResult
  private func change<Result: Sendable>(
    after bell: WakeUp? = nil, _ body: (inout QuotaQueue<WakeUp>, Duration, inout [WakeUp]) -> Result
  ) -> Result {
    let clock = first.clock
    let now = clock.now.offset
    var woken: [WakeUp] = []
    let (result, old, new) = shared.withLock { shared in
      if let bell, shared.alarm?.bell === bell { shared.alarm = nil }
      let result = body(&shared.queue, now, &woken)
      let (old, new) = shared.rearm()
      return (result, old, new)
    }
    old?.ring()
    for waiter in woken { waiter.ring() }
    if let new {
      let timer = clock.schedule(at: AmbientClock.Instant(offset: new.instant)) { [self] in
        change(after: new.bell) { $0.settle(at: $1, &$2) }
      }
      new.bell.own(timer)
    }
    return result
  }

  private func refused(retryAfter wait: Duration) -> Rejection {
    Ambient.record("http.quota_rejected", .info, label: label, [Event.Field("retry_after", wait.text)])
    return Rejection(.rateLimited, retryAfter: wait)
  }
}
