public import Foundation

/// A small HTTP/1.1 server on 127.0.0.1 for tests and demos.
///
/// It is a fixture and no server for anything else: no TLS, no time limits of its own, one thread, whoever is on this
/// machine may connect, and it writes what the handler says, right or wrong. It is bounded and tidy all the same: see
/// `Limits`, and `stop()`.
///
/// ```swift
/// let server = try await LocalServer.start { request in
///   request.path == "/users/42" ? .json(#"{"id":42}"#) : .text("not found", status: 404)
/// }
/// defer { server.stop() }
/// ```
public final class LocalServer: Sendable {
  /// Answers one request; called once per request, in order on one connection, in a task of its own.
  ///
  /// The task is cancelled when the client leaves or the server stops; what it returns then is dropped.
  public typealias Handler = @Sendable (Request) async -> Response

  /// The port it listens on.
  public let port: Int
  /// `http://127.0.0.1:` and the port.
  public let baseURL: URL

  private let hub: Hub

  private init(port: Int, baseURL: URL, hub: Hub) {
    self.port = port
    self.baseURL = baseURL
    self.hub = hub
  }

  deinit { hub.stop() }

  /// Starts a server that listens once this returns, and runs until `stop()` or until it is released.
  ///
  /// - Parameters:
  ///   - port: 0 lets the system pick one.
  ///   - limits: what it takes from clients.
  ///   - admitter: decides about a request with a body before the body is read; left out, every body is read and every
  ///     client that asks for `100 Continue` gets it.
  ///   - handler: answers the requests; it must not hold the server, which would keep it from being released.
  /// - Throws: `StartError`, for instance when the port is taken or no descriptor is left.
  public static func start(
    port: Int = 0, limits: Limits = Limits(), admitting admitter: Admitter? = nil,
    _ handler: @escaping Handler
  ) async throws -> LocalServer {
    let listener = try Listener(port: port)
    let hub: Hub
    do {
      hub = try Hub(recordLimit: limits.recordedBytes)
    } catch {
      listener.descriptor.close()
      throw error
    }
    guard let baseURL = URL(string: "http://127.0.0.1:\(listener.port)") else {
      preconditionFailure("a port makes a valid URL")
    }
    do {
      try SystemThread.start {
        EventLoop(listener: listener, hub: hub, limits: limits, admitter: admitter, handler: handler).run()
      }
    } catch {
      listener.descriptor.close()
      hub.end()
      throw error
    }
    return LocalServer(port: listener.port, baseURL: baseURL, hub: hub)
  }

  /// The requests received whole so far, in order of arrival, as far as `Limits.recordedBytes` keeps them.
  public var requests: [Request] { hub.requests }

  /// What happened so far; after `stop()` what had happened until then.
  public var counts: Counts { hub.counts }

  /// Body bytes of responses handed to the system so far; short of what it buffers, they were read by clients.
  public var bytesSent: Int { counts.bytesSent }

  /// Connections accepted so far.
  public var connectionsAccepted: Int { counts.connections }

  /// Connections open now.
  public var openConnections: Int { counts.openConnections }

  /// Stops listening, closes every connection, cancels the handlers and lets all waits return.
  ///
  /// When it returns the port and all descriptors are free. Handlers that ignore cancellation may still run. It
  /// may be called any number of times, from any thread.
  public func stop() { hub.stop() }
}

extension LocalServer {
  /// Returns true once that many requests were received whole.
  ///
  /// Like every wait here it returns false when the server stops or the task is cancelled before that.
  @discardableResult
  public func waitForRequests(_ count: Int) async -> Bool {
    await hub.wait { $0.requests >= count }
  }

  /// Returns true once that many responses were handed to the system to their last byte.
  @discardableResult
  public func waitForResponses(_ count: Int) async -> Bool {
    await hub.wait { $0.responses >= count }
  }

  /// Returns true once that many connections were accepted.
  @discardableResult
  public func waitForConnections(_ count: Int) async -> Bool {
    await hub.wait { $0.connections >= count }
  }

  /// Returns true once no more than that many connections are open.
  @discardableResult
  public func waitForOpenConnections(atMost count: Int) async -> Bool {
    await hub.wait { $0.openConnections <= count }
  }

  /// Returns true once clients ended that many connections, in the middle of something or not.
  @discardableResult
  public func waitForDisconnects(_ count: Int) async -> Bool {
    await hub.wait { $0.disconnects >= count }
  }

  /// Returns true once that many requests lost their client before the response was written.
  @discardableResult
  public func waitForUndelivered(_ count: Int) async -> Bool {
    await hub.wait { $0.undelivered >= count }
  }

  /// Returns true once clients left that many requests before they had sent them whole.
  @discardableResult
  public func waitForCutShort(_ count: Int) async -> Bool {
    await hub.wait { $0.cutShort >= count }
  }

  /// Returns true once the server itself refused that many requests.
  @discardableResult
  public func waitForRefusals(_ count: Int) async -> Bool {
    await hub.wait { $0.refused >= count }
  }

  /// Returns true once that many body bytes were handed to the system.
  @discardableResult
  public func waitForBytesSent(_ count: Int) async -> Bool {
    await hub.wait { $0.bytesSent >= count }
  }
}
