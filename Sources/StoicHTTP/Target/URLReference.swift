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
    // By bytes: a delimiter and a combining mark behind it are one character.
    var rest = Substring(text).utf8
    fragment = rest.cut(from: UInt8(ascii: "#"))
    query = rest.cut(from: UInt8(ascii: "?"))
    if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[..<colon].isScheme {
      scheme = rest[..<colon].lowercasedText
      rest = rest[rest.index(after: colon)...]
    }
    if rest.starts(with: "//".utf8) {
      rest = rest.dropFirst(2)
      let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
      guard let authority = Authority(rest[..<end]) else { return nil }
      self.authority = authority
      rest = rest[end...]
    }
    path = rest.text
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
  fileprivate init?(_ text: Substring.UTF8View) {
    var rest = text
    if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
      userInfo = rest[..<at].text
      rest = rest[rest.index(after: at)...]
    }
    let hostEnd: Substring.Index
    if rest.first == UInt8(ascii: "[") {
      guard let bracket = rest.firstIndex(of: UInt8(ascii: "]")), bracket > rest.index(after: rest.startIndex)
      else { return nil }
      hostEnd = rest.index(after: bracket)
    } else {
      hostEnd = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
    }
    host = rest[..<hostEnd].lowercasedText
    let tail = rest[hostEnd...]
    guard tail.isEmpty || tail.first == UInt8(ascii: ":") else { return nil }
    let digits = tail.dropFirst()
    guard !digits.isEmpty else { return }
    guard digits.allSatisfy(\.isASCIIDigit), let port = Int(digits.text), (1...65_535).contains(port) else {
      return nil
    }
    self.port = port
  }
}

extension Substring.UTF8View {
  fileprivate var text: String { String(Substring(self)) }

  fileprivate var lowercasedText: String {
    // Most are in small letters already.
    allSatisfy { $0 < 0x80 && !$0.isCapital } ? text : Substring(self).lowercased()
  }

  /// Cuts off everything from a delimiter on, and returns what stood behind the delimiter.
  fileprivate mutating func cut(from delimiter: UInt8) -> String? {
    guard let index = firstIndex(of: delimiter) else { return nil }
    defer { self = self[..<index] }
    return self[self.index(after: index)...].text
  }

  fileprivate var isScheme: Bool {
    guard let first, first.isASCIILetter else { return false }
    return allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isCapital: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
  fileprivate var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
  fileprivate var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
