import Foundation
import StoicHTTP
import Testing

@Suite("What libcurl's codes and the environment mean")
struct CurlTableTests {
  private func meaning(_ code: Int32, _ text: String = "", isSent: Bool = true, error: Int = 0)
    -> URLError.Code
  {
    CurlFailure(code: code, text: text, isSent: isSent, systemError: error).meaning
  }

  @Test(
    "A code has one meaning, sent or not",
    arguments: [
      (3, URLError.Code.badURL), (5, .cannotFindHost), (6, .cannotFindHost), (7, .cannotConnectToHost),
      (97, .cannotConnectToHost), (8, .badServerResponse), (28, .timedOut),
      (61, .cannotDecodeContentData), (35, .secureConnectionFailed), (77, .secureConnectionFailed),
      (51, .serverCertificateUntrusted), (60, .serverCertificateUntrusted), (58, .clientCertificateRejected),
      (59, .clientCertificateRejected), (16, .networkConnectionLost), (18, .networkConnectionLost),
      (92, .networkConnectionLost), (95, .networkConnectionLost), (65, .networkConnectionLost), (2, .unknown),
      (1_000, .unknown), (-1, .unknown),
    ] as [(Int32, URLError.Code)])
  func plain(_ code: Int32, _ expected: URLError.Code) {
    #expect(meaning(code) == expected)
    #expect(meaning(code, isSent: false) == expected)
  }

  @Test("Whether the request was sent tells two meanings of one code apart")
  func sent() {
    #expect(meaning(1) == .badServerResponse)
    #expect(meaning(1, isSent: false) == .unsupportedURL)
    #expect(meaning(43) == .badServerResponse)
    #expect(meaning(43, isSent: false) == .unknown)
    for code: Int32 in [27, 100] {
      #expect(meaning(code) == .badServerResponse)
      #expect(meaning(code, isSent: false) == .dataLengthExceedsMaximum)
    }
    for code: Int32 in [52, 55, 56] {
      #expect(meaning(code) == .networkConnectionLost)
      #expect(meaning(code, isSent: false) == .cannotConnectToHost)
    }
  }

  @Test("The text tells apart what went wrong in a connection")
  func text() {
    #expect(
      meaning(60, "SSL certificate problem: certificate has expired") == .serverCertificateHasBadDate)
    #expect(
      meaning(60, "SSL certificate problem: certificate is not yet valid") == .serverCertificateNotYetValid)
    #expect(
      meaning(60, "SSL certificate problem: self-signed certificate") == .serverCertificateUntrusted)
    #expect(meaning(56, "Illegal or missing hexadecimal sequence in chunked-encoding") == .badServerResponse)
    #expect(meaning(56, "Too large response headers: 307251 > 307200") == .badServerResponse)
    #expect(
      meaning(56, "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0")
        == .clientCertificateRequired)
    #expect(
      meaning(56, "OpenSSL SSL_read: error:0A000412:SSL routines::sslv3 alert bad certificate, errno 0")
        == .clientCertificateRejected)
  }

  @Test("Without a network the device is offline")
  func offline() {
    #expect(meaning(7, error: Int(POSIXErrorCode.ENETUNREACH.rawValue)) == .notConnectedToInternet)
    #expect(meaning(55, error: Int(POSIXErrorCode.ENETUNREACH.rawValue)) == .networkConnectionLost)
  }
}
