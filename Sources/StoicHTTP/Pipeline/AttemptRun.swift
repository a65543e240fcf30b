import Foundation
import Stoic

/// One attempt: an exchange, and those that its redirects lead to, all within one timeout.
struct AttemptRun {
  let call: Call
  let host: Host
  let pass: Host.Pass?
  let clock: AmbientClock
  let start: AmbientClock.Instant
  /// When the attempt has to end: its timeout or the call's deadline, whichever is nearer.
  let end: AmbientClock.Instant

  /// Makes the exchanges.
  ///
  /// - Returns: how the attempt ended, and how many times the transport sent a request again on its own.
  func run() async -> (outcome: AttemptOutcome, repeats: Int) {
    var exchange = call.request.first
    var (followed, repeats) = (0, 0)
    let ticket = pass.flatMap { host.use($0) }
    defer { if let ticket { host.end(ticket) } }
    while true {
      let response: HTTPResponse
      do { response = try await send(exchange, at: followed == 0 ? start : clock.now) } catch {
        return (outcome(of: error), repeats + ((error as? TransportError)?.repeats ?? 0))
      }
      repeats += response.repeats
      // A redirect may lead to a server with quotas of its own.
      if let ticket, exchange.location.origin.hostKey == call.request.first.location.origin.hostKey {
        host.heed(response, to: ticket)
      }
      guard let next = next(after: response, to: exchange, followed) else {
        return (.answered(response), repeats)
      }
      exchange = next
      followed += 1
    }
  }

  /// The exchange that a redirect leads to; nil where the response is the answer.
  @inline(never) private func next(
    after response: HTTPResponse, to exchange: Exchange, _ followed: Int
  ) -> Exchange? {
    // Most responses are none, and the policy is large to hand over.
    guard response.status / 100 == 3,
      case .follow(let next) = Redirect(
        response, to: exchange, followed: followed, policy: call.pipeline.policy)
    else { return nil }
    call.events.redirect(response.status, to: next.location)
    return next
  }

  private func send(_ exchange: Exchange, at now: AmbientClock.Instant) async throws -> HTTPResponse {
    let remaining = now.duration(to: end)
    // A redirect can come here too late: the server behind it has not been asked, but the one before has. So can an attempt
    // at the end of all time that a clock counts, which is told as one that may have acted.
    guard remaining > .zero else { throw TransportError(code: .timedOut, mayHaveActed: true) }
    let message = TransportRequest(
      exchange, timeout: end == .distantFuture ? nil : remaining, mayRepeat: call.request.mayRepeat)
    let (transport, limit) = (call.pipeline.transport, call.pipeline.policy.maxResponseBytes)
    let response =
      if transport.enforcesTimeout || end == .distantFuture {
        try await transport.send(message, maxResponseBytes: limit)
      } else {
        try await racing(until: end) { try await transport.send(message, maxResponseBytes: limit) }
      }
    return response.hasBody(for: exchange.method) ? response : response.withoutBody
  }

  /// What an error means depends on whose time is over: the caller's cancellation and deadline come before what the
  /// transport makes of them.
  @inline(never) private func outcome(of error: any Error) -> AttemptOutcome {
    // The part of the deadline that the caller set is the one by which it may cancel this task.
    if Task.isCancelled { return hasPassed(call.values.deadline) ? .deadlinePassed : .cancelled }
    let failure = TransportError(taking: error)
    // A transport that is raced was cancelled when its time was over, and says so in words of its own.
    let wasRaced = !call.pipeline.transport.enforcesTimeout && hasPassed(end)
    if wasRaced || failure.code == .timedOut {
      return hasPassed(call.deadline)
        ? .deadlinePassed : .timedOut(mayHaveActed: wasRaced || failure.mayHaveActed)
    }
    return .failed(
      error is CancellationError ? TransportError(code: .cancelled, mayHaveActed: true) : failure)
  }

  private func hasPassed(_ instant: AmbientClock.Instant?) -> Bool {
    instant.map { clock.now >= $0 } ?? false
  }
}
