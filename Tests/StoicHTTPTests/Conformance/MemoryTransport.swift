import Foundation
import Stoic
import StoicHTTP

/// A transport without a network: it hands requests to a far end and keeps every rule.
struct MemoryTransport: HTTPTransport {
  let farEnd: TransportConformance.FarEnd
  var enforcesTimeout = true
  /// Whether a body that was cut is taken for a whole one.
  var trustsCuts = false

  func send(_ request: TransportRequest, maxResponseBytes limit: Int) async throws -> HTTPResponse {
    try Task.checkCancellation()
    guard enforcesTimeout, let timeout = request.timeout else { return try await exchange(request, limit) }
    do {
      return try await racing(until: Ambient.clock.now.advanced(by: timeout)) {
        try await exchange(request, limit)
      }
    } catch is Rejection { throw TransportError(.timedOut) }
  }

  private func exchange(_ request: TransportRequest, _ limit: Int) async throws -> HTTPResponse {
    let answer = await farEnd.answer(TransportConformance.Arrival(request))
    try Task.checkCancellation()
    guard case .response(let response) = answer else { throw TransportError(.networkConnectionLost) }
    let isBodiless = request.method == .head || [204, 205, 304].contains(response.status)
    let isOver = !isBodiless && (response.body.count > limit || response.declaredLength ?? 0 > limit)
    let isWhole = isBodiless || isOver || response.ending == .whole || trustsCuts && response.ending == .cut
    if !isWhole, response.ending == .stalled { try await Ambient.sleep(until: .distantFuture) }
    guard isWhole else { throw TransportError(.networkConnectionLost) }
    return HTTPResponse(
      status: response.status, headers: response.headers,
      body: isBodiless ? [] : Array(response.body.prefix(limit)), url: request.url, isTruncated: isOver)
  }
}

extension TransportConformance.Arrival {
  /// A request as a server would read it.
  init(_ request: TransportRequest) {
    let text = request.url.absoluteString
    let target = text.components(separatedBy: "://").last.map { $0.drop { $0 != "/" } } ?? ""
    self.init(
      method: request.method.name, target: String(target), headers: request.headers, body: request.body)
  }
}

extension TransportConformance.Response {
  /// The length that a `Content-Length` declares; nil without one.
  var declaredLength: Int? {
    guard case .declared(let length) = length else { return nil }
    return length
  }
}

extension HTTPResponse {
  /// This response, changed.
  func with(
    status: Int? = nil, headers: HTTPHeaders? = nil, body: [UInt8]? = nil, isTruncated: Bool? = nil
  ) -> HTTPResponse {
    HTTPResponse(
      status: status ?? self.status, headers: headers ?? self.headers, body: body ?? self.body, url: url,
      isTruncated: isTruncated ?? self.isTruncated)
  }
}

extension TransportRequest {
  /// This request, changed.
  func with(
    method: HTTPMethod? = nil, url: URL? = nil, headers: HTTPHeaders? = nil, body: [UInt8]? = nil,
    timeout: Duration?? = nil
  ) -> TransportRequest {
    TransportRequest(
      method: method ?? self.method, url: url ?? self.url, headers: headers ?? self.headers,
      body: body ?? self.body, timeout: timeout ?? self.timeout, mayRepeat: mayRepeat)
  }
}
