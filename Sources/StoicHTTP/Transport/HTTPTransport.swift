/// Carries one request to a server and brings one response back.
///
/// Replace it, and the client runs without a network.
///
/// A transport has these obligations:
/// - **One exchange.** It sends the request once, where ``TransportRequest/mayRepeat`` allows it perhaps more than once. It
///   follows no redirect, answers no challenge, uses no cache and keeps no cookies: all of that belongs to the client.
/// - **The request as it is.** Method, URL, header fields and body go out unchanged; framing and connection fields are
///   the transport's own.
/// - **Bounded.** It reads at most `maxResponseBytes` of the body, counted after decompression. Past that it closes
///   the connection and returns what it has with `isTruncated` set. Responses without a body (to HEAD; 204, 205, 304) have
///   no limit.
/// - **Whole or failed.** A body that ends before its announced end is a failure, never a short success.
/// - **Cancellable.** When its task is cancelled it closes the connection and throws `CancellationError` at once.
/// - **Timely.** If ``enforcesTimeout`` is true it ends by ``TransportRequest/timeout``, measured on the ambient clock
///   from the call, with ``TransportError`` `.timedOut`.
/// - **Honest.** It throws ``TransportError``, which says whether the server may have acted. Other errors are taken for
///   "unknown, it may have".
///
/// `send` is called from any task, also several times at once.
public protocol HTTPTransport: Sendable {
  /// Sends one request and reads one response.
  ///
  /// - Parameters:
  ///   - request: what to send, complete.
  ///   - maxResponseBytes: how much of a body may be read; at least zero.
  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse

  /// Whether the transport ends by the request's timeout itself; when false the client races it.
  var enforcesTimeout: Bool { get }
}

extension HTTPTransport {
  /// False: the client races the transport against the timeout.
  public var enforcesTimeout: Bool { false }
}
