import Foundation
import Stoic

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The transport of the platform's URL loading system.
///
/// It carries each request once: it follows no redirect, answers no challenge, keeps no cookie and uses no cache. A
/// request that must not be repeated, and every request with a body, goes over a connection of its own: on Linux the
/// loading system sends a request again when a reused connection turns out to be dead, and says nothing.
///
/// Its timeouts run on the ambient clock, so that in a test they pass in virtual time while the sockets are real.
///
/// A proxy is used where the process's environment or the system's settings name one: on Linux `http_proxy` and
/// `https_proxy`, for 127.0.0.1 too, unless `no_proxy` names the host.
///
/// The loading system has faults that no transport on top of it can mend. On Linux, with Swift 6.3, a peer ends the
/// **whole process** when it
/// - closes the connection in the middle of a header section,
/// - sends a trailer field after a chunked body, which is legal,
/// - announces a `Content-Length` between 2^63 - 512 and 2^63 - 1.
///
/// Further, on Linux: a packed body that is cut inside an intact framing passes for a short one; repeated fields are
/// joined; a response whose fields have no space after the colon is a failure; the body of a redirect is lost; a GET, HEAD
/// or OPTIONS on a connection that was used before may reach the server once more than is reported. So it is for servers
/// that you trust. The contract in `design/05` lists all of it with the tests that show it.
public final class URLSessionTransport: HTTPTransport {
  private let sessions: SessionPool

  /// Makes a transport, with connections of its own.
  ///
  /// - Parameter maxConnectionsPerHost: the most connections kept to one host for requests that may share them, at
  ///   least 1. Further requests wait in the loading system, their timeout running: choose it above what is let in at
  ///   once, such as a policy's bulkhead.
  public init(maxConnectionsPerHost: Int = 128) {
    sessions = SessionPool(maxConnectionsPerHost: max(1, maxConnectionsPerHost))
  }

  /// True: the whole exchange ends by the request's timeout.
  public var enforcesTimeout: Bool { true }

  /// Sends one request and reads one response.
  ///
  /// - Throws: ``TransportError``, or `CancellationError` when the task was cancelled.
  public func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    try Task.checkCancellation()
    let message = try URLRequest(sending: request)
    if let timeout = request.timeout, timeout <= .zero {
      throw TransportError(code: .timedOut, mayHaveActed: false)
    }
    let flight = Flight(request, limit: maxResponseBytes)
    return try await cancellable {
      try await withCheckedThrowingContinuation { continuation in
        guard flight.board(continuation) else { return }
        // Before anything is sent, so that whoever has seen the request can rely on the timer.
        if let timeout = request.timeout { flight.end(after: timeout) }
        sessions.start(flight, with: message, sharingConnections: request.mayShareConnections)
      }
    } onCancel: {
      flight.end(with: .failure(CancellationError()))
    }
  }
}

extension TransportRequest {
  /// Whether it does no harm that the loading system sends the request again on its own.
  ///
  /// With a body it does, whatever the method: the second time the platform sends the body's length and no body.
  fileprivate var mayShareConnections: Bool {
    mayRepeat && body.isEmpty && [.get, .head, .options].contains(method)
  }
}
