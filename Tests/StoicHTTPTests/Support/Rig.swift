import Foundation
import StoicHTTP
import StoicTesting

/// A client over a script on a clock that a test moves: everything a failure mode needs.
struct Rig: Sendable {
  let clock = TestClock()
  let transport = ScriptedTransport()
  let events = EventRecorder()
  var policy = Rig.pinned
  var headers: HTTPHeaders = [:]
  var base = "https://api.example.com"

  /// The standard policy without jitter, so that waits are 0.2, 0.4, 0.8 … seconds.
  static var pinned: HTTPPolicy {
    var policy = HTTPPolicy.standard
    policy.retry.jitter = .none
    return policy
  }

  var api: HTTPClient {
    HTTPClient(base: makeURL(base), transport: transport, policy: policy, headers: headers, label: "api")
  }

  /// The virtual time since the start.
  var elapsed: Duration { clock.now.offset }

  /// Puts the clock and the events in force.
  func inForce<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await withClock(clock) { try await withEvents(events) { try await body() } }
  }

  /// Runs a call to its end, moving the clock to the next timer whenever there is one.
  ///
  /// For calls that have one timer at a time, and are suspended when they have it: then no time passes that the call
  /// did not wait for. Within a deadline, or over a transport that is raced, there is a timer from the start: such calls
  /// are made ``inForce(_:)``, and the test moves the clock.
  @discardableResult
  func run<Value: Sendable>(_ body: @escaping @Sendable (HTTPClient) async throws -> Value) async throws
    -> Value
  {
    let call = Task { try await inForce { try await body(api) } }
    let driver = Task {
      while !Task.isCancelled {
        await clock.waitForSleepers(1)
        if let next = clock.sleepers.first { clock.advance(to: next) }
      }
    }
    defer { driver.cancel() }
    return try await call.value
  }

  /// Runs a call that is to fail, and returns its error.
  func failure(_ body: @escaping @Sendable (HTTPClient) async throws -> Void) async -> (any Error)? {
    do {
      try await run(body)
      return nil
    } catch {
      return error
    }
  }

  /// Sends one request that is to fail, and returns its error.
  func failure(_ request: HTTPRequest, key: String? = nil) async -> HTTPError? {
    await failure { try await $0.send(request, idempotencyKey: key) } as? HTTPError
  }

  /// The waits before each attempt after the first, from the events.
  var waits: [String?] { events.events(named: "http.retry").map { $0["delay"] } }

  /// Whether nothing is left behind: no timer, no request in flight.
  var isClean: Bool { clock.sleepers.isEmpty && transport.inFlight == 0 }
}

/// A URL of a text that is one.
func makeURL(_ text: String) -> URL {
  guard let url = URL(string: text) else { preconditionFailure("a test's URL is none: \(text)") }
  return url
}

extension HTTPError {
  /// The status, where the error is one.
  var status: Int? {
    guard case .status(let status, _, _, _) = self else { return nil }
    return status
  }

  /// The transport's code, where the error is one.
  var code: URLError.Code? {
    guard case .transport(let code, _) = self else { return nil }
    return code
  }

  /// The rejection, where the error is one.
  var rejection: Rejection? {
    guard case .rejected(let rejection, _) = self else { return nil }
    return rejection
  }

  /// Why the request was refused, where it was.
  var refusal: String? {
    guard case .invalidRequest(let reason) = self else { return nil }
    return reason
  }

  /// Which attempt timed out, where one did.
  var timedOutAttempt: Int? {
    guard case .timedOut(let attempt, _) = self else { return nil }
    return attempt
  }
}
