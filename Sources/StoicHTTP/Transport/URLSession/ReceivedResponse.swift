import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What has come of a response so far, within its limit.
///
/// Pure. A step returns how the exchange ends where it settles that before the response's own end.
struct ReceivedResponse {
  private let url: URL
  private let method: HTTPMethod
  private let limit: Int
  private var head: HTTPURLResponse?
  private var body: [UInt8] = []

  /// The most that is set aside on the word of a `Content-Length`.
  private static let trustedLength = 1 << 20

  init(to request: TransportRequest, limit: Int) {
    url = request.url
    method = request.method
    self.limit = max(0, limit)
  }

  /// Takes a head; interim ones are dropped.
  mutating func begin(_ head: HTTPURLResponse) -> Result<HTTPResponse, TransportError>? {
    guard head.statusCode >= 200 else { return nil }
    self.head = head
    let headers = HTTPHeaders(head)
    // A chunked body has no announced length, and what a coding makes of the length cannot be told.
    guard !isBodiless, !headers.contains("Transfer-Encoding"), !headers.contains("Content-Encoding") else {
      return nil
    }
    switch ContentLength(headers["Content-Length"]) {
    case .unstated: return nil
    case .invalid: return .failure(TransportError(.badServerResponse))
    case .bytes(let length) where length > limit: return .success(response(head, isTruncated: true))
    case .bytes(let length):
      body.reserveCapacity(min(length, Self.trustedLength))
      return nil
    }
  }

  /// Takes a piece of the body.
  mutating func append(_ data: Data) -> Result<HTTPResponse, TransportError>? {
    guard let head else { return nil }
    // A 205 has no body whatever follows it (RFC 9110, section 15.3.6); reading on would have no bound.
    if isBodiless { return .success(response(head)) }
    let room = limit - body.count
    body += data.prefix(room)
    return data.count > room ? .success(response(head, isTruncated: true)) : nil
  }

  /// The end of the response.
  ///
  /// - Parameter last: the head that the platform names at the end, for those that it does not report when they come:
  ///   redirects.
  func end(_ last: HTTPURLResponse?) -> Result<HTTPResponse, TransportError> {
    guard let head = head ?? last else { return .failure(TransportError(.badServerResponse)) }
    return .success(response(head))
  }

  /// Lets go of the body.
  mutating func discard() { body = [] }

  private var isBodiless: Bool {
    method == .head || [204, 205, 304].contains(head?.statusCode)
  }

  private func response(_ head: HTTPURLResponse, isTruncated: Bool = false) -> HTTPResponse {
    HTTPResponse(
      status: head.statusCode, headers: HTTPHeaders(head), body: body, url: url, isTruncated: isTruncated)
  }
}

extension HTTPHeaders {
  /// The fields of the platform's response, sorted by name: their order is lost there, and repeated ones are joined.
  fileprivate init(_ response: HTTPURLResponse) {
    let fields = response.allHeaderFields.compactMap { name, value in
      (name as? String).map { Field($0, "\(value)") }
    }
    self.init(fields.sorted { $0.name < $1.name })
  }
}
