/// What may be sent, and what is sent then, worked out a second time: as lists of names and values.
struct SecondRules {
  private(set) var accepts = false
  private(set) var fields: [(String, String)] = []

  private static let symbols = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz".utf8)
  private static let transports = [
    "connection", "content-length", "expect", "keep-alive", "proxy-connection", "te", "trailer",
    "transfer-encoding",
    "upgrade",
  ]

  init(_ request: HTTPRequest, _ defaults: HTTPHeaders, _ format: IdempotencyKeyFormat, host: String) {
    let own = request.headers.map { ($0.name, $0.value) }
    fields =
      defaults.map { ($0.name, $0.value) }.filter { field in !own.contains { same($0.0, field.0) } } + own
    if let key = request.idempotencyKey {
      guard let written = Self.written(key, format) else { return }
      let place = fields.firstIndex { same($0.0, "idempotency-key") } ?? fields.count
      fields.removeAll { same($0.0, "idempotency-key") }
      fields.insert(("Idempotency-Key", written), at: place)
    }
    guard !defaults.contains(where: { same($0.name, "idempotency-key") }) else { return }
    guard fields.filter({ same($0.0, "content-type") }).count < 2 else { return }
    let keys = fields.filter { same($0.0, "idempotency-key") }
    guard keys.count < 2, keys.allSatisfy({ Self.isVisible($0.1) }) else { return }
    guard fields.allSatisfy({ Self.isToken($0.0) && Self.isValue($0.1) }) else { return }
    guard !fields.contains(where: { field in Self.transports.contains { same($0, field.0) } }) else { return }
    for field in fields where same(field.0, "host") {
      guard [host, host + ":443"].contains(where: { same($0, field.1) }) else { return }
    }
    fields.removeAll { same($0.0, "host") }
    if let authority = request.authority {
      guard Self.isAuthority(Array(authority.utf8)) else { return }
      fields.append(("Host", authority))
    }
    if request.body != nil {
      guard !["GET", "HEAD", "TRACE"].contains(request.method.name), has("content-type") else { return }
    }
    if !has("accept") { fields.append(("Accept", "*/*")) }
    if !has("user-agent") { fields.append(("User-Agent", "Stoic/0.1.0")) }
    accepts = Self.isToken(request.method.name) && !["CONNECT", "PRI"].contains(request.method.name)
  }

  private func has(_ name: String) -> Bool { fields.contains { same($0.0, name) } }

  private static func isToken(_ name: String) -> Bool {
    !name.isEmpty && Set(small(name)).isSubset(of: symbols)
  }

  private static func isValue(_ value: String) -> Bool {
    value.unicodeScalars.allSatisfy { $0 == "\t" || $0.value >= 32 && $0.value != 127 }
  }

  private static func isVisible(_ key: String) -> Bool {
    key.unicodeScalars.contains { !$0.properties.isWhitespace && $0.properties.generalCategory != .format }
  }

  private static func written(_ key: String, _ format: IdempotencyKeyFormat) -> String? {
    guard isVisible(key) else { return nil }
    guard format == .quoted else { return key }
    guard key.utf8.allSatisfy({ $0 >= 32 && $0 < 127 }) else { return nil }
    var result: [UInt8] = [34]
    for byte in key.utf8 { result += byte == 34 || byte == 92 ? [92, byte] : [byte] }
    return String(decoding: result + [34], as: UTF8.self)
  }

  /// A name or an address in brackets, and perhaps a port without zeros in front.
  private static func isAuthority(_ bytes: [UInt8]) -> Bool {
    let nameBytes = symbols.subtracting("!#$%&'*+^`|".utf8).union(Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
    var host = bytes[...]
    var port: ArraySlice<UInt8>?
    let end = bytes.first == 91 ? bytes.firstIndex(of: 93) : bytes.startIndex
    if let end, let colon = bytes[end...].firstIndex(of: 58) {
      (host, port) = (bytes[..<colon], bytes[(colon + 1)...])
    }
    if let port {
      guard (1...5).contains(port.count), port.first != 48, port.allSatisfy({ $0 >= 48 && $0 <= 57 }),
        port.reduce(0, { $0 * 10 + Int($1 - 48) }) < 65_536
      else { return false }
    }
    guard host.first == 91 else { return !host.isEmpty && nameBytes.isSuperset(of: host) }
    return host.last == 93 && host.count > 2
      && nameBytes.union([58]).isSuperset(of: host.dropFirst().dropLast())
  }

  /// Type and charset of a value that keeps to the grammar of RFC 9110, sections 8.3.1 and 5.6.6; nil of any
  /// other, and where a charset is named twice.
  static func mediaType(_ value: String) -> (essence: String, charset: String?)? {
    var rest = small(value)[...]
    func blanks() { rest = rest.drop { $0 == 32 || $0 == 9 } }
    func token() -> ArraySlice<UInt8> {
      let token = rest.prefix { symbols.contains($0) }
      rest = rest.dropFirst(token.count)
      return token
    }
    blanks()
    let type = token()
    guard rest.popFirst() == 47 else { return nil }
    let subtype = token()
    guard !type.isEmpty, !subtype.isEmpty else { return nil }
    var charsets: [String] = []
    blanks()
    while rest.first == 59 {
      rest.removeFirst()
      blanks()
      let name = token()
      if !name.isEmpty {
        guard rest.popFirst() == 61 else { return nil }
        guard let value = rest.first == 34 ? quoted(&rest) : Array(token()), !value.isEmpty else {
          return nil
        }
        if name.elementsEqual("charset".utf8) { charsets.append(String(decoding: value, as: UTF8.self)) }
      }
      blanks()
      guard rest.isEmpty || rest.first == 59 else { return nil }
    }
    guard rest.isEmpty, charsets.count < 2 else { return nil }
    return (String(decoding: type + [47] + subtype, as: UTF8.self), charsets.first)
  }

  /// The text within quotes; nil where the closing one is missing.
  private static func quoted(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    rest = rest.dropFirst()
    while let byte = rest.popFirst() {
      if byte == 34 { return result }
      guard byte == 9 || byte >= 32 && byte != 127 else { return nil }
      guard byte == 92 else {
        result.append(byte)
        continue
      }
      guard let escaped = rest.popFirst(), escaped == 9 || escaped >= 32 && escaped != 127 else { return nil }
      result.append(escaped)
    }
    return nil
  }
}

private func same(_ name: String, _ other: String) -> Bool { small(name) == small(other) }
