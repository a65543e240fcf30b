/// A whole request as `RequestParser` read it.
package struct ParsedRequest: Sendable {
  package var method = ""
  package var target = ""
  package var headers: [(name: String, value: String)] = []
  package var body: [UInt8] = []
  package var trailers: [(name: String, value: String)] = []
  /// The head's exact bytes, its empty line included.
  package var head: [UInt8] = []
  /// The digit after `HTTP/1.`.
  package var minorVersion = 1

  /// Whether the connection may carry another request after it (RFC 9112, 9.3); HTTP/1.0 never does here.
  package var keepsAlive: Bool {
    let options = values("Connection").flatMap(\.listItems)
    return minorVersion >= 1 && !options.contains { $0.equalsIgnoringCase("close") }
  }

  func values(_ name: String) -> [String] {
    headers.filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }
}
