extension HTTPHeaders {
  static let idempotencyKey = "Idempotency-Key"

  /// Fields that frame a message or manage a connection: a caller who sets one can make the server see another request
  /// than the one that was checked.
  static let refused = [
    "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding", "upgrade",
  ]

  /// Takes over another list's fields; each name replaces all fields of that name here.
  mutating func replace(with others: HTTPHeaders) {
    for other in others where contains(other.name) { self[other.name] = nil }
    for other in others { add(other.name, other.value) }
  }

  mutating func addIfAbsent(_ name: String, _ value: String) {
    if !contains(name) { add(name, value) }
  }

  /// Puts a key in place of any that is there, and refuses one that protects nothing.
  mutating func setKey(_ key: String?, _ format: IdempotencyKeyFormat) throws(InvalidRequest) {
    if let key {
      self[Self.idempotencyKey] = key.isBlank || format == .bare ? key : try key.quoted
    }
    let keys = values(for: Self.idempotencyKey)
    guard keys.count <= 1 else { throw InvalidRequest("there is more than one Idempotency-Key field") }
    guard keys.allSatisfy({ !$0.isBlank }) else {
      throw InvalidRequest("the idempotency key is blank, and would protect nothing")
    }
  }

  /// Refuses names that are no tokens, values that hold control characters, and fields that are not the
  /// caller's to set (RFC 9110, section 5).
  func check() throws(InvalidRequest) {
    for field in self {
      try field.check()
      guard !Self.refused.contains(where: { $0.isSameFieldName(as: field.name) }) else {
        throw InvalidRequest("the header field \(field.name) belongs to the transport")
      }
    }
  }

  /// Refuses a media type that a field cannot hold.
  static func checkAccepted(_ type: String) throws(InvalidRequest) { try Field("Accept", type).check() }

  /// Refuses a `Host` other than the URL's own, but for one that `authority` asks for.
  mutating func checkHost(for origin: Origin, authority: String?) throws(InvalidRequest) {
    let own = [origin.authority, "\(origin.host):\(origin.port)"]
    guard values(for: "Host").allSatisfy({ own.contains($0.lowercased()) }) else {
      throw InvalidRequest("the Host field is not the URL's host; set the request's authority to mean that")
    }
    self["Host"] = nil
    guard let authority else { return }
    guard let parsed = URLReference("//\(authority)")?.authority,
      parsed.hostAndPort == authority.lowercased(), parsed.host.isPlainHost,
      authority.utf8.allSatisfy({ $0 < 0x80 })
    else { throw InvalidRequest("the authority is no host, with or without a port") }
    self["Host"] = authority
  }
}

extension HTTPHeaders.Field {
  fileprivate func check() throws(InvalidRequest) {
    guard name.isToken else { throw InvalidRequest("a header field's name is no token") }
    // No control character has a byte of its own in UTF-8 that could belong to another.
    guard !value.utf8.contains(where: { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }) else {
      throw InvalidRequest("the value of the header field \(name) holds a control character")
    }
  }
}

extension String {
  /// This text as a string of structured fields (RFC 8941, section 4.1.6).
  fileprivate var quoted: String {
    get throws(InvalidRequest) {
      guard utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        throw InvalidRequest("the idempotency key has characters that cannot be quoted; use printable ASCII")
      }
      let escaped = flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
      return "\"\(String(escaped))\""
    }
  }

  /// Whether there is nothing in this that can be seen.
  fileprivate var isBlank: Bool {
    unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.generalCategory == .format }
  }

  /// Whether this is a token (RFC 9110, section 5.6.2).
  var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy { byte in
        byte.isTokenSymbol || (byte.isUnreserved)
      }
  }
}

extension String {
  /// Whether this is a name of ASCII letters, digits, `-`, `.`, `_` and `~`, or an address in brackets without a zone.
  fileprivate var isPlainHost: Bool {
    guard hasPrefix("["), hasSuffix("]") else { return !isEmpty && utf8.allSatisfy(\.isUnreserved) }
    let address = utf8.dropFirst().dropLast()
    return !address.isEmpty && address.allSatisfy { $0.isUnreserved || $0 == UInt8(ascii: ":") }
  }
}

extension UInt8 {
  fileprivate var isTokenSymbol: Bool {
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "^"), UInt8(ascii: "`"),
      UInt8(ascii: "|"):
      true
    default: false
    }
  }
}
