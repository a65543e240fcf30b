import Foundation
import Stoic
import StoicHTTP

/// A server of finite capacity in virtual time, which fails for a while, and counts what it is asked for.
///
/// It works on one request after the other in the order of their arrival, on each for the same time. Who gives up waiting
/// leaves the request behind: the server does not know, and works on it all the same. So an overloaded server stays one:
/// it is busy, and all that it does is for nobody.
final class ModelServer: HTTPTransport {
  private struct State {
    /// When the work on all that was taken is done.
    var done = Duration.zero
    var requests: [Int]
  }

  private let scenario: OutageScenario
  /// The work on a request.
  private let work: Duration
  private let outage: Range<Duration>
  private let start = Ambient.clock.now
  private let state: Lock<State>

  /// What a request takes besides waiting and work.
  private static let latency = Duration.milliseconds(50)

  /// Makes a server whose time begins now.
  init(_ scenario: OutageScenario) {
    self.scenario = scenario
    work = Duration.seconds(1) / max(1, scenario.capacity)
    outage = .seconds(scenario.failing.lowerBound)..<(.seconds(scenario.failing.upperBound))
    state = Lock(State(requests: Array(repeating: 0, count: scenario.length)))
  }

  var enforcesTimeout: Bool { true }

  /// The requests that arrived in each second.
  var requests: [Int] { state.withLock { $0.requests } }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let now = start.duration(to: Ambient.clock.now)
    let wait = state.withLock { state in
      let second = Int(now.inSeconds)
      if state.requests.indices.contains(second) { state.requests[second] += 1 }
      return take(at: now, &state)
    }
    let time = (wait ?? .zero) + Self.latency
    if let timeout = request.timeout, timeout <= time {
      try await Ambient.sleep(for: timeout)
      throw TransportError(.timedOut)
    }
    try await Ambient.sleep(for: time)
    return HTTPResponse(status: wait == nil ? 503 : 200, url: request.url)
  }

  /// Takes a request into the queue.
  ///
  /// - Returns: how long it takes until the work on it is done; nil where it is refused.
  private func take(at now: Duration, _ state: inout State) -> Duration? {
    let isFailing = outage.contains(now)
    if isFailing, scenario.fault == .refuses { return nil }
    // A server that refuses goes on with what it has.
    let isStuck = isFailing && scenario.fault == .hangs
    var begin = max(now, state.done)
    if scenario.fault == .hangs, outage.contains(begin) { begin = outage.upperBound }
    let waitsForWork = begin - (isStuck ? outage.upperBound : now)
    guard waitsForWork < work * scenario.queueLimit else { return nil }
    state.done = begin + work
    return state.done - now
  }
}
