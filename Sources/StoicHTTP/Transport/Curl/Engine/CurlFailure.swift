package import Foundation

/// A transfer that libcurl gave up, and what that means.
package struct CurlFailure {
  /// The code as libcurl counts them.
  let code: Int32
  /// What libcurl says of it, in English always.
  let text: String
  /// Whether the request was handed to a connection.
  let isSent: Bool
  /// What the system said last; only to be trusted of a connection that could not be made.
  let systemError: Int

  package init(code: Int32, text: String, isSent: Bool, systemError: Int) {
    self.code = code
    self.text = text
    self.isSent = isSent
    self.systemError = systemError
  }

  /// The table of libcurl's codes, told apart by whether the request was sent and, where one code has several meanings,
  /// by the text.
  package var meaning: URLError.Code {
    switch code {
    case 1: isSent ? .badServerResponse : .unsupportedURL
    case 3: .badURL
    case 5, 6: .cannotFindHost
    case 7: systemError == Self.networkUnreachable ? .notConnectedToInternet : .cannotConnectToHost
    case 97: .cannotConnectToHost
    case 8: .badServerResponse
    case 27, 100: isSent ? .badServerResponse : .dataLengthExceedsMaximum
    // A header line that goes on with none; before sending it would be a mistake of ours.
    case 43: isSent ? .badServerResponse : .unknown
    case 28: .timedOut
    case 61: .cannotDecodeContentData
    case 35, 77, 83: .secureConnectionFailed
    case 51, 60, 91: distrust
    case 58, 59: .clientCertificateRejected
    case 52, 55, 56: connectionFailure
    case 16, 18, 65, 92, 95: .networkConnectionLost
    default: .unknown
    }
  }

  /// Whether a code may mean that a request or a response has more in its head than libcurl takes.
  static func isTooLong(_ code: Int32) -> Bool { code == 27 || code == 100 }

  /// A certificate that did not convince; when it is a matter of time, another one is on its way.
  private var distrust: URLError.Code {
    if text.contains("expired") { return .serverCertificateHasBadDate }
    return text.contains("not yet valid") ? .serverCertificateNotYetValid : .serverCertificateUntrusted
  }

  /// A connection that failed in use, or what failed on the way to one through a proxy.
  private var connectionFailure: URLError.Code {
    if text.contains("chunk") || text.contains("Too large response headers") { return .badServerResponse }
    // The server's verdict on the client comes after the client is through with the handshake.
    if text.contains("alert certificate required") { return .clientCertificateRequired }
    if text.contains("certificate") && text.contains("alert") { return .clientCertificateRejected }
    return isSent ? .networkConnectionLost : .cannotConnectToHost
  }

  private static let networkUnreachable = Int(POSIXErrorCode.ENETUNREACH.rawValue)
}
