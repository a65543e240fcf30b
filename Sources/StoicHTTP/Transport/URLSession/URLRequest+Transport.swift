import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLRequest {
  /// The platform's form of a request.
  ///
  /// - Throws: ``TransportError`` for a request that the platform would change, or send in another protocol, without
  ///   saying so.
  init(sending request: TransportRequest) throws(TransportError) {
    guard ["http", "https"].contains(request.url.scheme) else { throw .refused(.unsupportedURL) }
    self.init(url: request.url)
    httpMethod = request.method.name
    // `get` would go out as `GET`.
    guard httpMethod == request.method.name else { throw .refused(.unsupportedURL) }
    if !request.body.isEmpty { httpBody = Data(request.body) }
    httpShouldHandleCookies = false
    addFields(request.headers)
  }

  private mutating func addFields(_ headers: HTTPHeaders) {
    for field in headers where value(forHTTPHeaderField: field.name) == nil {
      // The platform joins repeated fields without regard to how the field is joined.
      let separator = field.name.isSameFieldName(as: "Cookie") ? "; " : ", "
      let values = headers.values(for: field.name).map { $0.trimmingBlanks }
      setValue(values.joined(separator: separator), forHTTPHeaderField: field.name)
    }
    #if canImport(FoundationNetworking)
    // The platform adds the language of the process's locale, unless there is a field; and it leaves out a field of
    // nothing but a blank.
    if !headers.contains("Accept-Language") { setValue(" ", forHTTPHeaderField: "Accept-Language") }
    #endif
  }
}

extension TransportError {
  /// The error for a request that was not sent.
  fileprivate static func refused(_ code: URLError.Code) -> TransportError {
    TransportError(code: code, mayHaveActed: false)
  }
}
