import Foundation

/// Where one exchange goes: an absolute `http` or `https` URL, normalised, without user info and fragment.
struct Location: Sendable, Equatable {
  let url: URL
  /// The URL as text.
  let text: String
  let origin: Origin
  let path: String
  let query: String?

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
    self.origin = origin
    path = reference.path.isEmpty ? "/" : reference.path
    query = reference.query
    text = "\(origin.scheme)://\(origin.authority)\(path)" + (query.map { "?\($0)" } ?? "")
    guard let url = URL(string: text) else { throw InvalidRequest("the URL cannot be read") }
    self.url = url
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
