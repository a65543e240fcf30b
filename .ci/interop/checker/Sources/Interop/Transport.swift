import Foundation
import StoicHTTP

/// What carries the requests of the checks.
enum Transport: String, CaseIterable, Sendable {
  case urlsession, curl

  /// A transport with connections of its own, which trusts an authority besides the machine's, where it can be told to.
  ///
  /// - Parameter adjust: what else there is to set, where there is.
  func make(
    trusting authority: URL?, _ adjust: (inout CurlTransport.Configuration) -> Void = { _ in }
  ) -> any HTTPTransport {
    switch self {
    case .urlsession: return URLSessionTransport()
    case .curl:
      var configuration = CurlTransport.Configuration()
      configuration.caFile = authority?.path
      adjust(&configuration)
      do { return try CurlTransport(configuration) } catch { preconditionFailure("\(error)") }
    }
  }

  /// Whether it can be told which authority to trust; one that cannot has only the machine's list.
  var takesAuthority: Bool {
    switch self {
    case .urlsession: false
    case .curl: true
    }
  }
}
