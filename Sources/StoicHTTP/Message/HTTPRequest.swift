public import Foundation
import Stoic
public import StoicJSON

/// A request as the caller states it: a method, where to, and what with.
///
/// ```swift
/// try await api.send(.get("/users", query: ["page": "2"]), decoding: .array(User.schema))
/// try await api.send(.post("/orders", json: ["sku": "A-1", "count": 2]), idempotencyKey: "order-7")
/// ```
///
/// Nothing is checked before it is sent: ``HTTPClient`` refuses what cannot be sent safely with
/// ``HTTPError/invalidRequest(_:)``.
public struct HTTPRequest: Sendable, Hashable {
  /// Where a request goes.
  public enum Target: Sendable, Hashable {
    /// A path below the client's base URL, with or without a query; percent escapes in it stay as they are.
    case path(String)
    /// An absolute URL; the client's default headers go with it only where it has the base URL's origin.
    case url(URL)
  }

  /// One item of a query: a name, and a value unless it is a bare flag.
  public struct QueryItem: Sendable, Hashable {
    /// The name, not yet encoded.
    public var name: String
    /// The value, not yet encoded; nil sends the name alone.
    public var value: String?

    /// Makes an item.
    public init(_ name: String, _ value: String?) {
      self.name = name
      self.value = value
    }
  }

  /// What a request carries.
  public enum Body: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// A JSON value, written out once when the request is sent, so that every attempt carries the same bytes.
    case json(JSON)
  }

  /// The method.
  public var method: HTTPMethod
  /// Where to.
  public var target: Target
  /// What is appended to the target's query, in order, each name and value encoded once.
  public var query: [QueryItem]
  /// The header fields; they replace the client's default fields of the same name.
  public var headers: HTTPHeaders
  /// The body; nil for none.
  ///
  /// A body needs a `Content-Type`.
  public var body: Body?
  /// The `Idempotency-Key`: the same on every attempt, by which the server recognises a repeat.
  public var idempotencyKey: String?
  /// A `Host` other than the URL's own, for a server that is reached under another name on purpose.
  public var authority: String?

  /// Makes a request for a path below the base URL.
  public init(
    method: HTTPMethod, path: String, query: [QueryItem] = [], headers: HTTPHeaders = [:], body: Body? = nil
  ) {
    self.init(method: method, target: .path(path), query: query, headers: headers, body: body)
  }

  /// Makes a request for an absolute URL.
  public init(
    method: HTTPMethod, url: URL, query: [QueryItem] = [], headers: HTTPHeaders = [:], body: Body? = nil
  ) {
    self.init(method: method, target: .url(url), query: query, headers: headers, body: body)
  }

  init(method: HTTPMethod, target: Target, query: [QueryItem], headers: HTTPHeaders, body: Body?) {
    self.method = method
    self.target = target
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// This request with an idempotency key.
  public func keyed(_ key: String) -> HTTPRequest {
    var copy = self
    copy.idempotencyKey = key
    return copy
  }

  /// This request with a header field, in place of any of the same name.
  public func header(_ name: String, _ value: String) -> HTTPRequest {
    var copy = self
    copy.headers[name] = value
    return copy
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and where to, without query, headers and body.
  public var description: String { "\(method.name.onOneLine) \(target)" }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The request without its query, body and key, header values redacted.
  public var customMirror: Mirror {
    Mirror(self, children: ["request": description, "headers": headers, "hasBody": body != nil])
  }
}
