import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
  /// The platform's form of a request.
  ///
  /// - Throws: ``TransportError`` for a request that the platform would change, cut or send in another protocol without
  ///   saying so.
  init(sending request: TransportRequest) throws(TransportError) {
    let url = request.url
    guard ["http", "https"].contains(url.scheme) else { throw .refused(.unsupportedURL) }
    // A user name would go out as a credential, and dot segments would be resolved.
    let segments = url.path(percentEncoded: true).split(separator: "/")
    guard url.user(percentEncoded: true) == nil, !segments.contains("."), !segments.contains("..") else {
      throw .refused(.badURL)
    }
    self.init(url: url)
    httpMethod = request.method.name
    // `get` would go out as `GET`.
    guard request.method.name.isToken, httpMethod == request.method.name else {
      throw .refused(.unsupportedURL)
    }
    try setBody(request.body, of: request.method)
    try setFields(request.headers)
    httpShouldHandleCookies = false
  }

  private mutating func setBody(_ body: [UInt8], of method: HTTPMethod) throws(TransportError) {
    guard !body.isEmpty else { return }
    guard method != .get, method != .head else { throw .refused(.dataLengthExceedsMaximum) }
    httpBody = Data(body)
  }

  private mutating func setFields(_ headers: HTTPHeaders) throws(TransportError) {
    for field in headers {
      // A line end in a name would begin another field; a value with one would be left out.
      guard field.name.isToken, !field.value.unicodeScalars.contains(where: { $0.isControl && $0 != "\t" })
      else { throw .refused(.badURL) }
      // The platform sends a wrong length as it is, and what is left of the body is read as the next request.
      guard !HTTPHeaders.refused.contains(where: { $0.isSameFieldName(as: field.name) }) else {
        throw .refused(.badURL)
      }
      guard value(forHTTPHeaderField: field.name) == nil else { continue }
      // One field of a name is all that the platform can send.
      let separator = field.name.isSameFieldName(as: "Cookie") ? "; " : ", "
      let values = headers.values(for: field.name).map(\.trimmingBlanks)
      setValue(values.joined(separator: separator), forHTTPHeaderField: field.name)
    }
    #if canImport(FoundationNetworking)
    // The platform adds the language of the process's locale, and to a POST's body the type of a form, unless there is
    // a field; and it leaves out a field of a single blank.
    for name in ["Accept-Language", "Content-Type"] where !headers.contains(name) {
      setValue(" ", forHTTPHeaderField: name)
    }
    #endif
  }
}

extension TransportError {
  /// The error of a request that was not sent.
  fileprivate static func refused(_ code: URLError.Code) -> TransportError {
    TransportError(code: code, mayHaveActed: false)
  }
}
