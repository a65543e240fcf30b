public import Foundation

/// A request as a transport sends it: nothing is left to decide.
public struct TransportRequest: Sendable {
  /// The method; a token.
  public let method: HTTPMethod
  /// Where to: absolute, `http` or `https`, without user info and fragment.
  public let url: URL
  /// All header fields except those of framing and connection, checked.
  ///
  /// A `Host` is there only where it is not the URL's own.
  public let headers: HTTPHeaders
  /// The body; empty for none.
  public let body: [UInt8]
  /// The time that the whole exchange may take, on the ambient clock; nil for no bound.
  public let timeout: Duration?
  /// Whether the request may reach the server more than once without harm.
  public let mayRepeat: Bool
  /// Where to, taken apart; nil where the client has not made the request.
  let location: Location?

  /// Makes a request.
  public init(
    method: HTTPMethod, url: URL, headers: HTTPHeaders = [:], body: [UInt8] = [], timeout: Duration? = nil,
    mayRepeat: Bool = false
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeout = timeout
    self.mayRepeat = mayRepeat
    location = nil
  }

  /// Makes the request of an exchange.
  init(_ exchange: Exchange, timeout: Duration?, mayRepeat: Bool) {
    method = exchange.method
    url = exchange.location.url
    headers = exchange.headers
    body = exchange.body
    self.timeout = timeout
    self.mayRepeat = mayRepeat
    location = exchange.location
  }
}

extension TransportRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and where to, without the query.
  public var description: String { "\(method) \(url.withoutSecrets)" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The request without its query and body, header values redacted.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers, "bodySize": body.count])
  }
}
