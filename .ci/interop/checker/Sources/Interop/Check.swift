/// One claim about the client, and how it is seen whether it holds.
struct Check: Sendable {
  /// What a check cannot do without.
  enum Need: String {
    case nginx, httpbin, tls
    /// A transport that trusts the private authority.
    case trust
  }

  let name: String
  let needs: [Need]
  let body: @Sendable (Probe) async throws -> Void

  init(_ name: String, needs: [Need], _ body: @escaping @Sendable (Probe) async throws -> Void) {
    self.name = name
    self.needs = needs
    self.body = body
  }

  static var all: [Check] {
    nginxFiles + nginxConnections + nginxCompression + nginxRequests + nginxRefusals + nginxLimits
      + nginxRedirects + nginxTLS + nginxTrust + nginxRestart + httpbinStatuses + httpbinBodies
      + httpbinEncodings
      + httpbinRedirects + httpbinTime + httpbinConditions + httpbinAccess
  }
}

/// A check's expectation that does not hold.
struct Mismatch: Error, CustomStringConvertible {
  let description: String
}
