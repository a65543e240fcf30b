package import Foundation

/// A client's base URL, read once: its origin and the path that every request path is appended to.
package struct BaseURL: Sendable {
  let origin: Origin
  /// The path without a slash at its end.
  private let prefix: String
  /// The whole URL without a slash at its end.
  private let text: String
  private let cache = LocationCache()

  /// - Throws: ``InvalidRequest`` where requests cannot be built on the URL.
  package init(_ url: URL) throws(InvalidRequest) {
    guard let reference = URLReference(url.absoluteString) else {
      throw InvalidRequest("the base URL cannot be read")
    }
    let location: Location
    do { location = try Location(reference) } catch {
      throw InvalidRequest("the client's base cannot be used: \(error.reason)")
    }
    origin = location.origin
    var path = Substring(PercentEncoding.completing(location.path).removingDotSegments)
    while path.hasSuffix("/") { path.removeLast() }
    prefix = String(path)
    text = origin.text + prefix
  }

  /// Where a request goes.
  ///
  /// - Throws: ``InvalidRequest`` where the target is none, or leaves the base path.
  func location(of request: HTTPRequest) throws(InvalidRequest) -> Location {
    if case .path(let path) = request.target, request.query.isEmpty {
      if let known = cache.location(of: path) { return known }
      if let plain = PlainTarget(path) {
        let location = try Location(
          text: text + path, of: origin, pathEnd: text.utf8.count + plain.pathLength)
        if plain.pathLength == path.utf8.count { cache.keep(location, of: path) }
        return location
      }
    }
    var reference =
      switch request.target {
      case .path(let path): try below(path)
      case .url(let url): try absolute(url)
      }
    let items = request.query.map { item in
      PercentEncoding.component(item.name) + (item.value.map { "=" + PercentEncoding.component($0) } ?? "")
    }
    let queries = [reference.query].compactMap(\.self).filter { !$0.isEmpty } + items
    reference.query = queries.isEmpty ? reference.query : queries.joined(separator: "&")
    return try Location(reference)
  }

  private func below(_ text: String) throws(InvalidRequest) -> URLReference {
    guard !text.unicodeScalars.contains(where: \.isControl) else {
      throw InvalidRequest("the path holds a control character")
    }
    // Not taken apart as a reference: `sub:path` is a path here, and `//host` must not become a host. By scalars, since
    // a delimiter and a combining mark behind it are one character.
    let fragmentless = text.unicodeScalars.prefix { $0 != "#" }
    let scalars = fragmentless.prefix { $0 != "?" }
    let query = scalars.endIndex < fragmentless.endIndex ? fragmentless[scalars.endIndex...].dropFirst() : nil
    let path = Substring(scalars)
    guard !scalars.starts(with: "//".unicodeScalars) else {
      throw InvalidRequest("the path begins with two slashes")
    }
    guard !path.looksAbsolute else {
      throw InvalidRequest(
        "the path looks like an absolute URL; pass a URL to send a request to another host")
    }
    let encoded = PercentEncoding.completing(scalars.first == "/" ? path : "/" + path)
    guard !encoded.leavesItsRoot else { throw InvalidRequest("the path leaves the base URL's path") }
    return URLReference(
      scheme: origin.scheme,
      authority: URLReference.Authority(userInfo: nil, host: origin.host, port: origin.port),
      path: prefix + encoded.removingDotSegments,
      query: query.map { PercentEncoding.completing(Substring($0), allowing: "/?") })
  }

  private func absolute(_ url: URL) throws(InvalidRequest) -> URLReference {
    guard var reference = URLReference(url.absoluteString) else {
      throw InvalidRequest("the URL cannot be read")
    }
    guard !url.absoluteString.unicodeScalars.contains(where: \.isControl) else {
      throw InvalidRequest("the URL holds a control character")
    }
    reference.path = PercentEncoding.completing(reference.path).removingDotSegments
    reference.query = reference.query.map { PercentEncoding.completing($0, allowing: "/?") }
    return reference
  }
}

extension Substring {
  /// Whether a path without a slash in front names a scheme and an authority, blanks ignored.
  fileprivate var looksAbsolute: Bool {
    guard let mark = range(of: "://") else { return false }
    return !self[..<mark.lowerBound].contains("/")
  }
}

extension Unicode.Scalar {
  /// Whether this is one of the C0 controls or DEL, which no part of a request may hold unescaped.
  var isControl: Bool { value < 0x20 || value == 0x7F }
}
