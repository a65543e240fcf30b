#if os(Linux)
import Foundation
import Stoic

/// The transport of everybody who does not need one of their own.
///
/// Its thread starts with the first exchange and ends with the process.
final class SharedCurlTransport: HTTPTransport {
  static let instance = SharedCurlTransport()

  private let transport = Lock<CurlTransport?>(nil)

  var enforcesTimeout: Bool { true }

  func send(_ request: TransportRequest, maxResponseBytes: Int) async throws -> HTTPResponse {
    let transport: CurlTransport
    do throws(CurlTransport.Unavailable) { transport = try made() } catch {
      // The library was there, so this is a thread or a descriptor that the system may have again later.
      throw TransportError.unsent(.resourceUnavailable)
    }
    return try await transport.send(request, maxResponseBytes: maxResponseBytes)
  }

  private func made() throws(CurlTransport.Unavailable) -> CurlTransport {
    try transport.withLock { transport throws(CurlTransport.Unavailable) in
      if let transport { return transport }
      let made = try CurlTransport()
      transport = made
      return made
    }
  }
}
#endif
