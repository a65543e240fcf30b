extension ByteSink {
  /// Writes a string in quotes.
  mutating func putQuoted(_ text: String) {
    // Mutated through `self` inside of the closure, which does not outlive the call.
    text.utf8.withByteView(&self) { sink, bytes in
      sink.putQuoted(bytes)
    }
  }

  /// Writes a string in quotes, with the escapes that RFC 8259 demands and no others.
  mutating func putQuoted(_ bytes: ByteView) {
    reserve(bytes.count + 18)
    put(UInt8(ascii: "\""))
    var position = 0
    while position < bytes.count {
      let word = bytes.partialWord(at: position)
      let length = min(8, bytes.count - position)
      let plain = min(Words.firstMark(Words.escapable(word)), length)
      put(word, count: plain)
      position += plain
      if plain < length {
        reserve(bytes.count - position + 24)
        putEscaped(bytes[position])
        position += 1
      }
    }
    put(UInt8(ascii: "\""))
  }

  private mutating func putEscaped(_ byte: UInt8) {
    put(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: put(UInt8(ascii: "b"))
    case 0x09: put(UInt8(ascii: "t"))
    case 0x0A: put(UInt8(ascii: "n"))
    case 0x0C: put(UInt8(ascii: "f"))
    case 0x0D: put(UInt8(ascii: "r"))
    case 0..<0x20:
      put(UInt8(ascii: "u"))
      put(UInt8(ascii: "0"))
      put(UInt8(ascii: "0"))
      put(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
      let digit = byte & 0x0F
      put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    default: put(byte)
    }
  }
}

extension ByteSink {
  /// Writes a value that was read, and all that is in it, without white space: a walk along the tape.
  mutating func putCompact(_ value: ParsedValue) {
    let document = value.document
    var position = value.position
    // For each array and object around the current place: what is left of it, and whether it has keys.
    var open: [(left: Int, isObject: Bool)] = []
    var left = 1
    var isObject = false
    while true {
      if left == 0 {
        reserve(2)
        guard let outer = open.popLast() else { return }
        put(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        (left, isObject) = outer
        if left > 0 { put(UInt8(ascii: ",")) }
        continue
      }
      left &-= 1
      if isObject {
        putScalar(document, at: position)
        reserve(1)
        put(UInt8(ascii: ":"))
        position &+= Layout.scalarSize
      }
      let tag = document.tag(at: position)
      if tag.isContainer {
        reserve(1)
        put(tag == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
        open.append((left, isObject))
        left = document.count(at: position)
        isObject = tag == .object
        position &+= Layout.headerSize
        continue
      }
      putScalar(document, at: position)
      position &+= Layout.scalarSize
      if left > 0 {
        reserve(1)
        put(UInt8(ascii: ","))
      }
    }
  }

  @inline(__always) private mutating func putScalar(_ document: Document, at position: Int) {
    let view = document.view(at: position)
    switch document.tag(at: position) {
    case .string:
      reserve(view.count &+ 2)
      put(UInt8(ascii: "\""))
      put(view)
      put(UInt8(ascii: "\""))
    case .escapedString:
      putQuoted(view)
    default:
      // The text of null, true, false and of numbers is what they were read from.
      reserve(view.count)
      put(view)
    }
  }
}
