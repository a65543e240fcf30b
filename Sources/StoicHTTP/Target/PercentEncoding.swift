/// Percent-encoding of URL parts (RFC 3986, section 2), byte by byte over UTF-8.
enum PercentEncoding {
  /// A path or a query as the caller wrote it: valid escapes stay, everything that may not stand there is escaped.
  ///
  /// Nothing is decoded, so that `%2F` stays what it is, and nothing is escaped twice.
  static func completing(_ text: some StringProtocol, allowing extra: StaticString = "/") -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for (index, byte) in bytes.enumerated() {
      let isEscape =
        byte == UInt8(ascii: "%") && index + 2 < bytes.count
        && bytes[index + 1].isHexDigit && bytes[index + 2].isHexDigit
      if isEscape || byte.isUnreserved || byte.isPathDelimiter || extra.contains(byte) {
        result.append(byte)
      } else {
        result.append(escaping: byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// One name or value of a query: all but the unreserved characters is escaped, so that a server decodes the same text
  /// by the rules of URLs and by those of forms (a space as `%20`, a plus sign as `%2B`).
  static func component(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      if byte.isUnreserved { result.append(byte) } else { result.append(escaping: byte) }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The bytes behind a text, escapes undone once.
  static func decoded(_ text: some StringProtocol) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
        let high = bytes[index + 1].hexDigit, let low = bytes[index + 2].hexDigit
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

extension UInt8 {
  var isUnreserved: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }

  /// What else may stand in a path segment: the sub-delimiters, the colon and the at sign.
  fileprivate var isPathDelimiter: Bool { ("!$&'()*+,;=:@" as StaticString).contains(self) }

  fileprivate var isHexDigit: Bool { hexDigit != nil }

  fileprivate var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension StaticString {
  fileprivate func contains(_ byte: UInt8) -> Bool {
    withUTF8Buffer { $0.contains(byte) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(escaping byte: UInt8) {
    let digits: StaticString = "0123456789ABCDEF"
    append(UInt8(ascii: "%"))
    digits.withUTF8Buffer { append(contentsOf: [$0[Int(byte >> 4)], $0[Int(byte & 15)]]) }
  }
}
