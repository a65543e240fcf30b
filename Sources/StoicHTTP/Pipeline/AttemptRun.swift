import Foundation
import Stoic

/// One attempt: an exchange, and those that its redirects lead to, all within one timeout.
struct AttemptRun {
  let transport: any HTTPTransport
  let policy: HTTPPolicy
  let request: PreparedRequest
  let events: CallEvents
  let clock: AmbientClock
  /// When the attempt has to end: its timeout or the call's deadline, whichever is nearer.
  let end: AmbientClock.Instant
  /// The call's deadline.
  let deadline: AmbientClock.Instant?
  /// The part of it that the caller set, and by which it may cancel this task.
  let callersDeadline: AmbientClock.Instant?

  func run() async -> AttemptOutcome {
    var exchange = request.first
    var followed = 0
    while true {
      let response: HTTPResponse
      do { response = try await send(exchange) } catch { return outcome(of: error) }
      switch Redirect(response, to: exchange, followed: followed, policy: policy) {
      case .answer: return .answered(response)
      case .follow(let next):
        events.redirect(response.status, to: next.location)
        exchange = next
        followed += 1
      }
    }
  }

  private func send(_ exchange: Exchange) async throws -> HTTPResponse {
    let remaining = clock.now.duration(to: end)
    // Only a redirect can come here too late: the server behind it has not been asked, but the one before has.
    guard remaining > .zero else { throw TransportError(code: .timedOut, mayHaveActed: true) }
    let message = TransportRequest(
      method: exchange.method, url: exchange.location.url, headers: exchange.headers, body: exchange.body,
      timeout: end == .distantFuture ? nil : remaining, mayRepeat: request.mayRepeat)
    if transport.enforcesTimeout || end == .distantFuture {
      return try await transport.send(message, maxResponseBytes: policy.maxResponseBytes)
    }
    return try await racing(until: end) {
      try await transport.send(message, maxResponseBytes: policy.maxResponseBytes)
    }
  }

  /// What an error means depends on whose time is over: the caller's cancellation and deadline come before what the
  /// transport makes of them.
  private func outcome(of error: any Error) -> AttemptOutcome {
    if Task.isCancelled { return hasPassed(callersDeadline) ? .deadlinePassed : .cancelled }
    let failure = TransportError(taking: error)
    // A transport that is raced was cancelled when its time was over, and says so in words of its own.
    let wasRaced = !transport.enforcesTimeout && hasPassed(end)
    if wasRaced || failure.code == .timedOut {
      return hasPassed(deadline) ? .deadlinePassed : .timedOut(mayHaveActed: wasRaced || failure.mayHaveActed)
    }
    return .failed(
      error is CancellationError ? TransportError(code: .cancelled, mayHaveActed: true) : failure)
  }

  private func hasPassed(_ instant: AmbientClock.Instant?) -> Bool {
    instant.map { clock.now >= $0 } ?? false
  }
}
