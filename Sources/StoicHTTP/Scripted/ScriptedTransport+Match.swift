import Foundation

extension ScriptedTransport {
  /// Which requests a route answers: those that have everything it names.
  ///
  /// ```swift
  /// transport.on(.any, respond: [.status(503)])
  /// transport.on(.init(path: "/search", query: ["q": "a b"]), respond: [.json("[]")])
  /// transport.on(.init(where: { $0.body.count > 1_000 }), respond: [.status(413)])
  /// ```
  public struct Match: Sendable {
    private let method: HTTPMethod?
    private let origin: Origin?
    private let authority: URLReference.Authority?
    private let path: String?
    private let wholeQuery: String?
    private let items: [(name: [UInt8], value: [UInt8]?)]
    private let headers: HTTPHeaders
    /// False for a pattern that no request can be made of.
    private let isPossible: Bool
    let condition: (@Sendable (TransportRequest) -> Bool)?

    /// Every request.
    public static let any = Match()

    /// Requests that have all of these; what is nil or empty is not asked for.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path of the final URL, the base's path included, without a query.
    ///   - host: a host, compared without case, with or without a port; without one any port will do.
    ///   - query: names and values, not encoded, that have to be among the request's; nil is a bare flag.
    ///   - headers: fields that have to be among the request's, each value as one of those of its name.
    ///   - condition: whether a request that fits all else is meant. Called once per request at most, from any task, without
    ///     a lock held.
    public init(
      method: HTTPMethod? = nil, path: String? = nil, host: String? = nil, query: HTTPQuery = [:],
      headers: HTTPHeaders = [:], where condition: (@Sendable (TransportRequest) -> Bool)? = nil
    ) {
      let location = path.map { Self.location(HTTPRequest(method: .get, path: $0)) }
      self.init(
        method: method, location: location, origin: nil, host: host, query: query, headers: headers,
        condition: condition)
    }

    /// Requests of a pattern's method and path, of its origin where it holds a URL, and with its query as the whole query
    /// where it holds one; with the rest as in ``init(method:path:host:query:headers:where:)``.
    ///
    /// The pattern's own fields and body do not matter.
    public init(
      _ pattern: HTTPRequest, host: String? = nil, query: HTTPQuery = [:], headers: HTTPHeaders = [:],
      where condition: (@Sendable (TransportRequest) -> Bool)? = nil
    ) {
      let location = Self.location(pattern)
      let origin: Origin? =
        switch pattern.target {
        case .path: nil
        case .url: location?.origin
        }
      self.init(
        method: pattern.method, location: .some(location), origin: origin, host: host, query: query,
        headers: headers, condition: condition)
    }

    /// - Parameter location: where to; nil for anywhere, an inner nil for nowhere.
    private init(
      method: HTTPMethod?, location: Location??, origin: Origin?, host: String?, query: HTTPQuery,
      headers: HTTPHeaders, condition: (@Sendable (TransportRequest) -> Bool)?
    ) {
      self.method = method
      self.origin = origin
      path = location??.path
      wholeQuery = location??.query
      authority = host.flatMap { URLReference("//" + $0)?.authority }
      items = query.map { (Array($0.key.utf8), $0.value.map { Array($0.utf8) }) }
      self.headers = headers
      self.condition = condition
      let isNowhere = location.map { $0 == nil } ?? false
      isPossible = !isNowhere && (host == nil || authority != nil)
    }

    private static func location(_ pattern: HTTPRequest) -> Location? {
      guard let anyHost = URL(string: "http://any.invalid"), let base = try? BaseURL(anyHost) else {
        return nil
      }
      return try? base.location(of: pattern)
    }
  }
}

extension ScriptedTransport.Match {
  /// Whether a request has everything that is named, the condition left aside.
  func fits(_ arrival: ScriptedArrival) -> Bool {
    isPossible && (method == nil || method == arrival.request.method)
      && (path == nil || path == arrival.path)
      && (origin == nil || origin == arrival.origin)
      && (wholeQuery == nil || wholeQuery == arrival.query)
      && fitsHost(arrival) && fitsQuery(arrival) && fitsHeaders(arrival)
  }

  private func fitsHost(_ arrival: ScriptedArrival) -> Bool {
    guard let authority else { return true }
    guard let origin = arrival.origin, origin.host == authority.host else { return false }
    return authority.port == nil || authority.port == origin.port
  }

  private func fitsQuery(_ arrival: ScriptedArrival) -> Bool {
    guard !items.isEmpty else { return true }
    let present = arrival.queryItems
    return items.allSatisfy { item in present.contains { $0.name == item.name && $0.value == item.value } }
  }

  private func fitsHeaders(_ arrival: ScriptedArrival) -> Bool {
    headers.allSatisfy { arrival.request.headers.values(for: $0.name).contains($0.value) }
  }
}

extension ScriptedTransport.Match: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The method and the path, and that there is more; no query and no field.
  public var description: String {
    let more = wholeQuery != nil || !items.isEmpty || !headers.isEmpty || condition != nil
    let host = origin?.authority ?? authority?.hostAndPort ?? ""
    return "\(method?.name ?? "any method") \(host)\(isPossible ? path ?? "any path" : "no path")"
      + (more ? " with conditions" : "")
  }

  /// The same as ``description``.
  public var debugDescription: String { description }

  /// The ``description`` alone.
  public var customMirror: Mirror { Mirror(self, children: ["match": description]) }
}
