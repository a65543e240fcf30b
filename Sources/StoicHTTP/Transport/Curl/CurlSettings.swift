#if os(Linux) || os(macOS)
import Foundation

/// A configuration made ready: checked, bounded, and with what the environment said.
struct CurlSettings: Sendable {
  let library: CurlLibrary
  let threads: Int
  let http2: Bool
  let connectionsPerHost: Int
  let idleConnections: Int
  let idleTimeout: Duration
  let idleSeconds: Int
  let connectMilliseconds: Int
  let headerLimit: Int
  let proxy: ResolvedProxy
  let caFile: String?
  let clientCertificate: CurlTransport.ClientCertificate?

  /// The longest time and the largest number that libcurl is asked for.
  private static let most = Int(Int32.max / 1_000)

  init(
    _ configuration: CurlTransport.Configuration, _ library: CurlLibrary,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    self.library = library
    threads = min(max(1, configuration.threads), 64)
    http2 = configuration.http2
    connectionsPerHost = min(max(1, configuration.maxConnectionsPerHost), Self.most)
    idleConnections = min(max(1, configuration.maxIdleConnections), Self.most)
    idleTimeout = min(max(.zero, configuration.idleTimeout), .seconds(Self.most))
    // libcurl counts in seconds, and takes 0 for its own default.
    idleSeconds = max(1, Int(idleTimeout.components.seconds))
    connectMilliseconds = Self.milliseconds(
      min(max(.zero, configuration.connectTimeout), .seconds(Self.most)))
    headerLimit = max(0, configuration.maxHeaderBytes)
    proxy = ResolvedProxy(configuration.proxy, environment: environment)
    caFile = configuration.caFile
    clientCertificate = configuration.clientCertificate
  }

  /// At least one: libcurl takes 0 for its own default.
  private static func milliseconds(_ time: Duration) -> Int {
    let (seconds, attoseconds) = time.components
    return max(1, Int(seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
  }
}
#endif
