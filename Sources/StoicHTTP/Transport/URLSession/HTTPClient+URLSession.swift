public import Foundation

extension HTTPClient {
  /// Makes a client over the platform's URL loading system; all such clients share one ``URLSessionTransport``.
  ///
  /// - Parameters:
  ///   - base: the URL below which paths are requested; its query and fragment are dropped. A base that cannot be used
  ///     makes every call fail with ``HTTPError/invalidRequest(_:)``.
  ///   - policy: how the client behaves.
  ///   - headers: fields for every request to the base's origin, and to no other.
  ///   - label: the client's name in events.
  public init(
    base: URL, policy: HTTPPolicy = .standard, headers: HTTPHeaders = [:], label: String = "http"
  ) {
    self.init(
      base: base, transport: URLSessionTransport.shared, policy: policy, headers: headers, label: label)
  }
}
