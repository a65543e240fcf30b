#if os(Linux) || os(macOS)
import Foundation

/// A request as libcurl takes it: checked, and its header section in lines.
struct CurlMessage: Sendable {
  let method: String
  let url: String
  let isSecure: Bool
  /// Host and port as the URL has them.
  let origin: String
  /// The path, for those who read.
  var path: String { URLReference(url)?.path ?? "" }
  /// A line for each field; those with an empty value or none end in `;` or `:`, as libcurl wants them.
  let lines: [String]
  let body: [UInt8]
  /// Whether it may go over HTTP/2: there a server refuses requests now and then for reasons of the connection's, and
  /// only one that changes nothing and has no body may be sent again for it.
  let suitsHTTP2: Bool

  /// - Throws: ``TransportError`` for a request that cannot be sent as it is.
  init(_ request: TransportRequest) throws(TransportError) {
    let text = request.url.absoluteString
    // By hand: the parts of a `URL` cost more than everything else here.
    isSecure = text.hasPrefix("https://")
    guard isSecure || text.hasPrefix("http://") else { throw .unsent(.unsupportedURL) }
    let rest = text.utf8.dropFirst(isSecure ? 8 : 7)
    let authority = rest.prefix {
      $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
    }
    // A user name would go out as a credential, and what is no visible ASCII could end the request's line.
    guard let first = authority.first, first != UInt8(ascii: ":"), !authority.contains(UInt8(ascii: "@")),
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .unsent(.badURL) }
    origin = String(Substring(authority))
    guard request.method.name.isToken else { throw .unsent(.unsupportedURL) }
    if !request.body.isEmpty, request.method == .get || request.method == .head {
      throw .unsent(.dataLengthExceedsMaximum)
    }
    method = request.method.name
    url = text
    body = request.body
    suitsHTTP2 =
      isSecure && request.mayRepeat && body.isEmpty && [.get, .head, .options].contains(request.method)
    lines = try Self.lines(request.headers)
  }

  private static func lines(_ headers: HTTPHeaders) throws(TransportError) -> [String] {
    var lines: [String] = []
    lines.reserveCapacity(headers.count + 4)
    for field in headers {
      guard field.name.isToken,
        !field.value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }),
        !HTTPHeaders.refused.contains(where: { $0.isSameFieldName(as: field.name) })
      else { throw .unsent(.badURL) }
      let value = field.value.trimmingBlanks
      lines.append(value.isEmpty ? "\(field.name);" : "\(field.name): \(value)")
    }
    // A name without a value keeps libcurl's own field out.
    lines.append("Expect:")
    if !headers.contains("Accept") { lines.append("Accept:") }
    if !headers.contains("Content-Type") { lines.append("Content-Type:") }
    if !headers.contains("Accept-Encoding") {
      // A range of what is packed (RFC 9110, section 14.1.2) cannot be unpacked.
      let canUnpack = Inflater.isAvailable && !headers.contains("Range")
      lines.append("Accept-Encoding: \(canUnpack ? "gzip, deflate" : "identity")")
    }
    return lines
  }
}

extension CurlMessage: CustomStringConvertible, CustomReflectable {
  /// The method and where to, without query, fields and body.
  var description: String { "\(method) \(origin)\(path)" }

  /// The same as ``description``.
  var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

extension TransportError {
  /// The error of a request of which nothing was sent.
  static func unsent(_ code: URLError.Code) -> TransportError {
    TransportError(code: code, mayHaveActed: false)
  }
}
#endif
