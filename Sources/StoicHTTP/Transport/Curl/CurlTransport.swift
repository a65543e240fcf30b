#if os(Linux) || os(macOS)
import Foundation
import Stoic

/// A transport on libcurl itself, which no response can crash.
///
/// It loads the libcurl of the system when it is made, so that a build needs nothing installed; on Linux, Foundation
/// has loaded the same library already. One thread of its own moves the bytes of all exchanges, over HTTP/1.1 and, where
/// a server with TLS offers it, HTTP/2. Its timeouts run on the ambient clock.
///
/// What libcurl would send again on a new connection, because a kept one turned out to be dead, fails as a lost
/// connection, and the client decides. The one exception is a GET, HEAD or OPTIONS that may be repeated, over HTTP/2; it
/// is counted among the client's attempts, and the event `transport.repeated` says so. `design/14-curl.md` has the contract.
public final class CurlTransport: HTTPTransport {
  private let engines: [CurlEngine]
  private let proxy: Proxy
  private let turn = Lock(0)

  /// Makes a transport, with connections and threads of its own, which end with it.
  ///
  /// - Throws: ``Unavailable`` when no libcurl can be loaded, or the system has no thread or descriptor left.
  public init(_ configuration: Configuration = Configuration()) throws(Unavailable) {
    let library = try CurlLibrary.loaded.get()
    let settings = CurlSettings(configuration, library)
    var engines: [CurlEngine] = []
    for _ in 0..<settings.threads { engines.append(try CurlEngine(settings)) }
    self.engines = engines
    proxy = configuration.proxy
  }

  deinit {
    for engine in engines { engine.stop() }
  }

  /// Ends every exchange under way as ``TransportError`` `cancelled`, and returns once all connections are closed and the
  /// threads have ended.
  ///
  /// Later exchanges fail the same way, unsent. It may be called any number of times.
  public func shutDown() async {
    for engine in engines { engine.stop() }
    for engine in engines { await engine.ended() }
  }

  /// True: the whole exchange ends by the request's timeout.
  public var enforcesTimeout: Bool { true }

  /// Sends one request and reads one response.
  ///
  /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
  public func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let message = try CurlMessage(request)
    let (answer, call, _) = try await exchange(
      message, .whole(limit: max(0, maxResponseBytes)), request.timeout)
    var response = HTTPResponse(
      status: answer.status, headers: try headers(of: answer, to: call), body: answer.body, url: request.url,
      isTruncated: answer.isTruncated)
    response.repeats = call.repeats
    return response
  }

  /// Sends one request and returns when the head of its response is there; the body comes as it is read.
  ///
  /// It goes over HTTP/1.1, where not reading holds up this one server and nobody else. The timeout covers the body too.
  ///
  /// - Parameters:
  ///   - request: what to send.
  ///   - maxResponseBytes: how long the body may be; a longer one fails.
  ///   - highWater: how many bytes may wait to be read before nothing more is read from the connection.
  /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
  package func stream(
    _ request: TransportRequest, maxResponseBytes: Int = .max, highWater: Int = 128 * 1024
  ) async throws -> (head: HTTPResponse, body: CurlBody) {
    let stream = BodyStream(limit: max(0, maxResponseBytes), highWater: max(1, highWater))
    let (answer, call, engine) = try await exchange(
      try CurlMessage(request), .stream(stream), request.timeout)
    let body = CurlBody(stream, of: call, on: engine, self)
    let head = HTTPResponse(
      status: answer.status, headers: try headers(of: answer, to: call), url: request.url)
    return (head, body)
  }

  private func headers(of answer: CurlCall.Answer, to call: CurlCall) throws(TransportError) -> HTTPHeaders {
    do throws(TransportError) { return try HTTPHeaders(section: answer.fields) } catch {
      var error = error
      error.repeats = call.repeats
      throw error
    }
  }

  /// What all threads together have done so far.
  package var counts: Counts {
    engines.reduce(into: Counts()) { sum, engine in sum.add(engine.counts) }
  }

  /// Makes an exchange, and waits for what its delivery promises.
  private func exchange(
    _ message: CurlMessage, _ delivery: CurlCall.Delivery, _ timeout: Duration?
  ) async throws -> (answer: CurlCall.Answer, call: CurlCall, engine: CurlEngine) {
    try Task.checkCancellation()
    if let timeout, timeout <= .zero { throw TransportError(code: .timedOut, mayHaveActed: false) }
    let engine = nextEngine
    let call = CurlCall(message, delivery)
    defer { if call.repeats > 0 { recordRepeat(of: message, sends: call.sends) } }
    let answer = try await cancellable {
      try await withCheckedThrowingContinuation { continuation in
        guard call.board(continuation) else { return }
        // Before anything is sent, so that whoever has seen the request can rely on the timer.
        if let timeout { call.end(after: timeout, on: engine) }
        engine.start(call)
      }
    } onCancel: {
      engine.end(call, as: .cancelled)
    }
    return (answer, call, engine)
  }

  private func recordRepeat(of message: CurlMessage, sends: Int) {
    Ambient.record(
      "transport.repeated", .info, label: message.origin,
      [
        Event.Field("method", message.method), Event.Field("host", message.origin),
        Event.Field("path", message.path), Event.Field("sends", "\(sends)"),
      ])
  }

  private var nextEngine: CurlEngine {
    guard engines.count > 1 else { return engines[0] }
    return engines[
      turn.withLock { turn in
        turn = (turn + 1) % engines.count
        return turn
      }]
  }
}

extension CurlTransport: CustomStringConvertible, CustomReflectable {
  /// How many threads it has, and the proxy without its user info.
  public var description: String { "CurlTransport with threads: \(engines.count), proxy: \(proxy)" }

  /// The same as ``description``: nothing of what is under way, nor what a proxy is told.
  public var customMirror: Mirror { Mirror(self, children: ["threads": engines.count, "proxy": proxy]) }
}

extension CurlTransport {
  /// What was done so far.
  package struct Counts: Sendable, Equatable {
    /// Requests handed to a connection.
    package var sends = 0
    /// Connections that were opened.
    package var connections = 0

    mutating func add(_ other: Counts) {
      sends += other.sends
      connections += other.connections
    }
  }

  /// No libcurl can be used: none is there, it is too old, or the system has no thread or descriptor left.
  public struct Unavailable: Error, Sendable, CustomStringConvertible {
    /// Why, in the words of the system's loader where it is about loading.
    public let reason: String

    /// What could not be done, and why.
    public var description: String {
      "CurlTransport needs libcurl 7.68 or later (libcurl.so.4 on Linux), which cannot be used: \(reason)"
    }
  }
}
#endif
