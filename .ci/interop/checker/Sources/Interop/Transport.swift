import Foundation
import StoicHTTP

/// What carries the requests of the checks.
enum Transport: String, CaseIterable, Sendable {
  case urlsession

  /// A transport with connections of its own, which trusts an authority besides the machine's, where it can be told to.
  func make(trusting authority: URL?) -> any HTTPTransport {
    switch self {
    case .urlsession: URLSessionTransport()
    }
  }

  /// Whether it can be told which authority to trust; one that cannot has only the machine's list.
  var takesAuthority: Bool {
    switch self {
    case .urlsession: false
    }
  }
}
