import Foundation

extension URLError.Code {
  /// The code as a few words for people; an unlisted one is a "transport failure".
  var words: String {
    Self.wordsByCode[self] ?? "transport failure"
  }

  private static let wordsByCode: [URLError.Code: String] = [
    .appTransportSecurityRequiresSecureConnection: "a secure connection is required",
    .badServerResponse: "bad server response",
    .badURL: "bad URL",
    .callIsActive: "a phone call is active",
    .cancelled: "the transport cancelled the exchange",
    .cannotConnectToHost: "cannot connect to the host",
    .cannotDecodeContentData: "cannot decompress the body",
    .cannotDecodeRawData: "cannot decompress the body",
    .cannotFindHost: "cannot find the host",
    .cannotParseResponse: "cannot parse the response",
    .clientCertificateRejected: "client certificate rejected",
    .clientCertificateRequired: "client certificate required",
    .dataLengthExceedsMaximum: "data too long",
    .dataNotAllowed: "no data connection is allowed",
    .dnsLookupFailed: "DNS look-up failed",
    .httpTooManyRedirects: "too many redirects",
    .internationalRoamingOff: "roaming is off",
    .networkConnectionLost: "connection lost",
    .notConnectedToInternet: "not connected to the internet",
    .resourceUnavailable: "resource unavailable",
    .secureConnectionFailed: "secure connection failed",
    .serverCertificateHasBadDate: "server certificate expired",
    .serverCertificateHasUnknownRoot: "server certificate of an unknown root",
    .serverCertificateNotYetValid: "server certificate not yet valid",
    .serverCertificateUntrusted: "server certificate not trusted",
    .timedOut: "timed out",
    .unknown: "unknown failure",
    .unsupportedURL: "unsupported URL",
    .userAuthenticationRequired: "authentication required",
    .userCancelledAuthentication: "authentication cancelled",
  ]
}
