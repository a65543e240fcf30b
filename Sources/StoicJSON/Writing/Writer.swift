/// Writes a value as text, with its own stack of arrays and objects that it is inside of.
struct Writer {
  private struct Frame {
    let node: Node
    let isObject: Bool
    /// The order in which to write an object's members, when it is not their own.
    let order: [Int]?
    var next = 0

    var position: Int { order?[next] ?? next }
  }

  let options: JSON.WritingOptions
  let refusesNonFinite: Bool
  private(set) var output: [UInt8] = []
  private var frames: [Frame] = []

  init(options: JSON.WritingOptions, refusesNonFinite: Bool) {
    self.options = options
    self.refusesNonFinite = refusesNonFinite
  }

  mutating func write(_ value: JSON) throws(JSONWritingError) {
    try begin(value)
    while let frame = frames.last {
      if frame.next == frame.node.values.count {
        frames.removeLast()
        if frame.next > 0 { breakLine() }
        output.append(UInt8(ascii: frame.isObject ? "}" : "]"))
        advance()
        continue
      }
      if frame.next > 0 { output.append(UInt8(ascii: ",")) }
      breakLine()
      if frame.isObject {
        write(frame.node.keys.names[frame.position])
        output.append(UInt8(ascii: ":"))
        if options.contains(.pretty) { output.append(UInt8(ascii: " ")) }
      }
      try begin(frame.node.values[frame.position])
    }
  }

  /// Writes a value that is not nested, or opens an array or object.
  private mutating func begin(_ value: JSON) throws(JSONWritingError) {
    switch value.storage {
    case .array(let node):
      output.append(UInt8(ascii: "["))
      frames.append(Frame(node: node, isObject: false, order: nil))
      return
    case .object(let node):
      output.append(UInt8(ascii: "{"))
      frames.append(Frame(node: node, isObject: true, order: order(of: node)))
      return
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.text.utf8)
    case .string(let text): write(text)
    case .nonFinite(let value):
      if refusesNonFinite { throw JSONWritingError(reason: .nonFiniteNumber, pointer: pointer) }
      output.append(contentsOf: value.description.utf8)
    }
    advance()
  }

  private mutating func advance() {
    if !frames.isEmpty { frames[frames.count - 1].next += 1 }
  }

  private func order(of node: Node) -> [Int]? {
    guard options.contains(.sortedKeys) else { return nil }
    let names = node.keys.names
    return names.indices.sorted { precedesInBytes(names[$0], names[$1]) }
  }

  private var pointer: String {
    pointerText(
      of: frames.map { frame in
        frame.isObject ? .key(frame.node.keys.names[frame.position]) : .index(frame.position)
      })
  }

  private mutating func breakLine() {
    guard options.contains(.pretty) else { return }
    output.append(UInt8(ascii: "\n"))
    output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * frames.count))
  }
}

extension Writer {
  private mutating func write(_ text: String) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): escape(byte)
      case 0x08: escape(UInt8(ascii: "b"))
      case 0x09: escape(UInt8(ascii: "t"))
      case 0x0A: escape(UInt8(ascii: "n"))
      case 0x0C: escape(UInt8(ascii: "f"))
      case 0x0D: escape(UInt8(ascii: "r"))
      case 0..<0x20:
        output.append(contentsOf: "\\u00".utf8)
        output.append(UInt8(ascii: byte < 0x10 ? "0" : "1"))
        output.append(contentsOf: String(byte & 0x0F, radix: 16).utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    output.append(byte)
  }
}
