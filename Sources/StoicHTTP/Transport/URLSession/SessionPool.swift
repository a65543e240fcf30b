import Foundation
import Stoic

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The platform's sessions of one transport: one that is shared, and one for each request that may not share.
///
/// A session owns its connections, so a request with a session of its own starts on a fresh connection, and the
/// platform has nothing to send again.
final class SessionPool: Sendable {
  private let delegate = SessionDelegate()
  private let configuration: @Sendable () -> URLSessionConfiguration
  private let shared: LeasedSession

  init(maxConnectionsPerHost: Int) {
    configuration = { .bare(maxConnectionsPerHost: maxConnectionsPerHost) }
    shared = LeasedSession(delegate, configuration())
  }

  func start(_ flight: Flight, with message: URLRequest, sharingConnections isSharing: Bool) {
    let session = isSharing ? shared : LeasedSession(delegate, configuration())
    let task = session.session.dataTask(with: message)
    delegate.register(flight, for: task)
    flight.start(task, on: session)
  }
}

/// A session that is taken down when nobody uses it any more: a session holds on to its delegate until then.
///
/// Each flight keeps its session until the platform has completed the task, so a session never goes with a task in it.
final class LeasedSession: Sendable {
  let session: URLSession

  init(_ delegate: SessionDelegate, _ configuration: URLSessionConfiguration) {
    session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegate.queue)
  }

  deinit { session.finishTasksAndInvalidate() }
}

extension URLSessionConfiguration {
  /// A configuration that keeps nothing and adds nothing.
  fileprivate static func bare(maxConnectionsPerHost: Int) -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    // An ephemeral configuration still keeps cookies, credentials and answers, only not on disk.
    configuration.urlCache = nil
    configuration.urlCredentialStorage = nil
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = maxConnectionsPerHost
    // The platform's own timeouts measure silence, in real time. They are put out of the way of the request's.
    configuration.timeoutIntervalForRequest = 7 * 86_400
    configuration.timeoutIntervalForResource = 7 * 86_400
    return configuration
  }
}
