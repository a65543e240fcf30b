#if os(Linux) || os(macOS)
import CCurl

extension EasyHandle {
  /// Sets everything for an exchange; false when memory has run out.
  func prepare(for transfer: CurlTransfer, _ settings: CurlSettings) -> Bool {
    let message = transfer.call.message
    attach(transfer, asksBeforeSending: settings.library.asksBeforeSending)
    set(STOIC_CURLOPT_URL, message.url)
    set(STOIC_CURLOPT_NOSIGNAL, 1)
    set(STOIC_CURLOPT_PATH_AS_IS, 1)
    set(STOIC_CURLOPT_HTTP09_ALLOWED, 0)
    set(STOIC_CURLOPT_HTTP_CONTENT_DECODING, 0)
    set(STOIC_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(STOIC_CURLOPT_CONNECTTIMEOUT_MS, settings.connectMilliseconds)
    set(STOIC_CURLOPT_MAXAGE_CONN, settings.idleSeconds)
    if settings.library.namesProtocols {
      set(STOIC_CURLOPT_PROTOCOLS_STR, "http,https")
    } else {
      set(STOIC_CURLOPT_PROTOCOLS, 0b11)
    }
    if settings.library.leavesLookUps { set(STOIC_CURLOPT_QUICK_EXIT, 1) }
    // Without being asked before it is sent, a request is safe only on a connection that was never used.
    if !settings.library.asksBeforeSending || transfer.needsFreshConnection {
      set(STOIC_CURLOPT_FRESH_CONNECT, 1)
    }
    setProxy(settings.proxy, isSecure: message.isSecure)
    setVersion(for: transfer, settings)
    if message.isSecure { setSecurity(settings) }
    setMethod(message)
    return setFields(message.lines)
  }

  private func setProxy(_ proxy: ResolvedProxy, isSecure: Bool) {
    // An empty text keeps libcurl from looking into the environment.
    set(STOIC_CURLOPT_PROXY, isSecure ? proxy.https : proxy.http)
    set(STOIC_CURLOPT_NOPROXY, proxy.exceptions)
  }

  /// HTTP/2 only where it suits: a stream that is held up there makes its neighbours use memory.
  private func setVersion(for transfer: CurlTransfer, _ settings: CurlSettings) {
    let message = transfer.call.message
    guard settings.http2, message.suitsHTTP2, case .whole = transfer.call.delivery else {
      return set(STOIC_CURLOPT_HTTP_VERSION, Int(STOIC_CURL_HTTP_VERSION_1_1))
    }
    set(STOIC_CURLOPT_HTTP_VERSION, Int(STOIC_CURL_HTTP_VERSION_2TLS))
    // Whoever comes while a connection is being made waits to share it.
    set(STOIC_CURLOPT_PIPEWAIT, 1)
  }

  private func setSecurity(_ settings: CurlSettings) {
    set(STOIC_CURLOPT_SSLVERSION, Int(STOIC_CURL_SSLVERSION_TLSv1_2))
    if let file = settings.caFile {
      // The folder of the system's certificates would be trusted beside the file.
      set(STOIC_CURLOPT_CAINFO, file)
      set(STOIC_CURLOPT_CAPATH, nil)
    }
    if let certificate = settings.clientCertificate {
      set(STOIC_CURLOPT_SSLCERT, certificate.certificateFile)
      set(STOIC_CURLOPT_SSLKEY, certificate.keyFile)
      if let password = certificate.password { set(STOIC_CURLOPT_KEYPASSWD, password) }
    }
  }

  private func setMethod(_ message: CurlMessage) {
    if message.method == "HEAD" { return set(STOIC_CURLOPT_NOBODY, 1) }
    // Methods that say something with a body have a length even without one.
    if !message.body.isEmpty || ["POST", "PUT", "PATCH", "QUERY"].contains(message.method) {
      set(STOIC_CURLOPT_POST, 1)
      setBodySize(message.body.count)
    } else {
      set(STOIC_CURLOPT_HTTPGET, 1)
    }
    if message.method != "GET" { set(STOIC_CURLOPT_CUSTOMREQUEST, message.method) }
  }

  /// Whether the response came over HTTP/2.
  var spokeHTTP2: Bool { number(STOIC_CURLINFO_HTTP_VERSION) == Int(STOIC_CURL_HTTP_VERSION_2_0) }
  /// How many connections the exchange has opened.
  var connections: Int { number(STOIC_CURLINFO_NUM_CONNECTS) }
  /// What the system said last; of this exchange only where connecting failed.
  var systemError: Int { number(STOIC_CURLINFO_OS_ERRNO) }
  /// How many bytes of requests were written, those of one to a proxy included.
  var written: Int { number(STOIC_CURLINFO_REQUEST_SIZE) }
}
#endif
