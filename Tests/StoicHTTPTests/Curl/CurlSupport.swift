#if os(Linux) || os(macOS)
import Foundation
import StoicHTTP
import StoicLocalServer

extension CurlTransport {
  /// One exchange with a limit that is out of the way.
  func send(_ request: TransportRequest) async throws -> HTTPResponse {
    try await send(request, maxResponseBytes: 10_000_000)
  }
}

extension LocalServer {
  /// A server that answers everything with these bytes, a bar for each line end, and then closes.
  static func start(raw text: String) async throws -> LocalServer {
    try await start { _ in .raw(lines: text) }
  }
}
#endif
