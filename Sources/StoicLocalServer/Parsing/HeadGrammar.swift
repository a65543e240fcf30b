/// The lines of a head (RFC 9112, 3 and 5), read strictly.
enum HeadGrammar {
  /// How the body ends.
  enum Framing: Equatable {
    case length(Int)
    case chunked
  }

  static func readRequestLine(_ line: ArraySlice<UInt8>, into request: inout ParsedRequest) throws(Refusal) {
    let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(isToken),
      !parts[1].isEmpty, parts[1].allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .malformed("bad request line") }
    let version = Array(parts[2])
    guard version.count == 8, version.starts(with: "HTTP/".utf8), isDigit(version[5]),
      version[6] == UInt8(ascii: "."), isDigit(version[7])
    else { throw .malformed("bad request line") }
    guard version[5] == UInt8(ascii: "1") else { throw .unknownVersion }
    request.method = String(decoding: parts[0], as: UTF8.self)
    request.target = String(decoding: parts[1], as: UTF8.self)
    request.minorVersion = Int(version[7] - UInt8(ascii: "0"))
  }

  static func readField(_ line: ArraySlice<UInt8>) throws(Refusal) -> (name: String, value: String) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
      line[..<colon].allSatisfy(isToken)
    else { throw .malformed("bad header field name") }
    let value = trim(line[(colon + 1)...])
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
      throw .malformed("bad header field value")
    }
    return (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value, as: UTF8.self))
  }

  /// How the request's body ends (RFC 9112, 6.3); two answers at once are refused.
  static func framing(of request: ParsedRequest) throws(Refusal) -> Framing {
    let codings = request.values("Transfer-Encoding")
    let lengths = request.values("Content-Length")
    if !codings.isEmpty {
      guard lengths.isEmpty, request.minorVersion >= 1 else { throw .malformed("ambiguous body length") }
      guard codings.count == 1, codings[0].equalsIgnoringCase("chunked") else { throw .unknownCoding }
      return .chunked
    }
    guard let length = lengths.first else { return .length(0) }
    guard lengths.count == 1 else { throw .malformed("ambiguous body length") }
    guard let count = number(length.utf8, radix: 10) else { throw .malformed("bad Content-Length") }
    return .length(count)
  }

  /// The size that a chunk's first line gives; its extensions are ignored.
  static func chunkSize(_ line: ArraySlice<UInt8>) throws(Refusal) -> Int {
    let digits = trimEnd(line.prefix { $0 != UInt8(ascii: ";") })
    guard let size = number(digits, radix: 16) else { throw .malformed("bad chunk size") }
    return size
  }

  /// One or more digits as a number; one that is out of range becomes `Int.max`, which every limit refuses.
  private static func number(_ digits: some Collection<UInt8>, radix: Int) -> Int? {
    guard !digits.isEmpty else { return nil }
    var number = 0
    for digit in digits {
      guard digit < 0x80, let value = Character(UnicodeScalar(digit)).hexDigitValue, value < radix else {
        return nil
      }
      let (product, overflow) = number.multipliedReportingOverflow(by: radix)
      let (sum, carry) = product.addingReportingOverflow(value)
      number = overflow || carry ? Int.max : sum
    }
    return number
  }

  private static func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    trimEnd(bytes.drop(while: isBlank))
  }

  private static func trimEnd(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard let last = bytes.lastIndex(where: { !isBlank($0) }) else { return [] }
    return bytes[...last]
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
