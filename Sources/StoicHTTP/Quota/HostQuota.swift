import Foundation
import Stoic

/// What all calls to one host know of its quotas, and who waits for them.
final class HostQuota: Sendable {
  private let pacing: QuotaPacing
  private let label: String
  private let wallClock: @Sendable () -> Date
  private let turns: TurnKeeper<QuotaQueue<WakeUp>>

  init(_ pacing: QuotaPacing, label: String, wallClock: @escaping @Sendable () -> Date) {
    self.pacing = pacing
    self.label = label
    self.wallClock = wallClock
    turns = TurnKeeper(QuotaQueue(maxWait: pacing.maxWait))
  }

  /// Waits until the quotas have a request left, and those who came before have had theirs.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited` where that would be too late, or `CancellationError`; then nothing is
  ///   reserved.
  func admit(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws {
    let remaining = deadline.map { values.clock.now.duration(to: $0) }
    switch turns.change({ $0.enter(at: $1, within: remaining, WakeUp(), &$2) }) {
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
    let now = turns.first.now
    if let wait = turns.withState({ $0.takeAtOnce(at: now) }) {
      throw Rejection(.rateLimited, retryAfter: wait)
    }
  }

  /// The longest that a request waits.
  var maxWait: Duration { pacing.maxWait }

  /// Whether a quota is known whose end is still to come.
  var isKnown: Bool {
    let now = turns.first.peek
    return turns.withState { $0.isKnown(at: now) }
  }

  /// Sends the request that was let through.
  func start() -> QuotaState.Ticket { turns.withState { $0.start() } }

  /// Gives back a request that is not sent.
  func giveBack() {
    turns.change { $0.giveBack(at: $1, &$2) }
  }

  /// Takes the end of a request that was sent.
  func end() {
    turns.change { $0.end(at: $1, &$2) }
  }

  /// Takes what a response says.
  func report(_ response: HTTPResponse, to ticket: QuotaState.Ticket) {
    let report = QuotaReport(response.headers, readsX: pacing.readsXRateLimit, wallClock: wallClock)
    turns.change { $0.report(report.entries, of: ticket, at: $1, &$2) }
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
      turns.change { queue, now, woken in
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
    let isGranted = turns.withState { $0.claim(ticket) }
    do {
      try Task.checkCancellation()
      let now = clock.now
      if let deadline, now >= deadline { throw Rejection(.deadlineExceeded) }
      guard isGranted else { throw refused(retryAfter: turns.withState { $0.wait }) }
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

  private func refused(retryAfter wait: Duration) -> Rejection {
    Ambient.record("http.quota_rejected", .info, label: label, [Event.Field("retry_after", wait.text)])
    return Rejection(.rateLimited, retryAfter: wait)
  }
}
