import StoicHTTP
import Testing

/// A transport that the tests on sockets run on, and what its platform keeps it from.
///
/// A test says what a sound transport does, and what one with a limit does instead; so a limit that is gone is seen.
struct WireTransport: Sendable, CustomTestStringConvertible {
  let testDescription: String
  private let limits: Set<Limit>
  private let make: @Sendable (_ maxConnectionsPerHost: Int) -> any HTTPTransport

  /// All of them; another one is one more element.
  #if os(Linux) || os(macOS)
  static let all: [WireTransport] = [.urlSession, .curl]

  static let curl = WireTransport(
    testDescription: "CurlTransport", limits: [],
    make: { connections in
      var configuration = CurlTransport.Configuration()
      configuration.maxConnectionsPerHost = connections
      do { return try CurlTransport(configuration) } catch { preconditionFailure("\(error)") }
    })
  #else
  static let all: [WireTransport] = [.urlSession]
  #endif

  static let urlSession = WireTransport(
    testDescription: "URLSessionTransport", limits: urlSessionLimits,
    make: { URLSessionTransport(maxConnectionsPerHost: $0) })

  #if canImport(FoundationNetworking)
  private static let urlSessionLimits = Set(Limit.allCases)
  #else
  private static let urlSessionLimits: Set<Limit> = [
    .respellsMethods, .resolvesDotSegments, .joinsRequestFields, .joinsResponseFields, .repeatsSafeRequests,
    .suspectsFailedTLS, .addsFields, .needsOwnConnections,
  ]
  #endif

  /// What a platform does that a transport on it cannot mend.
  ///
  /// Each is a row of the limits in design/05.
  enum Limit: CaseIterable {
    /// `get` would go out as `GET`, so it is refused.
    case respellsMethods
    /// `/a/../b` would go out as `/b`, so it is refused.
    case resolvesDotSegments
    /// Repeated request fields go out as one.
    case joinsRequestFields
    /// Repeated response fields arrive as one.
    case joinsResponseFields
    /// A request that may be repeated is sent again when a connection that was used before turns out to be dead.
    case repeatsSafeRequests
    /// A packed body that is cut inside an intact framing passes for a short one.
    case passesCutGzip
    /// A field without a space after its colon makes the response a failure.
    case refusesTightFields
    /// A failed secure connection counts as one that may have brought the request.
    case suspectsFailedTLS
    /// `Accept`, `Connection` and `User-Agent` go out although nobody asked for them.
    case addsFields
    /// Only a connection of its own keeps a request from being sent again.
    case needsOwnConnections
    /// Fields whose names differ in case arrive in any order.
    case losesOrder
  }

  /// A transport of its own for a test.
  func callAsFunction(maxConnectionsPerHost: Int = 128) -> any HTTPTransport { make(maxConnectionsPerHost) }

  /// Whether its platform does that.
  func has(_ limit: Limit) -> Bool { limits.contains(limit) }

  /// Every transport with every element of both.
  static func each<A, B>(_ first: some Collection<A>, _ second: some Collection<B>) -> [(WireTransport, A, B)]
  {
    all.flatMap { wire in first.flatMap { first in second.map { (wire, first, $0) } } }
  }

  /// Every transport with every pair.
  static func each<A, B>(_ pairs: some Collection<(A, B)>) -> [(WireTransport, A, B)] {
    all.flatMap { wire in pairs.map { (wire, $0, $1) } }
  }
}
