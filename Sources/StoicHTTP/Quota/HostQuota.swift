import Foundation
import Stoic

/// What all calls to one host know of its quotas.
final class HostQuota: Sendable {
  private let pacing: QuotaPacing
  private let label: String
  private let wallClock: @Sendable () -> Date
  private let state: Lock<QuotaState>
  private let first = FirstClock()

  init(_ pacing: QuotaPacing, label: String, wallClock: @escaping @Sendable () -> Date) {
    self.pacing = pacing
    self.label = label
    self.wallClock = wallClock
    state = Lock(QuotaState(maxWait: pacing.maxWait))
  }

  /// Waits until the quotas have a request left.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited` where that would be too late, or `CancellationError`.
  func admit(until deadline: AmbientClock.Instant?, in values: AmbientValues) async throws {
    var waited = Duration.zero
    while true {
      let now = first.now
      switch state.withLock({ $0.admit(at: now) }) {
      case .granted: return
      case .wait(let until):
        let remaining = deadline.map { values.clock.now.duration(to: $0) } ?? .longest
        let wait = until - now
        guard waited.saturatingAdd(wait) <= pacing.maxWait, wait < remaining else {
          Ambient.record(
            "http.quota_rejected", .info, label: label, [Event.Field("retry_after", wait.text)])
          throw Rejection(.rateLimited, retryAfter: wait)
        }
        // The deadline is not to come in the spread.
        let room = min(pacing.maxWait - waited - wait, (remaining - wait) / 2)
        let late = min(wait.scaled(by: pacing.spread * values.random.fraction()), room)
        Ambient.record(
          "http.quota_wait", .info, label: label, [Event.Field("delay", (wait + late).text)])
        waited = waited.saturatingAdd(wait + late)
        try await values.clock.sleep(until: values.clock.now.advanced(by: wait + late))
      }
    }
  }

  /// Takes a request that is left.
  ///
  /// - Throws: ``Rejection`` with `.rateLimited` where none is.
  func admitAtOnce() throws(Rejection) {
    let now = first.now
    switch state.withLock({ $0.admit(at: now) }) {
    case .granted: return
    case .wait(let until): throw Rejection(.rateLimited, retryAfter: until - now)
    }
  }

  /// Sends the request that was let through.
  func start() -> QuotaState.Ticket { state.withLock { $0.start() } }

  /// Gives back a request that is not sent.
  func giveBack() { state.withLock { $0.giveBack() } }

  /// Takes what a response says.
  func report(_ response: HTTPResponse, to ticket: QuotaState.Ticket) {
    let report = QuotaReport(response.headers, readsX: pacing.readsXRateLimit, wallClock: wallClock)
    let now = first.now
    state.withLock { $0.report(report.entries, of: ticket, at: now) }
  }
}
