public import Foundation
import Stoic

/// What a response means for the program, by its status first and its fields then.
///
/// Smaller than ``HTTPError``, for code that answers to single responses: see ``HTTPResponse/outcome(expecting:wallClock:)``.
public enum HTTPOutcome: Sendable, Hashable {
  /// 2xx with a body of the expected type.
  case success([UInt8])
  /// 204: there is no body, and nothing to decode.
  case noContent
  /// 304: what the caller has is still right.
  case notModified
  /// 401: credentials are missing or have expired.
  case unauthorized
  /// 429, with the wait that the server asks for.
  case rateLimited(retryAfter: Duration?)
  /// Any other 4xx: the request is at fault.
  case clientError(Int)
  /// 5xx: the server is.
  case serverError(Int)
  /// Any other status.
  case unexpectedStatus(Int)
  /// 2xx with a body of another type, in small letters and without parameters, or of none: often a proxy's or a login page.
  case unexpectedType(String?)
}

extension HTTPResponse {
  /// Classifies the response: 204, other 2xx by their media type, 304, 401, 429, then by hundreds.
  ///
  /// - Parameters:
  ///   - type: the media type that a success has to have, without regard to case and parameters.
  ///   - wallClock: the time of day, for a `Retry-After` that is an HTTP-date where the response has no `Date`.
  public func outcome(
    expecting type: String = "application/json", wallClock: () -> Date = { HTTPPolicy.standard.wallClock() }
  ) -> HTTPOutcome {
    switch status {
    case 204: .noContent
    case 200..<300:
      if let mediaType, mediaType == MediaType(type)?.essence {
        .success(body)
      } else {
        .unexpectedType(mediaType)
      }
    case 304: .notModified
    case 401: .unauthorized
    case 429: .rateLimited(retryAfter: RetryAfter.wait(in: headers, wallClock: wallClock))
    case 400..<500: .clientError(status)
    case 500..<600: .serverError(status)
    default: .unexpectedStatus(status)
    }
  }
}

extension HTTPOutcome: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// What happened, without the body and without what a server put into a type's name.
  public var description: String {
    switch self {
    case .success(let body): "success, \(body.count) bytes"
    case .noContent: "no content"
    case .notModified: "not modified"
    case .unauthorized: "unauthorized"
    case .rateLimited(let wait): "rate limited" + (wait.map { ", wait \($0.text)" } ?? "")
    case .clientError(let status): "client error \(status)"
    case .serverError(let status): "server error \(status)"
    case .unexpectedStatus(let status): "unexpected status \(status)"
    case .unexpectedType(let type): "unexpected type \(MediaType.shown(type))"
    }
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The outcome without the body.
  public var customMirror: Mirror { Mirror(self, children: ["outcome": description]) }
}
