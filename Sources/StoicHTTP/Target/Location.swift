import Foundation

/// Where one exchange goes: an absolute `http` or `https` URL, normalised, without user info and fragment.
struct Location: Sendable {
  let url: URL
  /// The URL as text.
  let text: String
  let origin: Origin
  /// The bytes of the path within the text.
  private let pathRange: Range<Int>

  /// - Parameter reference: an absolute reference, its parts encoded.
  /// - Throws: ``InvalidRequest`` where it is not one that may be requested.
  init(_ reference: URLReference) throws(InvalidRequest) {
    guard let scheme = reference.scheme, Origin.standardPorts[scheme] != nil else {
      throw InvalidRequest("the URL is not an absolute http or https URL")
    }
    guard let authority = reference.authority, !authority.host.isEmpty else {
      throw InvalidRequest("the URL has no host")
    }
    guard authority.userInfo == nil else {
      throw InvalidRequest("the URL carries user info; send credentials in an Authorization field")
    }
    guard !authority.host.contains("%"), !authority.host.contains("\\") else {
      throw InvalidRequest("the URL's host is no host name or address")
    }
    guard let origin = Origin(reference) else { throw InvalidRequest("the URL has no origin") }
    let path = reference.path.isEmpty ? "/" : reference.path
    try self.init(
      text: origin.text + path + (reference.query.map { "?\($0)" } ?? ""), of: origin,
      pathEnd: origin.text.utf8.count + path.utf8.count)
  }

  /// - Parameters:
  ///   - text: the whole URL, its parts encoded.
  ///   - origin: what it begins with.
  ///   - pathEnd: the offset of the byte after the path.
  init(text: String, of origin: Origin, pathEnd: Int) throws(InvalidRequest) {
    guard let url = URL(string: text) else { throw InvalidRequest("the URL cannot be read") }
    self.url = url
    self.text = text
    self.origin = origin
    pathRange = origin.text.utf8.count..<pathEnd
  }

  var path: String {
    let bytes = text.utf8
    let start = bytes.index(bytes.startIndex, offsetBy: pathRange.lowerBound)
    return String(text[start..<bytes.index(start, offsetBy: pathRange.count)])
  }

  /// What follows the path's question mark.
  var query: String? {
    let rest = text.utf8.dropFirst(pathRange.upperBound)
    return rest.isEmpty ? nil : String(rest.dropFirst())
  }

  /// This location as a reference, to resolve others against.
  var reference: URLReference {
    URLReference(
      scheme: origin.scheme,
      authority: URLReference.Authority(userInfo: nil, host: origin.host, port: origin.port),
      path: path, query: query)
  }
}

/// A request that is refused before anything is sent; says what is wrong, never the value.
package struct InvalidRequest: Error, Equatable {
  let reason: String

  init(_ reason: String) { self.reason = reason }
}
