/// One claim about the client, and how it is seen whether it holds.
struct Check: Sendable {
  /// What a check cannot do without.
  enum Need: String {
    case nginx, httpbin, http2, raw, tls
    /// A transport that trusts the private authority.
    case trust
    /// The private authority in the machine's list.
    case list
  }

  let name: String
  let needs: [Need]
  /// The one transport that it is about; nil for all.
  let only: Transport?
  let body: @Sendable (Probe) async throws -> Void

  init(
    _ name: String, needs: [Need], only: Transport? = nil,
    _ body: @escaping @Sendable (Probe) async throws -> Void
  ) {
    self.name = name
    self.needs = needs
    self.only = only
    self.body = body
  }

  static var all: [Check] {
    nginxFiles + nginxConnections + nginxCompression + nginxRequests + nginxRefusals + nginxLimits
      + nginxRedirects + nginxTLS + nginxTrust + nginxRestart + httpbinStatuses + httpbinBodies
      + httpbinEncodings + curlTLS + curlHTTP2 + curlLosses + rawResponses + rawCodings + rawBounds
      + rawLosses + rawNoise
      + httpbinRedirects + httpbinTime + httpbinConditions + httpbinAccess
  }
}

/// A check's expectation that does not hold.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}
