public import Foundation
public import StoicJSON

/// What a request builder takes as its target: a path below the base URL, or an absolute `URL`.
public protocol HTTPRequestTarget {
  /// This value as a target.
  var requestTarget: HTTPRequest.Target { get }
}

extension String: HTTPRequestTarget {
  /// A path below the client's base URL.
  public var requestTarget: HTTPRequest.Target { .path(self) }
}

extension URL: HTTPRequestTarget {
  /// An absolute URL.
  public var requestTarget: HTTPRequest.Target { .url(self) }
}

/// The items of a query as a literal, order and repeats kept; nil is a bare flag.
public typealias HTTPQuery = KeyValuePairs<String, String?>

extension HTTPRequest {
  /// A GET.
  public static func get(_ target: some HTTPRequestTarget, query: HTTPQuery = [:]) -> HTTPRequest {
    bodiless(.get, target, query.items)
  }

  /// A GET with a query made of pairs.
  public static func get(_ target: some HTTPRequestTarget, query: [(String, String?)]) -> HTTPRequest {
    bodiless(.get, target, query.items)
  }

  /// A HEAD.
  public static func head(_ target: some HTTPRequestTarget, query: HTTPQuery = [:]) -> HTTPRequest {
    bodiless(.head, target, query.items)
  }

  /// A HEAD with a query made of pairs.
  public static func head(_ target: some HTTPRequestTarget, query: [(String, String?)]) -> HTTPRequest {
    bodiless(.head, target, query.items)
  }

  /// A DELETE.
  public static func delete(_ target: some HTTPRequestTarget, query: HTTPQuery = [:]) -> HTTPRequest {
    bodiless(.delete, target, query.items)
  }

  /// A DELETE with a query made of pairs.
  public static func delete(_ target: some HTTPRequestTarget, query: [(String, String?)]) -> HTTPRequest {
    bodiless(.delete, target, query.items)
  }

  /// An OPTIONS.
  public static func options(_ target: some HTTPRequestTarget, query: HTTPQuery = [:]) -> HTTPRequest {
    bodiless(.options, target, query.items)
  }

  /// An OPTIONS with a query made of pairs.
  public static func options(_ target: some HTTPRequestTarget, query: [(String, String?)]) -> HTTPRequest {
    bodiless(.options, target, query.items)
  }

  /// A POST without a body.
  public static func post(_ target: some HTTPRequestTarget) -> HTTPRequest { bodiless(.post, target, []) }

  /// A POST of JSON; sets the `Content-Type`.
  public static func post(_ target: some HTTPRequestTarget, json: JSON) -> HTTPRequest {
    carrying(.post, target, .json(json), "application/json")
  }

  /// A POST of bytes.
  public static func post(
    _ target: some HTTPRequestTarget, body: some Sequence<UInt8>, contentType: String
  ) -> HTTPRequest {
    carrying(.post, target, .bytes(Array(body)), contentType)
  }

  /// A PUT without a body.
  public static func put(_ target: some HTTPRequestTarget) -> HTTPRequest { bodiless(.put, target, []) }

  /// A PUT of JSON; sets the `Content-Type`.
  public static func put(_ target: some HTTPRequestTarget, json: JSON) -> HTTPRequest {
    carrying(.put, target, .json(json), "application/json")
  }

  /// A PUT of bytes.
  public static func put(
    _ target: some HTTPRequestTarget, body: some Sequence<UInt8>, contentType: String
  ) -> HTTPRequest {
    carrying(.put, target, .bytes(Array(body)), contentType)
  }

  /// A PATCH without a body.
  public static func patch(_ target: some HTTPRequestTarget) -> HTTPRequest { bodiless(.patch, target, []) }

  /// A PATCH of JSON; sets the `Content-Type`.
  public static func patch(_ target: some HTTPRequestTarget, json: JSON) -> HTTPRequest {
    carrying(.patch, target, .json(json), "application/json")
  }

  /// A PATCH of bytes.
  public static func patch(
    _ target: some HTTPRequestTarget, body: some Sequence<UInt8>, contentType: String
  ) -> HTTPRequest {
    carrying(.patch, target, .bytes(Array(body)), contentType)
  }

  private static func bodiless(
    _ method: HTTPMethod, _ target: some HTTPRequestTarget, _ query: [QueryItem]
  ) -> HTTPRequest {
    HTTPRequest(method: method, target: target.requestTarget, query: query, headers: [:], body: nil)
  }

  private static func carrying(
    _ method: HTTPMethod, _ target: some HTTPRequestTarget, _ body: Body, _ contentType: String
  ) -> HTTPRequest {
    HTTPRequest(
      method: method, target: target.requestTarget, query: [], headers: ["Content-Type": contentType],
      body: body)
  }
}

extension HTTPQuery {
  fileprivate var items: [HTTPRequest.QueryItem] { map { HTTPRequest.QueryItem($0.key, $0.value) } }
}

extension [(String, String?)] {
  fileprivate var items: [HTTPRequest.QueryItem] { map { HTTPRequest.QueryItem($0.0, $0.1) } }
}
