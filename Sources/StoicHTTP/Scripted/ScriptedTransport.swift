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
/// Each request takes one step of one route, redirect hops included. The last step answers again and again, unless
/// `then` is given, which answers every request after the steps. A request that fits no route is answered 404 and listed
/// in ``unscripted``.
///
/// Where several routes fit, the one added last answers, also when its steps are used up: so a test can put a route over a
/// shared script. A route without steps and without `then` takes what it fits out of the script.
///
/// A response without a body on the wire has none here: to HEAD, and 204, 205 and 304. Print the transport to see what
/// arrived.
public final class ScriptedTransport: HTTPTransport {
  private let state = Lock(ScriptedState())

  /// Makes a transport without routes and faults.
  public init() {}

  /// True: steps end by the request's timeout themselves.
  public var enforcesTimeout: Bool { true }

  /// Adds a route by the method and the path of a request.
  ///
  /// The path is that of the final URL, the base's path included. A query that the pattern holds has to be the request's
  /// whole query; a URL has to be of the request's scheme, host and port. What else is given narrows the route further.
  ///
  /// - Parameters:
  ///   - pattern: the method and where to; fields and body do not matter.
  ///   - host: a host, with or without a port; nil for any.
  ///   - query: names and values, not encoded, that have to be among the request's.
  ///   - headers: fields that have to be among the request's.
  ///   - condition: whether a request that fits all else is meant; called without a lock held.
  ///   - steps: the answers, one per request.
  ///   - last: the answer to every request after those; nil repeats the last step.
  public func on(
    _ pattern: HTTPRequest, host: String? = nil, query: HTTPQuery = [:], headers: HTTPHeaders = [:],
    where condition: (@Sendable (TransportRequest) -> Bool)? = nil, respond steps: [Step],
    then last: Step? = nil
  ) {
    let match = Match(pattern, host: host, query: query, headers: headers, where: condition)
    on(match, respond: steps, then: last)
  }

  /// Adds a route.
  ///
  /// - Parameters:
  ///   - match: which requests it answers.
  ///   - steps: the answers, one per request.
  ///   - last: the answer to every request after those; nil repeats the last step.
  public func on(_ match: Match, respond steps: [Step], then last: Step? = nil) {
    let route = ScriptedRoute(match, steps, then: last)
    state.withLock { $0.add(route) }
  }

  /// What goes wrong between a client and the script.
  public typealias Faults = HTTPFaults

  /// What goes wrong on the way to the script; nothing, unless set.
  ///
  /// A failure after which the server may have acted uses the script's step up, any other fault leaves it for the next
  /// request.
  public var faults: Faults? {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// Every request that arrived, in order: attempts and redirect hops.
  ///
  /// One that is cancelled already, or whose timeout is zero or less, does not arrive.
  public var requests: [TransportRequest] { exchanges.map(\.request) }

  /// The requests that no route fits, in order.
  public var unscripted: [TransportRequest] { exchanges.filter(\.isUnscripted).map(\.request) }

  /// How many requests are being answered now.
  public var inFlight: Int { state.withLock { $0.inFlight } }

  /// The most requests that were being answered at one time.
  public var maxInFlight: Int { state.withLock { $0.maxInFlight } }

  /// How many requests ended before their whole answer was delivered: cancelled, timed out, or cut at the limit.
  public var aborted: Int { state.withLock { $0.aborted } }

  /// Answers a request by the script.
  ///
  /// - Throws: ``TransportError`` by the script and for a timeout, `CancellationError`, and whatever a computed step throws.
  public func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if let timeout = request.timeout, timeout <= .zero {
      throw TransportError(code: .timedOut, mayHaveActed: false)
    }
    let clock = Ambient.clock
    let arrival = ScriptedArrival(request, at: clock.now)
    let hold = Ambient.values.hold(LedgerEntry("request", "\(request.method) \(arrival.place)"))
    defer { hold?.release() }
    let (number, next) = state.withLock { $0.open(arrival) }
    do {
      let play = ScriptedPlay(arrival, limit: max(0, maxResponseBytes))
      let response = try await play.run(step(for: arrival, number, next))
      let ending = ScriptedExchange.Ending.answered(response.status, isTruncated: response.isTruncated)
      state.withLock { $0.close(number, ending, at: clock.now) }
      return response
    } catch {
      state.withLock { $0.close(number, ScriptedExchange.Ending(error), at: clock.now) }
      throw error is ScriptedTimeout ? TransportError(.timedOut) : error
    }
  }

  /// What happened so far.
  var exchanges: [ScriptedExchange] { state.withLock { $0.exchanges } }

  /// The step that answers: the next of the first route that fits, or a fault's.
  private func step(for arrival: ScriptedArrival, _ number: Int, _ next: ScriptedState.Next) -> Step {
    switch next {
    case .step(let step):
      return step
    case .routes(let routes):
      // The conditions are the test's own code: no lock is held.
      let chosen = routes.first { $0.condition?(arrival.request) ?? true }
      return state.withLock { $0.take(chosen?.number, for: number) }
    case .faults(let source):
      let fault = source.draw()
      if fault.step != nil { state.withLock { $0.noteFault(number) } }
      if let step = fault.step, !fault.reachesServer { return step.after(fault.delay) }
      let scripted = self.step(for: arrival, number, state.withLock { $0.find(arrival, number) })
      return (fault.step ?? scripted).after(fault.delay)
    }
  }
}
