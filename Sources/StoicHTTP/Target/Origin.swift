/// Scheme, host and effective port: what credentials are bound to (RFC 6454, section 4).
///
/// Stricter than what shares a server's state: `h.` with a trailing dot is another origin than `h`.
struct Origin: Hashable {
  let scheme: String
  let host: String
  let port: Int

  /// The origin of an absolute `http` or `https` reference; nil of any other.
  init?(_ reference: URLReference) {
    guard let scheme = reference.scheme, let authority = reference.authority, !authority.host.isEmpty,
      let standard = Self.standardPorts[scheme]
    else { return nil }
    self.scheme = scheme
    host = authority.host
    port = authority.port ?? standard
  }

  /// The port that a scheme implies.
  static let standardPorts = ["http": 80, "https": 443]

  /// Host and port as they stand in a `Host` field: without the port that the scheme implies.
  var authority: String {
    port == Self.standardPorts[scheme] ? host : "\(host):\(port)"
  }
}
