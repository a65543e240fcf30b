/// Scheme, host and effective port: what credentials are bound to (RFC 6454, section 4).
///
/// Stricter than what shares a server's state: `h.` with a trailing dot is another origin than `h`.
final class Origin: Sendable {
  let scheme: String
  /// In small letters.
  let host: String
  let port: Int
  /// Host and port as they stand in a `Host` field: without the port that the scheme implies.
  let authority: String
  /// The start of every URL of the origin, such as `https://h:8443`.
  let text: String
  /// What shares a server's state with this origin.
  let hostKey: HostKey

  /// The origin of an absolute `http` or `https` reference; nil of any other.
  init?(_ reference: URLReference) {
    guard let scheme = reference.scheme, let authority = reference.authority, !authority.host.isEmpty,
      let standard = Self.standardPorts[scheme]
    else { return nil }
    self.scheme = scheme
    host = authority.host
    port = authority.port ?? standard
    self.authority = port == standard ? host : "\(host):\(port)"
    text = "\(scheme)://\(self.authority)"
    hostKey = HostKey(scheme: scheme, host: host, port: port)
  }

  /// The port that a scheme implies.
  static let standardPorts = ["http": 80, "https": 443]
}

extension Origin: Equatable {
  static func == (left: Origin, right: Origin) -> Bool {
    left === right || left.text == right.text
  }
}
