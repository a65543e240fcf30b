/// Reads one JSON text from memory in one pass, with its own stack of open arrays and objects.
struct Parser {
  let bytes: UnsafeBufferPointer<UInt8>
  private let relaxations: JSON.Relaxations
  var position = 0
  /// The bytes of a string with escapes, so far.
  var unescaped: [UInt8] = []
  private var frames: [Frame] = []
  /// Whether an element or a member of the innermost frame has begun and not ended.
  private var isInside = false

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ relaxations: JSON.Relaxations) {
    self.bytes = bytes
    self.relaxations = relaxations
  }

  static func parse(
    _ bytes: UnsafeBufferPointer<UInt8>, _ relaxations: JSON.Relaxations
  ) -> Result<JSON, JSONError> {
    Result { () throws(JSONError) in
      var parser = Parser(bytes, relaxations)
      return try parser.text()
    }
  }

  private mutating func text() throws(JSONError) -> JSON {
    try checkEncoding()
    skipWhitespace()
    while true {
      guard let value = try beginValue() else { continue }
      if let whole = try endValue(value) {
        skipWhitespace()
        if position < bytes.count { throw failureHere(.trailingContent) }
        return whole
      }
    }
  }

  private mutating func checkEncoding() throws(JSONError) {
    if bytes.startsWithByteOrderMark {
      position = 3
    } else if bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE]) || hasUTF16Zeros {
      throw failureHere(.unsupportedEncoding)
    }
  }

  /// Whether the first characters look like ASCII in UTF-16 or UTF-32 without a byte order mark.
  private var hasUTF16Zeros: Bool {
    guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return false }
    if bytes[0] == 0 { return true }
    return bytes[1] == 0 && (bytes.count == 2 || bytes[3] == 0)
  }

  /// Reads a value that is not nested, or opens an array or object and returns nil.
  private mutating func beginValue() throws(JSONError) -> JSON? {
    guard let byte = peek() else { throw failureHere(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      return try open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "\""):
      return JSON(.string(try string()))
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
      return JSON(.number(try number()))
    case UInt8(ascii: "t"):
      return try word("true", .bool(true))
    case UInt8(ascii: "f"):
      return try word("false", .bool(false))
    case UInt8(ascii: "n"):
      return try word("null", .null)
    default:
      throw failureHere(.expectedValue)
    }
  }

  private mutating func open(isObject: Bool) throws(JSONError) -> JSON? {
    if frames.count == JSON.depthLimit { throw failureHere(.tooDeep) }
    position += 1
    frames.append(Frame(isObject: isObject))
    isInside = false
    skipWhitespace()
    if peek() == closingBracket {
      position += 1
      return frames.removeLast().value
    }
    try beginMember()
    return nil
  }

  /// Hands a finished value to what encloses it; returns the outermost value when that is finished.
  private mutating func endValue(_ value: JSON) throws(JSONError) -> JSON? {
    var value = value
    while !frames.isEmpty {
      frames[frames.count - 1].append(value)
      isInside = false
      skipWhitespace()
      if peek() == UInt8(ascii: ",") {
        position += 1
        skipWhitespace()
        try beginMember()
        return nil
      }
      if peek() != closingBracket { throw failureHere(.expectedCommaOrEnd) }
      position += 1
      value = frames.removeLast().value
    }
    return value
  }

  private var closingBracket: UInt8? {
    frames.last.map { UInt8(ascii: $0.isObject ? "}" : "]") }
  }

  /// Reads the key and the colon in an object; in an array there is nothing before the value.
  private mutating func beginMember() throws(JSONError) {
    guard frames[frames.count - 1].isObject else {
      isInside = true
      return
    }
    if peek() != UInt8(ascii: "\"") { throw failureHere(.expectedKey) }
    let start = position
    let key = try string()
    let isNew = frames[frames.count - 1].keys.append(key)
    if !isNew {
      guard relaxations.contains(.duplicateKeys) else {
        throw failure(.duplicateKey, at: start, step: .key(key))
      }
      frames[frames.count - 1].replaced = frames[frames.count - 1].keys.position(of: key)
    }
    isInside = true
    skipWhitespace()
    if peek() != UInt8(ascii: ":") { throw failureHere(.expectedColon) }
    position += 1
    skipWhitespace()
  }

  private mutating func word(_ word: StaticString, _ value: JSON.Storage) throws(JSONError) -> JSON {
    let start = position
    for expected in UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount) {
      if peek() == nil { throw failureHere(.unexpectedEnd) }
      if peek() != expected { throw failure(.expectedValue, at: start) }
      position += 1
    }
    return JSON(value)
  }
}

extension Parser {
  func peek() -> UInt8? {
    position < bytes.count ? bytes[position] : nil
  }

  private mutating func skipWhitespace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  /// The failure at the current position; when that is the end of the text, the end is the reason.
  func failureHere(_ reason: JSONError.Reason) -> JSONError {
    failure(position < bytes.count ? reason : .unexpectedEnd, at: position)
  }

  func failure(_ reason: JSONError.Reason, at offset: Int, step: PathStep? = nil) -> JSONError {
    var location = frames.dropLast().compactMap(\.step)
    if let step {
      location.append(step)
    } else if isInside, let step = frames.last?.step {
      location.append(step)
    }
    return JSONError(reason: reason, offset: offset, in: bytes, location: location)
  }
}
