import Foundation
import StoicHTTP

/// How a call ended, as far as a check compares it.
enum Ending: Equatable, Sendable {
  case success(Int)
  case status(Int)
  case transport(URLError.Code)
  case timedOut
  case tooLarge(Int)
  case rejected(Rejection.Reason)
  case invalid(String)
  case cancelled
  case other(String)

  init(_ error: any Error) {
    guard let error = error as? HTTPError else {
      self = error is CancellationError ? .cancelled : .other("\(error)")
      return
    }
    switch error {
    case .status(let status, _, _, _): self = .status(status)
    case .transport(let code, _): self = .transport(code)
    case .timedOut: self = .timedOut
    case .responseTooLarge(let limit, _): self = .tooLarge(limit)
    case .rejected(let rejection, _): self = .rejected(rejection.reason)
    case .invalidRequest(let reason): self = .invalid(reason)
    case .decoding: self = .other("\(error)")
    @unknown default: self = .other("\(error)")
    }
  }
}

/// A call that has ended, and what the client told of it meanwhile.
struct Answer: Sendable {
  let ending: Ending
  let response: HTTPResponse?
  let error: HTTPError?
  /// How many attempts the client reported.
  let attempts: Int
  /// The statuses of the redirects that were followed, in order.
  let redirects: [Int]

  var body: [UInt8] { response?.body ?? [] }
  /// The body as text; how the call ended where there is none.
  var text: String { response == nil ? "\(ending)" : String(decoding: body, as: UTF8.self) }
  /// The start of the body of an answer that is no success.
  var excerpt: String {
    if case .status(_, let excerpt, _, _) = error { excerpt } else { "" }
  }
  var json: JSON { (try? response?.json()) ?? .null }

  /// A field of the response; nil where there is none.
  subscript(_ name: String) -> String? { response?.headers[name] }
}
