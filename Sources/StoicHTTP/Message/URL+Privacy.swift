import Foundation

extension URL {
  /// This URL for people to read: scheme, authority and path; no user info, query or fragment.
  var withoutSecrets: String {
    guard let reference = URLReference(absoluteString) else { return "<unreadable URL>" }
    let scheme = reference.scheme.map { "\($0)://" } ?? ""
    return scheme + (reference.authority?.hostAndPort ?? "") + reference.path
  }
}
