import Foundation
import Stoic

/// A transport that answers from a script, on the ambient clock, and records what it was asked: the network of a test.
///
/// ```swift
/// let transport = ScriptedTransport()
/// transport.on(.get("/users/42"), respond: [.status(503), .status(503), .json(#"{"id": 42}"#)])
/// let api = HTTPClient(base: url, transport: transport)
/// ```
///
/// A route answers the requests of its method and path, the path of the final URL with the base's path included; it
/// asks for a host only where it was given a URL, and for a query only where it was given one. Its steps are used one per
/// request, redirect hops included; after the last step `then` answers, or the last step again. Of several routes
/// that fit, the one added last answers. A request that fits none is answered 404 and listed in ``unscripted``.
public final class ScriptedTransport: HTTPTransport {
  private let state = Lock(ScriptedState())

  /// Makes a transport without routes.
  public init() {}

  /// True: steps end by the request's timeout themselves.
  public var enforcesTimeout: Bool { true }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - pattern: the method and where to; fields and body do not matter.
  ///   - steps: the answers, one per request.
  ///   - last: the answer to every request after those; nil repeats the last step.
  public func on(_ pattern: HTTPRequest, respond steps: [Step], then last: Step? = nil) {
    let route = ScriptedRoute(pattern, steps, then: last)
    state.withLock { $0.routes.append(route) }
  }

  /// Every request that arrived, in order: attempts and redirect hops.
  public var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// The requests that no route fits, in order.
  public var unscripted: [TransportRequest] { state.withLock { $0.unscripted } }

  /// How many requests are being answered now.
  public var inFlight: Int { state.withLock { $0.inFlight } }

  /// The most requests that were being answered at one time.
  public var maxInFlight: Int { state.withLock { $0.maxInFlight } }

  /// How many requests ended before their whole answer was delivered: cancelled, timed out, or cut at the limit.
  public var aborted: Int { state.withLock { $0.aborted } }

  /// Answers a request by the script.
  public func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let step = state.withLock { $0.arrive(request) }
    do {
      let response = try await Ambient.holding(LedgerEntry("request", "\(request)")) {
        try await step.play(request, maxResponseBytes: maxResponseBytes)
      }
      state.withLock { $0.leave(aborted: response.isTruncated) }
      return response
    } catch {
      let isAbort = error is CancellationError || error is ScriptedTimeout
      state.withLock { $0.leave(aborted: isAbort) }
      throw error is ScriptedTimeout ? TransportError(.timedOut) : error
    }
  }
}

/// The script and what has happened by it.
struct ScriptedState {
  var routes: [ScriptedRoute] = []
  private(set) var requests: [TransportRequest] = []
  private(set) var unscripted: [TransportRequest] = []
  private(set) var inFlight = 0
  private(set) var maxInFlight = 0
  private(set) var aborted = 0

  mutating func arrive(_ request: TransportRequest) -> ScriptedTransport.Step {
    requests.append(request)
    inFlight += 1
    maxInFlight = max(maxInFlight, inFlight)
    guard let index = routes.lastIndex(where: { $0.fits(request) }), let step = routes[index].next() else {
      unscripted.append(request)
      return .status(404)
    }
    return step
  }

  mutating func leave(aborted isAborted: Bool) {
    inFlight -= 1
    if isAborted { aborted += 1 }
  }
}
