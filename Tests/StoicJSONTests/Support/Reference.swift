import StoicJSON

/// A JSON value as a slow and plain reader understands it, to check the fast one against.
indirect enum Reference {
  case null
  case bool(Bool)
  case number(text: String)
  case string([UInt8])
  case array([Reference])
  case object([(key: [UInt8], value: Reference)])

  /// Reads a text, or returns nil when it must be refused.
  init?(_ bytes: [UInt8]) {
    var reader = ReferenceReader(bytes: bytes)
    guard let value = reader.text() else { return nil }
    self = value
  }

  /// Whether a value that was read is the same: order, spelling and all.
  func agrees(with value: JSON) -> Bool {
    switch self {
    case .null: return value.isNull
    case .bool(let bool): return value.bool == bool
    case .number(let text): return value.numberText == text
    case .string(let bytes): return value.string.map { Array($0.utf8) == bytes } ?? false
    case .array(let elements):
      guard let other = value.array, other.count == elements.count else { return false }
      return zip(elements, other).allSatisfy { $0.agrees(with: $1) }
    case .object(let members):
      guard let other = value.object, other.count == members.count else { return false }
      return zip(members, other).allSatisfy {
        Array($1.key.utf8) == $0.key && $0.value.agrees(with: $1.value)
      }
    }
  }
}

/// Reads by recursion, byte by byte, and validates strings with the standard library.
private struct ReferenceReader {
  let bytes: [UInt8]
  var position = 0
  var depth = 0

  mutating func text() -> Reference? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    guard let value = value() else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private mutating func value() -> Reference? {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "n"): return skip("null") ? .null : nil
    case UInt8(ascii: "t"): return skip("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): return skip("false") ? .bool(false) : nil
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "["): return list(closedBy: "]") { $0.value() }.map { .array($0) }
    case UInt8(ascii: "{"):
      guard let members = list(closedBy: "}", { $0.member() }) else { return nil }
      return Set(members.map(\.key)).count == members.count ? .object(members) : nil
    default: return number()
    }
  }

  private mutating func list<Item>(
    closedBy bracket: String, _ item: (inout ReferenceReader) -> Item?
  ) -> [Item]? {
    position += 1
    depth += 1
    if depth > 512 { return nil }
    var items: [Item] = []
    skipSpace()
    if !skip(bracket) {
      repeat {
        guard let item = item(&self) else { return nil }
        items.append(item)
        skipSpace()
      } while skip(",")
      if !skip(bracket) { return nil }
    }
    depth -= 1
    return items
  }

  private mutating func member() -> (key: [UInt8], value: Reference)? {
    skipSpace()
    guard peek() == UInt8(ascii: "\""), let key = string() else { return nil }
    skipSpace()
    guard skip(":"), let value = value() else { return nil }
    return (key, value)
  }

  private mutating func number() -> Reference? {
    let start = position
    _ = skip("-")
    if !skip("0"), !digits() { return nil }
    if skip("."), !digits() { return nil }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      if !digits() { return nil }
    }
    return .number(text: String(decoding: bytes[start..<position], as: UTF8.self))
  }

  private mutating func digits() -> Bool {
    let start = position
    while let byte = peek(), UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      position += 1
    }
    return position > start
  }

  private mutating func string() -> [UInt8]? {
    position += 1
    var units: [UInt16] = []
    var result: [UInt8] = []
    while let byte = peek() {
      position += 1
      if byte == UInt8(ascii: "\\") {
        guard let unit = escape() else { return nil }
        units.append(unit)
        continue
      }
      // Surrogates must have met their other half before anything else comes.
      guard let text = String(validating: units, as: UTF16.self) else { return nil }
      result += text.utf8
      units = []
      if byte == UInt8(ascii: "\"") {
        return String(validating: result, as: UTF8.self) == nil ? nil : result
      }
      if byte < 0x20 { return nil }
      result.append(byte)
    }
    return nil
  }

  private mutating func escape() -> UInt16? {
    guard let byte = peek() else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return UInt16(byte)
    case UInt8(ascii: "b"): return 8
    case UInt8(ascii: "f"): return 12
    case UInt8(ascii: "n"): return 10
    case UInt8(ascii: "r"): return 13
    case UInt8(ascii: "t"): return 9
    case UInt8(ascii: "u"):
      let digits = bytes[position...].prefix(4)
      position += digits.count
      let isHex = digits.count == 4 && digits.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
      return isHex ? UInt16(String(decoding: digits, as: UTF8.self), radix: 16) : nil
    default: return nil
    }
  }

  private func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skip(_ word: String) -> Bool {
    guard bytes[position...].starts(with: word.utf8) else { return false }
    position += word.utf8.count
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
      position += 1
    }
  }
}
