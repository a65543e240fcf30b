public import Foundation
import Stoic

extension ScriptedTransport {
  /// One answer of a script.
  public struct Step: Sendable {
    private enum Answer: Sendable {
      case response(status: Int, headers: HTTPHeaders, body: [UInt8])
      case oversized(Int, status: Int)
      case failure(TransportError)
      case hang
    }

    private let answer: Answer
    private var delay = Duration.zero

    private init(_ answer: Answer) { self.answer = answer }

    /// A response without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> Step {
      Step(.response(status: status, headers: headers, body: []))
    }

    /// A response of JSON text, with its content type.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      var headers = headers
      headers.addIfAbsent("Content-Type", "application/json")
      return Step(.response(status: status, headers: headers, body: Array(text.utf8)))
    }

    /// A response of bytes.
    public static func bytes(_ body: [UInt8], status: Int = 200, headers: HTTPHeaders = [:]) -> Step {
      Step(.response(status: status, headers: headers, body: body))
    }

    /// A response whose body has so many bytes; above the limit none of them is ever allocated.
    public static func oversized(_ count: Int, status: Int = 200) -> Step {
      Step(.oversized(max(0, count), status: status))
    }

    /// No response, but a failure; whether the server may have acted follows from the code.
    public static func failure(_ code: URLError.Code) -> Step {
      Step(.failure(TransportError(code)))
    }

    /// No response, but a failure.
    public static func failure(_ error: TransportError) -> Step {
      Step(.failure(error))
    }

    /// Nothing: the request waits until its timeout or until it is cancelled.
    public static var hang: Step { Step(.hang) }

    /// This answer, later by a time on the ambient clock.
    public func after(_ delay: Duration) -> Step {
      var copy = self
      copy.delay = copy.delay.saturatingAdd(delay)
      return copy
    }
  }
}

/// The request's timeout came before the step's answer.
struct ScriptedTimeout: Error {}

extension ScriptedTransport.Step {
  /// Answers a request; bounded by its timeout, cancellable at any point.
  func play(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let end = request.timeout.map { Ambient.clock.now.advanced(by: $0) }
    if delay > .zero { try await wait(until: Ambient.clock.now.advanced(by: delay), or: end) }
    switch answer {
    case .response(let status, let headers, let body):
      let isTruncated = body.count > maxResponseBytes
      return HTTPResponse(
        status: status, headers: headers, body: isTruncated ? Array(body.prefix(maxResponseBytes)) : body,
        url: request.url, isTruncated: isTruncated)
    case .oversized(let count, let status):
      let isTruncated = count > maxResponseBytes
      return HTTPResponse(
        status: status, body: isTruncated ? [] : Array(repeating: 0, count: count), url: request.url,
        isTruncated: isTruncated)
    case .failure(let error):
      throw error
    case .hang:
      try await wait(until: nil, or: end)
      throw ScriptedTimeout()
    }
  }

  /// Waits until an instant, or for ever; throws when the timeout comes first or at the same time.
  private func wait(until instant: AmbientClock.Instant?, or end: AmbientClock.Instant?) async throws {
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
