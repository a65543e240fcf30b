extension Parser {
  /// Reads a string from its opening to its closing quote.
  mutating func string() throws(JSONError) -> String {
    position += 1
    unescaped.removeAll(keepingCapacity: true)
    var hasEscapes = false
    var start = position
    while let byte = peek() {
      switch byte {
      case UInt8(ascii: "\""):
        let run = UnsafeBufferPointer(rebasing: bytes[start..<position])
        position += 1
        if !hasEscapes { return String(decoding: run, as: UTF8.self) }
        unescaped.append(contentsOf: run)
        return String(decoding: unescaped, as: UTF8.self)
      case UInt8(ascii: "\\"):
        hasEscapes = true
        unescaped.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<position]))
        try escape()
        start = position
      case 0..<0x20:
        throw failureHere(.controlCharacter)
      case 0x20..<0x80:
        position += 1
      default:
        let length = sequenceLength(at: position)
        if length == 0 { throw failureHere(.invalidUTF8) }
        position += length
      }
    }
    throw failureHere(.unexpectedEnd)
  }

  private mutating func escape() throws(JSONError) {
    let start = position
    position += 1
    guard let byte = peek() else { throw failureHere(.unexpectedEnd) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): unescaped.append(byte)
    case UInt8(ascii: "b"): unescaped.append(0x08)
    case UInt8(ascii: "f"): unescaped.append(0x0C)
    case UInt8(ascii: "n"): unescaped.append(0x0A)
    case UInt8(ascii: "r"): unescaped.append(0x0D)
    case UInt8(ascii: "t"): unescaped.append(0x09)
    case UInt8(ascii: "u"): unescaped.append(contentsOf: try escapedScalar(from: start).utf8)
    default: throw failure(.invalidEscape, at: start)
    }
  }

  private mutating func escapedScalar(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let unit = try hexDigits(from: start)
    if let scalar = Unicode.Scalar(unit) { return scalar }
    let second = position
    guard unit < 0xDC00, bytes[second...].starts(with: "\\u".utf8) else {
      throw failure(.loneSurrogate, at: start)
    }
    position += 2
    let low = try hexDigits(from: second)
    guard 0xDC00...0xDFFF ~= low,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
    else { throw failure(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func hexDigits(from start: Int) throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek() else { throw failureHere(.unexpectedEnd) }
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure(.invalidEscape, at: start)
      }
      value = value << 4 + UInt32(digit)
      position += 1
    }
    return value
  }

  /// The length of the UTF-8 sequence that begins with a byte of 0x80 or more, or 0 when it is not valid.
  private func sequenceLength(at start: Int) -> Int {
    let first = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF: length = 3
    case 0xF0...0xF4: length = 4
    default: return 0
    }
    switch first {
    case 0xE0: second = 0xA0...0xBF  // shorter forms exist for what lies below
    case 0xED: second = 0x80...0x9F  // surrogates lie above
    case 0xF0: second = 0x90...0xBF
    case 0xF4: second = 0x80...0x8F  // U+10FFFF is the last
    default: break
    }
    guard start + length <= bytes.count, second ~= bytes[start + 1] else { return 0 }
    for offset in 2..<max(2, length) where bytes[start + offset] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}
