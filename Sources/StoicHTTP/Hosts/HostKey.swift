/// Which server a request goes to, for the state that all requests to it share.
///
/// A trailing dot makes no other server, though it makes another ``Origin``.
struct HostKey: Hashable {
  let scheme: String
  let host: String
  let port: Int

  init(_ origin: Origin) {
    scheme = origin.scheme
    // In small letters already.
    host = origin.host.utf8.last == UInt8(ascii: ".") ? String(origin.host.dropLast()) : origin.host
    port = origin.port
  }
}
