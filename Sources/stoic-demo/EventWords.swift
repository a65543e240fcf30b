import Foundation
import Stoic
import StoicHTTP

/// What events say, in words for a person who does not know the package.
struct EventWords: Sendable {
  /// How long the client waits for an attempt.
  let attemptTimeout: Duration

  /// How an attempt ended, from its `http.request`.
  func attempt(_ event: Event) -> String {
    let outcome = event["outcome"] ?? ""
    let status = event["status"].flatMap { Int($0) }.map(Self.status)
    switch outcome {
    case "response_too_large": return "\(status ?? "an answer"), larger than allowed: stopped reading"
    case "timed_out": return "no answer within \(attemptTimeout.text): timed out"
    case "deadline_exceeded": return "no answer before the deadline"
    default: return status ?? Self.failure(outcome) ?? outcome
    }
  }

  /// Where an attempt goes on, from its `http.redirect`.
  func redirect(_ event: Event) -> String {
    let status = event["status"].flatMap { Int($0) }.map(Self.status) ?? "a redirect"
    return "\(status), sent on to \(event["to_host"] ?? "")\(event["to_path"] ?? "")"
  }

  /// Why another attempt is made, from its `retry.scheduled`.
  func cause(_ event: Event) -> String {
    let reason = event["reason"] ?? ""
    if let asked = event["asked"] { return "the server asked for \(asked)" }
    if reason.hasPrefix("status_") { return "a \(reason.dropFirst(7)) may pass" }
    if reason == "timed_out" { return "a silence may pass" }
    return "a failed connection may pass"
  }

  private static func failure(_ outcome: String) -> String? {
    let prefix = "transport_"
    guard outcome.hasPrefix(prefix), let number = Int(outcome.dropFirst(prefix.count)) else { return nil }
    // Only some platforms know every number.
    let code: URLError.Code? = URLError.Code(rawValue: number)
    return code.map { TransportError($0).description }
  }

  private static func status(_ status: Int) -> String {
    phrases[status].map { "\(status) \($0)" } ?? "\(status)"
  }

  private static let phrases = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 301: "Moved Permanently", 302: "Found",
    304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    408: "Request Timeout",
    410: "Gone", 429: "Too Many Requests", 500: "Internal Server Error", 501: "Not Implemented",
    502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
  ]
}
