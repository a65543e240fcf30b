import Foundation
import StoicHTTP

extension TransportRequest {
  /// A request as a client makes it, to `https://h`.
  static func scripted(
    _ target: String = "/x", _ method: HTTPMethod = .get, headers: HTTPHeaders = [:], body: [UInt8] = [],
    timeout: Duration? = nil
  ) -> TransportRequest {
    TransportRequest(
      method: method, url: makeURL("https://h\(target)"), headers: headers, body: body, timeout: timeout)
  }
}

extension ScriptedTransport {
  /// A transport that answers everything by these steps.
  convenience init(_ steps: [Step], then last: Step? = nil) {
    self.init()
    on(.any, respond: steps, then: last)
  }

  /// One exchange with a limit that is out of the way.
  @discardableResult
  func send(_ request: TransportRequest) async throws -> HTTPResponse {
    try await send(request, maxResponseBytes: 10_000_000)
  }

  /// Whether nothing is in flight, and so many exchanges began and were aborted.
  func counts(_ requests: Int, aborted: Int, most: Int = 1) -> Bool {
    inFlight == 0 && self.requests.count == requests && self.aborted == aborted && maxInFlight == most
  }
}
