import Foundation
import StoicHTTP
import Testing

@Suite("What the platform's errors mean")
struct PlatformErrorTests {
  private func error(_ code: URLError.Code, _ text: String) -> TransportError {
    TransportError(ofPlatform: URLError(code, userInfo: [NSLocalizedDescriptionKey: text]))
  }

  #if canImport(FoundationNetworking)
  @Test(
    "Failures of the unknown kind are told apart by their text",
    arguments: [
      ("transfer closed with 95 bytes remaining to read", URLError.Code.networkConnectionLost),
      ("transfer closed with outstanding read data remaining", .networkConnectionLost),
      ("Recv failure: Connection reset by peer", .networkConnectionLost),
      ("Send failure: Broken pipe", .networkConnectionLost),
      ("OpenSSL SSL_read: SSL_ERROR_SYSCALL, errno 104", .networkConnectionLost),
      ("Error while processing content unencoding: incorrect header check", .cannotDecodeContentData),
      ("Unrecognized content encoding type. libcurl understands gzip.", .cannotDecodeContentData),
      ("Failed writing received data to disk/application", .cannotDecodeContentData),
      ("Illegal or missing hexadecimal sequence in chunked-encoding", .badServerResponse),
      ("Invalid Content-Length: value", .badServerResponse),
      ("Unrecognized or bad HTTP Content or Transfer-Encoding", .cannotDecodeContentData),
      ("Reject response due to more than 5 content encodings", .cannotDecodeContentData),
      ("Failed writing header", .badServerResponse),
      ("Nul byte in header", .badServerResponse), ("Header without colon", .badServerResponse),
      ("Out of memory", .badServerResponse),
      ("Too large response headers: 307204 > 307200", .badServerResponse),
      ("OpenSSL/3.0.19: error:0A00010B:SSL routines::wrong version number", .secureConnectionFailed),
      (
        "OpenSSL SSL_read: error:0A00045C:SSL routines::tlsv13 alert certificate required",
        .secureConnectionFailed
      ),
      ("SSL certificate problem: self-signed certificate", .serverCertificateUntrusted),
      ("SSL certificate problem: certificate has expired", .serverCertificateHasBadDate),
      ("SSL certificate problem: certificate is not yet valid", .serverCertificateNotYetValid),
      (
        "SSL: no alternative certificate subject name matches target host name 'a'",
        .serverCertificateUntrusted
      ),
      ("something else", .unknown),
    ])
  func unknown(_ text: String, _ code: URLError.Code) {
    #expect(error(.unknown, text) == TransportError(code: code, mayHaveActed: true))
  }

  @Test("A refused connection is believed only when connecting failed")
  func refused() {
    let refused = error(
      .cannotConnectToHost, "Failed to connect to a port 80 after 0 ms: Couldn't connect to server")
    #expect(refused == TransportError(code: .cannotConnectToHost, mayHaveActed: false))
    // The host's first address refused, the second took the request.
    for text in ["Empty reply from server", "transfer closed with 95 bytes remaining to read"] {
      let lost = error(.cannotConnectToHost, text)
      #expect(lost == TransportError(code: .networkConnectionLost, mayHaveActed: true))
    }
  }

  @Test("An unreachable network is a failed connection, and nothing was sent")
  func unreachable() {
    let error = error(.unknown, "Failed to connect to a port 80 after 0 ms: Couldn't connect to server")
    #expect(error == TransportError(code: .cannotConnectToHost, mayHaveActed: false))
  }

  @Test(
    "A reply that is no HTTP was a reply: the server may have acted",
    arguments: [
      "Received HTTP/0.9 when not allowed", "Unsupported response code in HTTP response",
      "Unsupported HTTP version in response",
    ])
  func noHTTP(_ text: String) {
    #expect(error(.unsupportedURL, text) == TransportError(code: .badServerResponse, mayHaveActed: true))
  }

  @Test("A protocol that the platform was built without was not spoken")
  func unsupported() {
    let error = error(.unsupportedURL, "Protocol \"https\" not supported or disabled in libcurl")
    #expect(error == TransportError(code: .unsupportedURL, mayHaveActed: false))
  }

  @Test("An empty reply is a lost connection")
  func empty() {
    let error = error(.badServerResponse, "Empty reply from server")
    #expect(error == TransportError(code: .networkConnectionLost, mayHaveActed: true))
  }
  #endif

  @Test(
    "Other codes stand, and only a host that is not found tells that nothing was sent",
    arguments: [
      (URLError.Code.cannotFindHost, false), (.timedOut, true), (.networkConnectionLost, true),
      (.cancelled, true),
    ])
  func others(_ code: URLError.Code, mayHaveActed: Bool) {
    #expect(error(code, "any") == TransportError(code: code, mayHaveActed: mayHaveActed))
  }

  @Test("An error of another kind is unknown")
  func foreign() {
    #expect(
      TransportError(ofPlatform: CancellationError()) == TransportError(code: .unknown, mayHaveActed: true))
  }
}
