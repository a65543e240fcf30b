#if os(Linux) || os(macOS)
import Foundation

/// Which proxy serves which scheme; an empty text for none.
package struct ResolvedProxy: Sendable, Equatable {
  package let http: String
  package let https: String
  /// Hosts that are asked directly, as libcurl reads them.
  package let exceptions: String

  /// Reads what the configuration and the environment say.
  package init(_ proxy: CurlTransport.Proxy, environment: [String: String]) {
    switch proxy {
    case .none: (http, https, exceptions) = ("", "", "")
    case .url(let url, let hosts):
      (http, https, exceptions) = (url.absoluteString, url.absoluteString, hosts.joined(separator: ","))
    case .environment:
      let value = { (name: String) in environment[name] ?? environment[name.uppercased()] }
      // In capitals, a server's client could set this one through a field of its request.
      http = environment["http_proxy"] ?? value("all_proxy") ?? ""
      https = value("https_proxy") ?? value("all_proxy") ?? ""
      exceptions = value("no_proxy") ?? ""
    }
  }
}

extension ResolvedProxy: CustomStringConvertible, CustomReflectable {
  /// Which schemes have a proxy; not which one, since the environment may name it in ways that hide user info.
  package var description: String {
    let schemes = [("http", http), ("https", https)].filter { !$0.1.isEmpty }.map(\.0)
    return schemes.isEmpty ? "none" : "one for " + schemes.joined(separator: " and ")
  }

  /// The same as ``description``.
  package var customMirror: Mirror { Mirror(self, children: ["proxy": description]) }
}
#endif
