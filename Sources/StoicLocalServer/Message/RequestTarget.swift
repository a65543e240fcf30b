/// The parts of a request's target (RFC 9112, 3.2).
struct RequestTarget {
  let path: ArraySlice<UInt8>
  let query: ArraySlice<UInt8>?

  init(_ target: String) {
    var rest = Array(target.utf8)[...]
    if rest.first != UInt8(ascii: "/"), let authority = Self.afterScheme(rest) {
      rest = authority.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    }
    let mark = rest.firstIndex(of: UInt8(ascii: "?"))
    path = rest[..<(mark ?? rest.endIndex)]
    query = mark.map { rest[($0 + 1)...] }
  }

  var queryItems: [(name: String, value: String?)] {
    guard let query, !query.isEmpty else { return [] }
    return query.split(separator: UInt8(ascii: "&")).map { item in
      guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return (Self.decode(item), nil) }
      return (Self.decode(item[..<equals]), Self.decode(item[(equals + 1)...]))
    }
  }

  private static func afterScheme(_ target: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let colon = target.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let rest = target[(colon + 1)...]
    return rest.starts(with: "//".utf8) ? rest.dropFirst(2) : nil
  }

  private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let digits = bytes[(index + 1)...].prefix(2).map { Character(UnicodeScalar($0)).hexDigitValue }
      if bytes[index] == UInt8(ascii: "%"), digits.count == 2, let high = digits[0], let low = digits[1] {
        decoded.append(UInt8(high * 16 + low))
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }
}
