/// A URL or a relative reference taken apart by the grammar of RFC 3986, section 3; nothing is decoded or encoded.
///
/// Foundation's `URL` is what users hold; this is what the client computes with, so that joining, redirects and
/// origins follow the RFC alike on every platform.
struct URLReference: Equatable {
  /// Who serves the resource: `user@host:port`.
  struct Authority: Equatable {
    var userInfo: String?
    /// The host in small letters, an IPv6 address in its brackets.
    var host: String
    var port: Int?

    var hostAndPort: String { port.map { "\(host):\($0)" } ?? host }
  }

  /// The scheme in small letters.
  var scheme: String?
  var authority: Authority?
  var path: String
  var query: String?
  var fragment: String?

  init(scheme: String?, authority: Authority?, path: String, query: String?, fragment: String? = nil) {
    self.scheme = scheme
    self.authority = authority
    self.path = path
    self.query = query
    self.fragment = fragment
  }

  /// Takes a text apart; nil where its authority is none.
  init?(_ text: String) {
    var rest = Substring(text)
    fragment = rest.cut(from: "#")
    query = rest.cut(from: "?")
    if let colon = rest.firstIndex(of: ":"), rest[..<colon].isScheme {
      scheme = rest[..<colon].lowercased()
      rest = rest[rest.index(after: colon)...]
    }
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: "/") ?? rest.endIndex
      guard let authority = Authority(rest[..<end]) else { return nil }
      self.authority = authority
      rest = rest[end...]
    }
    path = String(rest)
  }
}

extension URLReference {
  /// The absolute reference that this one means when it is found in a document at `base` (RFC 3986, section 5.2.2).
  func resolved(against base: URLReference) -> URLReference {
    var result = self
    if scheme != nil {
      result.path = path.removingDotSegments
      return result
    }
    result.scheme = base.scheme
    guard authority == nil else {
      result.path = path.removingDotSegments
      return result
    }
    result.authority = base.authority
    if path.isEmpty {
      result.path = base.path
      result.query = query ?? base.query
    } else if path.hasPrefix("/") {
      result.path = path.removingDotSegments
    } else {
      let folder = base.path.lastIndex(of: "/").map { base.path[...$0] } ?? "/"
      result.path = (folder + path).removingDotSegments
    }
    return result
  }
}

extension URLReference.Authority {
  init?(_ text: Substring) {
    var rest = text
    if let at = rest.lastIndex(of: "@") {
      userInfo = String(rest[..<at])
      rest = rest[rest.index(after: at)...]
    }
    let hostEnd: Substring.Index
    if rest.hasPrefix("[") {
      guard let bracket = rest.firstIndex(of: "]"), bracket > rest.index(after: rest.startIndex) else {
        return nil
      }
      hostEnd = rest.index(after: bracket)
    } else {
      hostEnd = rest.firstIndex(of: ":") ?? rest.endIndex
    }
    host = rest[..<hostEnd].lowercased()
    let tail = rest[hostEnd...]
    guard tail.isEmpty || tail.hasPrefix(":") else { return nil }
    let digits = tail.dropFirst()
    guard !digits.isEmpty else { return }
    guard digits.allSatisfy(\.isASCIIDigit), let port = Int(digits), (1...65_535).contains(port) else {
      return nil
    }
    self.port = port
  }
}

extension Substring {
  /// Cuts off everything from a delimiter on, and returns what stood behind the delimiter.
  fileprivate mutating func cut(from delimiter: Character) -> String? {
    guard let index = firstIndex(of: delimiter) else { return nil }
    defer { self = self[..<index] }
    return String(self[self.index(after: index)...])
  }

  fileprivate var isScheme: Bool {
    guard let first, first.isASCIILetter else { return false }
    return allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".contains($0) }
  }
}

extension Character {
  var isASCIIDigit: Bool { "0" <= self && self <= "9" && isASCII }
  fileprivate var isASCIILetter: Bool { isASCII && isLetter }
}
