import Foundation

/// What a transport's code means: the failures of the host and the path count, those of the device, of the request and
/// of unknown cause do not.
///
/// | codes | retried | counted by a breaker |
/// |-|-|-|
/// | the host or the path: no such host, refused, lost, timed out, an answer that makes no sense | yes | yes |
/// | TLS and certificates | no | yes |
/// | the device: offline, no data allowed, roaming off, on a call | yes | no |
/// | everything else: the request's own faults, cancelled by the transport, unknown | no | no |
struct TransportVerdict: Equatable {
  let isRetried: Bool
  let isCounted: Bool

  init(_ code: URLError.Code) {
    isRetried = Self.path.contains(code) || Self.device.contains(code)
    isCounted = Self.path.contains(code) || Self.trust.contains(code)
  }

  private static let path: Set<URLError.Code> = [
    .timedOut, .cannotFindHost, .cannotConnectToHost, .networkConnectionLost, .dnsLookupFailed,
    .resourceUnavailable, .badServerResponse, .cannotParseResponse, .cannotDecodeContentData,
    .cannotDecodeRawData,
  ]

  private static let trust: Set<URLError.Code> = [
    .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
    .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
    .clientCertificateRequired,
  ]

  private static let device: Set<URLError.Code> = [
    .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive,
  ]
}
