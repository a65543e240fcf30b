/// Takes a structured field apart by the letter of RFC 9651, section 4.2.
struct StructuredFieldScanner {
  private let bytes: [UInt8]
  private let isDictionary: Bool
  private var position = 0

  init(_ text: String, isDictionary: Bool) {
    bytes = Array(text.utf8)
    self.isDictionary = isDictionary
  }

  /// All members; nil where the text is no field.
  mutating func members() -> [StructuredField.Member]? {
    var members: [StructuredField.Member] = []
    skip(Self.isSpace)
    while position < bytes.count {
      guard members.count < StructuredField.limit, let member = member() else { return nil }
      members.append(member)
      skip(Self.isBlank)
      if position == bytes.count { return members }
      guard take(",") else { return nil }
      skip(Self.isBlank)
      // A comma at the end is none of a list's.
      guard position < bytes.count else { return nil }
    }
    return members
  }

  private mutating func member() -> StructuredField.Member? {
    var key: String?
    if isDictionary {
      guard let name = self.key() else { return nil }
      key = name
      guard take("=") else {
        return parameters().map { StructuredField.Member(key: name, value: .other, parameters: $0) }
      }
    }
    guard let value = value(), let parameters = parameters() else { return nil }
    return StructuredField.Member(key: key, value: value, parameters: parameters)
  }

  private mutating func parameters() -> [String: StructuredField.Value]? {
    var parameters: [String: StructuredField.Value] = [:]
    while take(";") {
      skip(Self.isSpace)
      guard let name = key() else { return nil }
      guard take("=") else {
        parameters[name] = .other
        continue
      }
      guard let value = value() else { return nil }
      parameters[name] = value
    }
    return parameters
  }

  private mutating func value() -> StructuredField.Value? {
    guard position < bytes.count else { return nil }
    switch bytes[position] {
    case UInt8(ascii: "\""): return string()
    case UInt8(ascii: "-"), 48...57: return number()
    case UInt8(ascii: ":"): return enclosed(by: ":", Self.isBase64)
    case UInt8(ascii: "?"):
      position += 1
      return take("0") || take("1") ? .other : nil
    case UInt8(ascii: "@"):
      position += 1
      guard case .integer = number() else { return nil }
      return .other
    case UInt8(ascii: "*"), 65...90, 97...122:
      skip(Self.isToken)
      return .other
    default: return nil
    }
  }

  private mutating func number() -> StructuredField.Value? {
    let isNegative = take("-")
    let whole = digits()
    guard !whole.isEmpty else { return nil }
    if take(".") {
      let fraction = digits()
      return whole.count <= 12 && (1...3).contains(fraction.count) ? .other : nil
    }
    guard whole.count <= 15 else { return nil }
    let magnitude = whole.reduce(0) { $0 * 10 + Int($1 - 48) }
    return .integer(isNegative ? -magnitude : magnitude)
  }

  private mutating func string() -> StructuredField.Value? {
    var characters: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return .string(String(decoding: characters, as: UTF8.self))
      case UInt8(ascii: "\\"):
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "\\")].contains(bytes[position])
        else { return nil }
        characters.append(bytes[position])
        position += 1
      case 0x20...0x7E: characters.append(byte)
      default: return nil
      }
    }
    return nil
  }

  private mutating func enclosed(by mark: Unicode.Scalar, _ isInside: (UInt8) -> Bool) -> StructuredField
    .Value?
  {
    position += 1
    skip(isInside)
    return take(mark) ? .other : nil
  }

  private mutating func key() -> String? {
    let start = position
    guard position < bytes.count, (97...122).contains(bytes[position]) || bytes[position] == UInt8(ascii: "*")
    else { return nil }
    skip { (97...122).contains($0) || (48...57).contains($0) || "_-.*".utf8.contains($0) }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func digits() -> ArraySlice<UInt8> {
    let start = position
    skip { (48...57).contains($0) }
    return bytes[start..<position]
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard position < bytes.count, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skip(_ isSkipped: (UInt8) -> Bool) {
    while position < bytes.count, isSkipped(bytes[position]) { position += 1 }
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == 9 }

  private static func isBase64(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || "+/=".utf8.contains(byte)
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
      || "!#$%&'*+-.^_`|~:/".utf8.contains(byte)
  }
}
