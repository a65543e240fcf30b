/// Which server a request goes to, for the state that all requests to it share.
///
/// A trailing dot makes no other server, though it makes another ``Origin``.
struct HostKey: Hashable {
  private let scheme: String
  private let host: String
  private let port: Int

  /// - Parameter host: in small letters.
  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme
    self.host = host.utf8.last == UInt8(ascii: ".") ? String(host.dropLast()) : host
    self.port = port
  }

  /// Hashes the host alone: the same one under two schemes or ports is rare.
  func hash(into hasher: inout Hasher) { hasher.combine(host) }
}
