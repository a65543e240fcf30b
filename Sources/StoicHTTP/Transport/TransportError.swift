public import Foundation

/// An exchange that brought no usable response.
public struct TransportError: Error, Sendable, Hashable {
  /// What went wrong, in the vocabulary of the URL loading system.
  public let code: URLError.Code
  /// Whether the server may have received the request and acted on it.
  public let mayHaveActed: Bool
  /// How many times the transport sent the request again on its own.
  package var repeats = 0

  /// Makes an error.
  public init(code: URLError.Code, mayHaveActed: Bool) {
    self.code = code
    self.mayHaveActed = mayHaveActed
  }

  /// Makes an error of a code alone: only where no connection was made can the server not have acted.
  public init(_ code: URLError.Code) {
    self.init(code: code, mayHaveActed: !Self.unsent.contains(code))
  }

  /// The failure behind any error that a transport throws.
  init(taking error: any Error) {
    switch error {
    case let error as TransportError: self = error
    case let error as URLError: self.init(error.code)
    default: self.init(.unknown)
    }
  }

  private static let unsent: Set<URLError.Code> = [
    .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
    .internationalRoamingOff, .callIsActive, .badURL, .unsupportedURL, .dataLengthExceedsMaximum,
    .appTransportSecurityRequiresSecureConnection,
  ]
}

extension TransportError: CustomStringConvertible {
  /// The code in words, and whether the server may have acted.
  public var description: String {
    "\(code.words) (\(code.rawValue)); the server \(mayHaveActed ? "may have acted" : "has not acted") on the request"
  }
}
