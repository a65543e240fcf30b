import Foundation
import Stoic

/// The request's timeout came before the step's answer.
struct ScriptedTimeout: Error {}

/// Plays a step to a request: bounded by its timeout, cancellable at any point.
struct ScriptedPlay {
  private let request: TransportRequest
  private let end: AmbientClock.Instant?
  private let limit: Int

  /// How many computed steps may follow one another, so that one that gives itself ends.
  private static let depth = 16

  init(_ arrival: ScriptedArrival, limit: Int) {
    request = arrival.request
    end = arrival.end
    self.limit = limit
  }

  func run(_ first: ScriptedTransport.Step) async throws -> HTTPResponse {
    var step = first
    for _ in 0...Self.depth {
      try await wait(step.delay)
      switch step.answer {
      case .response(let status, let headers, let body):
        return response(status, headers, count: body.count) { Array(body.prefix(limit)) }
      case .oversized(let count, let status, let headers):
        return response(status, headers, count: count) {
          count > limit ? [] : Array(repeating: 0, count: count)
        }
      case .failure(let error):
        throw error
      case .hang:
        try await wait(until: nil)
        throw ScriptedTimeout()
      case .computed(let make):
        step = try await computed(make)
        // What was made for a caller who has left is of no use, whatever it is.
        try Task.checkCancellation()
      }
    }
    throw TransportError(.unknown)
  }

  private func response(
    _ status: Int, _ headers: HTTPHeaders, count: Int, _ body: () -> [UInt8]
  ) -> HTTPResponse {
    let isBodiless = request.method == .head || [204, 205, 304].contains(status)
    return HTTPResponse(
      status: status, headers: headers, body: isBodiless ? [] : body(), url: request.url,
      isTruncated: !isBodiless && count > limit)
  }

  private func computed(
    _ make: @Sendable (TransportRequest) async throws -> ScriptedTransport.Step
  ) async throws -> ScriptedTransport.Step {
    guard let end else { return try await make(request) }
    do {
      return try await racing(until: end) { try await make(request) }
    } catch let rejection as Rejection where rejection.reason == .deadlineExceeded {
      throw Ambient.clock.now >= end ? ScriptedTimeout() : rejection
    }
  }

  /// Waits for a time; throws when the timeout comes first or at the same time.
  func wait(_ delay: Duration) async throws {
    if delay > .zero { try await wait(until: Ambient.clock.now.advanced(by: delay)) }
  }

  /// Waits until an instant, or for ever; throws when the timeout comes first or at the same time.
  private func wait(until instant: AmbientClock.Instant?) async throws {
    switch (instant, end) {
    case (let instant?, nil):
      try await Ambient.sleep(until: instant)
    case (let instant?, let end?) where instant < end:
      try await Ambient.sleep(until: instant)
    case (_, let end?):
      try await Ambient.sleep(until: end)
      throw ScriptedTimeout()
    case (nil, nil):
      try await Ambient.suspend()
    }
  }
}
