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
    switch announcedLength(in: headers, of: head) {
    case .unstated: return nil
    case .invalid: return .failure(TransportError(.badServerResponse))
    // What a coding makes of the length cannot be told.
    case .bytes where headers.contains("Content-Encoding"): return nil
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
    if isBodiless(head) { return .success(response(head)) }
    let room = limit - body.count
    body += data.prefix(room)
    return data.count > room ? .success(response(head, isTruncated: true)) : nil
  }

  /// The end of the response.
  ///
  /// - Parameter last: the head that the platform names at the end, for those that it does not report when they come:
  ///   redirects.
  func end(_ last: HTTPURLResponse?) -> Result<HTTPResponse, TransportError> {
    if let head { return .success(response(head)) }
    guard let last, announcedLength(in: HTTPHeaders(last), of: last) != .invalid else {
      return .failure(TransportError(.badServerResponse))
    }
    return .success(response(last))
  }

  /// Lets go of the body.
  mutating func discard() { body = [] }

  /// The length that a head announces; a body that there is not has none, nor has a chunked one.
  private func announcedLength(in headers: HTTPHeaders, of head: HTTPURLResponse) -> ContentLength {
    guard !isBodiless(head), !headers.contains("Transfer-Encoding") else { return .unstated }
    return ContentLength(headers["Content-Length"])
  }

  private func isBodiless(_ head: HTTPURLResponse) -> Bool {
    method == .head || [204, 205, 304].contains(head.statusCode)
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
