import Foundation

extension TransportError {
  /// What the platform's error means, and whether the server may have acted.
  ///
  /// On Linux most failures have one code, "unknown", and a code can be false: after the first of a host's
  /// addresses refused and the second took the request, whatever then fails is reported as a refused connection.
  /// The text beside the code, which is libcurl's and in English always, tells them apart.
  package init(ofPlatform error: any Error) {
    guard let error = error as? URLError else {
      self.init(.unknown)
      return
    }
    #if canImport(FoundationNetworking)
    switch error.code {
    case .unknown, .cannotConnectToHost, .badServerResponse, .unsupportedURL:
      let text = error.localizedDescription
      self.init(PlatformText.codes.first { text.contains($0.fragment) }?.code ?? .unknown)
    default:
      self.init(error.code)
    }
    #else
    self.init(error.code)
    #endif
  }
}

#if canImport(FoundationNetworking)
/// The texts of libcurl that tell failures apart.
private enum PlatformText {
  /// Pieces of texts, the more telling before the more general.
  static let codes: [(fragment: String, code: URLError.Code)] = [
    // Nothing was sent.
    ("Failed to connect to", .cannotConnectToHost),
    ("Could not resolve", .cannotFindHost),
    ("not supported or disabled", .unsupportedURL),
    // The connection ended before the response did.
    ("transfer closed with", .networkConnectionLost),
    ("Empty reply from server", .networkConnectionLost),
    ("Recv failure", .networkConnectionLost),
    ("Send failure", .networkConnectionLost),
    // The response makes no sense.
    ("content unencoding", .cannotDecodeContentData),
    ("Unrecognized content encoding", .cannotDecodeContentData),
    ("Unrecognized or bad HTTP Content", .cannotDecodeContentData),
    ("content encodings", .cannotDecodeContentData),
    ("Failed writing received data", .cannotDecodeContentData),
    ("chunked-encoding", .badServerResponse),
    ("Invalid Content-Length", .badServerResponse),
    ("HTTP/0.9", .badServerResponse),
    ("Unsupported HTTP", .badServerResponse),
    ("Unsupported response code", .badServerResponse),
    ("Failed writing header", .badServerResponse),
    ("Nul byte in header", .badServerResponse),
    ("Header without colon", .badServerResponse),
    ("Out of memory", .badServerResponse),
    ("Too large response headers", .badServerResponse),
    // TLS; an alert is the peer's refusal also where it comes while reading.
    ("alert", .secureConnectionFailed),
    ("SSL_read", .networkConnectionLost),
    ("SSL_write", .networkConnectionLost),
    ("certificate has expired", .serverCertificateHasBadDate),
    ("certificate is not yet valid", .serverCertificateNotYetValid),
    ("certificate", .serverCertificateUntrusted),
    ("SSL", .secureConnectionFailed),
  ]
}
#endif
