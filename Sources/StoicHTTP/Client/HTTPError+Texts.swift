public import Foundation
import StoicSchema

extension HTTPError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable, LocalizedError
{
  /// What happened, what was tried, and what to do, on one line.
  public var description: String {
    switch self {
    case .status(let status, _, let retryAfter, let call):
      let told = retryAfter.map { "; it asks to wait \($0.text)" } ?? ""
      return "the server answered \(status)\(told) (\(call))\(ambiguity)"
    case .transport(let code, let call):
      return "\(code.words) (\(code.rawValue)) (\(call))\(ambiguity)"
    case .timedOut(let attempt, let call):
      return "attempt \(attempt) timed out (\(call))\(ambiguity)"
    case .responseTooLarge(let limit, let call):
      return "the response is larger than \(limit) bytes; raise maxResponseBytes or ask for less (\(call))"
    case .decoding(let failure, let call):
      return "the body is not what the schema describes: \(failure.summary) (\(call))"
    case .rejected(let rejection, let call):
      return "\(rejection) (\(call))\(ambiguity)"
    case .invalidRequest(let reason):
      return "the request was not sent: \(reason)"
    }
  }

  /// A warning where it is not known what the server has done: not after an answer, and not for a method that asks for
  /// no change.
  private var ambiguity: String {
    let isAnswered = call.history.last?.outcome.hasPrefix("status_") ?? true
    let isUnclear = isAnswered ? call.mayHaveActedBefore : call.mayHaveActed
    return isUnclear && call.method?.isSafe != true ? "; the server may have acted on it" : ""
  }

  /// The same as ``description``.
  public var debugDescription: String { "HTTPError: \(description)" }

  /// The same as ``description``.
  public var errorDescription: String? { description }

  /// The error without the excerpt of a body.
  public var customMirror: Mirror {
    Mirror(self, children: ["error": description, "call": call], displayStyle: .struct)
  }
}

extension ValidationFailure {
  /// The first issues on one line, and how many there are.
  fileprivate var summary: String {
    let shown = issues.prefix(3).map(\.description).joined(separator: "; ")
    return total > 3 ? "\(total) issues, among them \(shown)" : shown
  }
}
