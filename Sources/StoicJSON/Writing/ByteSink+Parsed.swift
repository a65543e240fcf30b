extension ByteSink {
  /// Writes a value that was read, and all that is in it, without white space: a walk along the tape.
  mutating func putCompact(_ value: ParsedValue) {
    let document = value.document
    var position = value.position
    // For each array and object around the current place: what is left of it, whether it has keys, and
    // where it ends, which is behind its tables.
    var open: [(left: Int, isObject: Bool, end: Int)] = []
    var left = 1
    var isObject = false
    var end = position
    while true {
      if left == 0 {
        reserve(2)
        guard let outer = open.popLast() else { return }
        put(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        position = end
        (left, isObject, end) = outer
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
        open.append((left, isObject, end))
        left = document.count(at: position)
        end = document.end(of: position)
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
    case .decodedString:
      putQuoted(view)
    case .escapedString:
      var decoded = ByteSink(capacity: view.count)
      EscapedText.decode(view, to: &decoded)
      putQuoted(decoded.view)
    default:
      // The text of null, true, false and of numbers is what they were read from.
      reserve(view.count)
      put(view)
    }
  }
}
