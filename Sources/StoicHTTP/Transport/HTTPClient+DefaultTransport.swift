public import Foundation

extension HTTPClient {
  /// Makes a client over the platform's own transport, which all such clients share.
  ///
  /// On Linux that is a ``CurlTransport``, since a server can end a process that uses the URL loading system there;
  /// elsewhere it is a ``URLSessionTransport``. It is made by the first
  /// request at the latest and kept for as long as the process runs; libcurl is looked for when the client is made.
  ///
  /// Where no libcurl can be loaded on Linux, every call fails with ``HTTPError/invalidRequest(_:)``, which says why. No other
  /// transport takes its place unasked: name a ``URLSessionTransport`` to have that one.
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
    #if os(Linux)
    do throws(CurlTransport.Unavailable) { _ = try CurlLibrary.loaded.get() } catch {
      self.init(
        base: .failure(InvalidRequest("\(error)")), transport: SharedCurlTransport.instance, policy: policy,
        headers: headers, label: label)
      return
    }
    let transport: any HTTPTransport = SharedCurlTransport.instance
    #else
    let transport: any HTTPTransport = URLSessionTransport.shared
    #endif
    self.init(base: base, transport: transport, policy: policy, headers: headers, label: label)
  }
}

#if !os(Linux)
extension URLSessionTransport {
  fileprivate static let shared = URLSessionTransport()
}
#endif
