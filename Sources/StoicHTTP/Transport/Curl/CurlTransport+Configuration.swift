#if os(Linux) || os(macOS)
public import Foundation

extension CurlTransport {
  /// How a transport connects.
  ///
  /// A number or time that makes no sense is brought to the nearest one that does.
  public struct Configuration: Sendable {
    /// How many threads move bytes, each with connections of its own; at least 1.
    ///
    /// One is enough for some ten thousand exchanges a second.
    public var threads = 1
    /// Whether HTTP/2 is spoken with servers that offer it by TLS.
    ///
    /// Requests that must not be repeated go over HTTP/1.1 all the same.
    public var http2 = true
    /// The most connections that a thread keeps to one host, at least 1.
    ///
    /// Further exchanges wait, their timeouts running: choose it above what is let in at once, such as a policy's bulkhead.
    public var maxConnectionsPerHost = 128
    /// The most connections that a thread keeps unused, at least 1; below what is in use at once it closes and opens
    /// connections all the time.
    public var maxIdleConnections = 128
    /// How long a connection is kept unused; checked about every second while other exchanges go on.
    public var idleTimeout: Duration = .seconds(30)
    /// The time for finding a host and connecting to it, TLS included; in real time, on no ambient clock.
    public var connectTimeout: Duration = .seconds(10)
    /// The most bytes of header fields in a response, interim responses and trailers included; more of them is a bad
    /// response.
    public var maxHeaderBytes = 64 * 1024
    /// What stands between the transport and the servers.
    public var proxy = Proxy.none
    /// A file of PEM certificates to trust in place of the system's; nil for the system's.
    public var caFile: String?
    /// What the transport shows to servers that ask who it is.
    public var clientCertificate: ClientCertificate?

    /// Makes the usual configuration.
    public init() {}
  }

  /// A certificate of the client's, with its key.
  public struct ClientCertificate: Sendable {
    /// The file of the certificate in PEM, followed by those that lead to a root.
    public var certificateFile: String
    /// The file of the key in PEM; may be the same.
    public var keyFile: String
    /// What the key is encrypted with; nil when it is not.
    public var password: String?

    /// Makes a certificate of files.
    public init(certificateFile: String, keyFile: String, password: String? = nil) {
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.password = password
    }
  }

  /// Which proxy exchanges go through.
  public enum Proxy: Sendable {
    /// None, whatever the environment says.
    case none
    /// What `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` said when the transport was made; all but the first also
    /// in capital letters.
    case environment
    /// This one, except for these hosts: names, which stand for their subdomains too, and addresses; `*` is all.
    ///
    /// The scheme is `http`, `https`, `socks5h` or another one that libcurl knows; user info is shown to the proxy.
    case url(URL, except: [String] = [])
  }
}

extension CurlTransport.ClientCertificate: CustomStringConvertible, CustomReflectable {
  /// The certificate's file; nothing of the key.
  public var description: String { "client certificate in \(certificateFile)" }

  /// The same as ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["certificate": certificateFile]) }
}

extension CurlTransport.Proxy: CustomStringConvertible, CustomReflectable {
  /// The kind, and the proxy without its user info.
  public var description: String {
    switch self {
    case .none: "none"
    case .environment: "environment"
    // libcurl takes a proxy without a scheme too, of which the user's name would be taken for one.
    case .url(let url, _): url.host == nil ? "<unreadable URL>" : url.withoutSecrets
    }
  }

  /// The same as ``description``.
  public var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}
#endif
