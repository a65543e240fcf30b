import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting

extension TransportRequest {
  /// A request to a server's path, as a client makes it: GET, HEAD and OPTIONS may be repeated.
  static func to(
    _ server: LocalServer, _ path: String = "/", _ method: HTTPMethod = .get, headers: HTTPHeaders = [:],
    body: [UInt8] = [], timeout: Duration? = nil, mayRepeat: Bool? = nil
  ) -> TransportRequest {
    TransportRequest(
      method: method, url: server.baseURL.appending(path: path), headers: headers, body: body,
      timeout: timeout, mayRepeat: mayRepeat ?? [.get, .head, .options].contains(method))
  }
}

extension HTTPTransport {
  /// One exchange with a limit that is out of the way.
  func send(_ request: TransportRequest) async throws -> HTTPResponse {
    try await send(request, maxResponseBytes: 10_000_000)
  }
}

/// A client on virtual time over real sockets: its standard policy without jitter, and what it recorded.
struct WireClient {
  let clock = TestClock()
  let events = EventRecorder()
  let api: HTTPClient

  init(
    _ base: URL, headers: HTTPHeaders = [:], on wire: WireTransport,
    _ change: (inout HTTPPolicy) -> Void = { _ in }
  ) {
    var policy = HTTPPolicy.standard
    policy.retry.jitter = .none
    change(&policy)
    api = HTTPClient(base: base, transport: wire(), policy: policy, headers: headers)
  }

  init(
    _ server: LocalServer, headers: HTTPHeaders = [:], on wire: WireTransport,
    _ change: (inout HTTPPolicy) -> Void = { _ in }
  ) {
    self.init(server.baseURL, headers: headers, on: wire, change)
  }

  /// Starts a call, which then runs beside the test.
  func start(_ request: HTTPRequest, key: String? = nil) -> WireCall {
    WireCall {
      try await withClock(clock) {
        try await withEvents(events) { try await api.send(request, idempotencyKey: key) }
      }
    }
  }

  /// Makes a call that needs no time to pass.
  func send(_ request: HTTPRequest, key: String? = nil) async throws -> HTTPResponse {
    try await start(request, key: key).value
  }

  /// Waits until the numbered retry is being waited for, and lets that time pass.
  func pass(retry number: Int, _ wait: Duration) async {
    await events.wait(for: "retry.scheduled", count: number)
    await clock.waitForSleepers(1)
    clock.advance(by: wait)
  }

  /// The waits before retries, as the events tell them.
  var waits: [String?] { events.events(named: "retry.scheduled").map { $0["delay"] } }
}

/// An exchange that runs beside the test.
///
/// A test that waits for its end and is cancelled, as at its time limit, cancels it: it may wait for a clock that nobody
/// moves any more.
struct WireCall: Sendable {
  private let task: Task<HTTPResponse, any Error>

  init(_ body: @escaping @Sendable () async throws -> HTTPResponse) { task = Task { try await body() } }

  func cancel() { task.cancel() }

  /// The response that it ends with.
  var value: HTTPResponse {
    get async throws {
      try await withTaskCancellationHandler {
        try await task.value
      } onCancel: {
        task.cancel()
      }
    }
  }

  /// The error that it ends with, when that is an ``HTTPError``.
  var httpError: HTTPError? {
    get async {
      do {
        _ = try await value
        return nil
      } catch { return error as? HTTPError }
    }
  }
}

/// What came instead of the expected error.
struct Unexpected: Error, CustomStringConvertible {
  let description: String

  init(_ error: (any Error)?) {
    description = error.map { "\($0)" } ?? "no error"
  }
}
