/// Reads one JSON text in one pass, without recursion, onto a tape.
///
/// The arrays and objects that are open form a chain through their headers on the tape: until one is
/// closed, the third word of its header is the position of the one that encloses it, and its fourth word
/// keeps its own state while something inside it is read.
struct Parser<Meter: WorkMeter>: ~Copyable {
  /// What stopped the parser.
  struct Failure: Error {
    let reason: JSONError.Reason
    let offset: Int
    /// Whether a value has just ended, so that none has begun.
    var isAfterValue = false
    /// Whether the fault is in the value that was just counted.
    var isInLastValue = false
  }

  let text: TextBlock
  var tape: WordBlock
  let allowsDuplicateKeys: Bool
  var meter = Meter()
  /// How many words of the tape are in use.
  var words = 0
  var position = 0

  /// The header of the innermost open array or object; meaningless at depth 0.
  var container = 0
  var isObject = false
  /// How many values the innermost has so far.
  var count = 0
  /// The greatest height among them.
  var height = 0
  var depth = 0

  init(_ source: ByteView, _ relaxations: JSON.Relaxations) {
    text = TextBlock(copying: source)
    // Ordinary texts have a value or a key for every eight bytes or more.
    tape = WordBlock(capacity: source.count / 4 + 16)
    allowsDuplicateKeys = relaxations.contains(.duplicateKeys)
  }

  /// Reads the whole text.
  mutating func run() throws(Failure) {
    try checkEncoding()
    skipWhitespace()
    while true {
      reserve(Layout.headerSize + Layout.scalarSize)
      meter.add(1)
      switch text[position] {
      case UInt8(ascii: "\""):
        try string(isKey: false)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        if try open() { continue }
      case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."), UInt8(ascii: "0")...UInt8(ascii: "9"):
        try number()
      default:
        try word()
      }
      if try !advance() { break }
    }
    skipWhitespace()
    if position < text.count { throw failureAfterValue(.trailingContent) }
  }

  /// What has been read; the tape gives back what it does not need.
  consuming func document() -> Document {
    if words < tape.capacity / 2 { tape.reallocate(capacity: words, keeping: words) }
    return Document(text: text, tape: tape)
  }

  /// Opens an array or object; false when it is empty and so already closed.
  @inline(__always) private mutating func open() throws(Failure) -> Bool {
    if depth == JSON.depthLimit { throw failure(.tooDeep) }
    if depth > 0 { saveState() }
    isObject = text[position] == UInt8(ascii: "{")
    tape[words] = (isObject ? Tag.object : Tag.array).bits
    tape[words &+ 1] = UInt64(truncatingIfNeeded: position)
    tape[words &+ 2] = UInt64(truncatingIfNeeded: container)
    container = words
    words &+= Layout.headerSize
    count = 0
    height = 0
    depth &+= 1
    position &+= 1
    skipWhitespace()
    if text[position] == closingBracket {
      position &+= 1
      try close()
      return false
    }
    if isObject { try key() }
    return true
  }

  /// Goes on after a value: closes what ends here; true when another value follows.
  @inline(__always) private mutating func advance() throws(Failure) -> Bool {
    while depth > 0 {
      count &+= 1
      skipWhitespace()
      let byte = text[position]
      if byte == UInt8(ascii: ",") {
        position &+= 1
        skipWhitespace()
        if isObject { try key() }
        return true
      }
      if byte != closingBracket { throw failureAfterValue(.expectedCommaOrEnd) }
      position &+= 1
      try close()
    }
    return false
  }

  /// Closes the innermost array or object and returns to the one around it.
  @inline(__always) private mutating func close() throws(Failure) {
    var table = 0
    if count > 1 {
      if isObject {
        table = try closeObject()
      } else if count > Layout.scanLimit, height > 0 {
        table = indexValues()
      }
    }
    let parent = Int(truncatingIfNeeded: tape[container &+ 2])
    let ownHeight = height &+ 1
    tape[container] |= Layout.first(Tag(bits: 0), length: count)
    tape[container &+ 1] |= Layout.second(offset: 0, height: ownHeight)
    tape[container &+ 2] = UInt64(truncatingIfNeeded: words &- container)
    tape[container &+ 3] = UInt64(truncatingIfNeeded: table)
    depth &-= 1
    container = parent
    if depth > 0 { restoreState(ownHeight) }
  }

  /// Keeps the state of the innermost array or object in its header.
  private func saveState() {
    tape[container &+ 3] = UInt64(truncatingIfNeeded: count &<< 16 | height)
  }

  private mutating func restoreState(_ childHeight: Int) {
    let state = Int(truncatingIfNeeded: tape[container &+ 3])
    count = state &>> 16
    height = max(state & 0xFFFF, childHeight)
    isObject = tape.tag(at: container) == .object
  }

  private var closingBracket: UInt8 {
    isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
  }

  /// Reads a key and its colon.
  @inline(__always) private mutating func key() throws(Failure) {
    if text[position] != UInt8(ascii: "\"") { throw failure(.expectedKey) }
    meter.add(1)
    try string(isKey: true)
    skipWhitespace()
    if text[position] != UInt8(ascii: ":") { throw failure(.expectedColon) }
    position &+= 1
    skipWhitespace()
  }

  /// Reads `true`, `false` or `null`.
  @inline(__always) private mutating func word() throws(Failure) {
    switch text.halfWord(at: position) {
    case 0x6C6C_756E: put(.null, length: 4)
    case 0x6575_7274: put(.true, length: 4)
    case 0x736C_6166 where text[position &+ 4] == UInt8(ascii: "e"): put(.false, length: 5)
    default: throw noWord()
    }
  }

  @inline(__always) private mutating func put(_ tag: Tag, length: Int) {
    put(tag, at: position, length: length)
    position &+= length
  }
}

extension Parser {
  /// Writes an entry that is not nested.
  @inline(__always) mutating func put(_ tag: Tag, at offset: Int, length: Int) {
    tape[words] = Layout.first(tag, length: length)
    tape[words &+ 1] = UInt64(truncatingIfNeeded: offset)
    words &+= Layout.scalarSize
  }

  @inline(__always) mutating func reserve(_ more: Int) {
    if tape.capacity &- words < more { grow(more) }
  }

  @inline(never) private mutating func grow(_ more: Int) {
    tape.reallocate(capacity: max(tape.capacity * 2, words + more), keeping: words)
  }

  @inline(__always) private mutating func skipWhitespace() {
    if text[position] <= 0x20 { skipMoreWhitespace() }
  }

  private mutating func skipMoreWhitespace() {
    while true {
      switch text[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position &+= 1
      default: return
      }
      meter.add(1)
    }
  }
}
