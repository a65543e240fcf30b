/// Writes a value as text, with its own stack of arrays and objects that it is inside of.
struct Writer: ~Copyable {
  private struct Frame {
    var elements: Elements
    /// The order in which to write an object's members, when it is not their own.
    let order: [Int]?
    var written = 0
  }

  let isPretty: Bool
  let isSorted: Bool
  let isCanonical: Bool
  let refusesNonFinite: Bool
  var sink: ByteSink
  private var frames: [Frame] = []

  init(options: JSON.WritingOptions, refusesNonFinite: Bool, sink: consuming ByteSink) {
    self.sink = sink
    isCanonical = options.contains(.canonical)
    isPretty = options.contains(.pretty) && !isCanonical
    isSorted = options.contains(.sortedKeys) || isCanonical
    self.refusesNonFinite = refusesNonFinite
  }

  mutating func write(_ value: JSON) throws(JSONWritingError) {
    try begin(value)
    while !frames.isEmpty {
      let top = frames.count - 1
      guard let member = nextMember(top) else {
        let isObject = frames[top].elements.isObject
        let isEmpty = frames[top].written == 0
        frames.removeLast()
        if !isEmpty { breakLine() }
        put(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
        continue
      }
      if frames[top].written > 0 { put(UInt8(ascii: ",")) }
      frames[top].written += 1
      breakLine()
      if frames[top].elements.isObject {
        sink.putQuoted(member.key)
        put(UInt8(ascii: ":"))
        if isPretty { put(UInt8(ascii: " ")) }
      }
      try begin(member.value)
    }
  }

  private mutating func nextMember(_ top: Int) -> (key: String, value: JSON)? {
    guard let order = frames[top].order else { return frames[top].elements.next() }
    let written = frames[top].written
    return written < order.count ? frames[top].elements[order[written]] : nil
  }

  /// Writes a value that is not nested, or opens an array or object.
  private mutating func begin(_ value: JSON) throws(JSONWritingError) {
    switch value.storage {
    case .null: sink.putNull()
    case .bool(let value): sink.put(value)
    case .string(let text): sink.putQuoted(text)
    case .integer(let integer):
      if isCanonical {
        try writeCanonicalNumber(value)
      } else {
        NumberText.write(integer, to: &sink)
      }
    case .double(let value): try write(value)
    case .array(let node) where isCompact: try write(node, isObject: false)
    case .object(let node) where isCompact: try write(node, isObject: true)
    case .array, .object: open(value)
    case .parsed(let parsed):
      if isCompact {
        sink.putCompact(parsed)
      } else if parsed.tag.isContainer {
        open(value)
      } else if isCanonical, value.kind == .number {
        try writeCanonicalNumber(value)
      } else {
        sink.putCompact(parsed)
      }
    }
  }

  /// Whether nothing keeps the quick ways from being taken, which know neither order nor white space.
  private var isCompact: Bool { !isPretty && !isSorted }

  private mutating func write(_ node: Node, isObject: Bool) throws(JSONWritingError) {
    if let steps = sink.putCompact(node, isObject: isObject, refusesNonFinite: refusesNonFinite) {
      throw JSONWritingError(reason: .nonFiniteNumber, pointer: pointerText(of: steps))
    }
  }

  private mutating func open(_ value: JSON) {
    guard let elements = Elements(value) else { return }
    put(elements.isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    frames.append(Frame(elements: elements, order: isSorted ? order(of: elements) : nil))
  }

  private mutating func write(_ value: Double) throws(JSONWritingError) {
    if value.isFinite {
      NumberText.write(value, canonically: isCanonical, to: &sink)
    } else if refusesNonFinite {
      throw failure(.nonFiniteNumber)
    } else {
      sink.put(nonFinite: value)
    }
  }

  private mutating func writeCanonicalNumber(_ value: JSON) throws(JSONWritingError) {
    guard let double = value.double else { throw failure(.unrepresentableNumber) }
    try write(double)
  }

  private func order(of elements: Elements) -> [Int]? {
    guard elements.isObject else { return nil }
    var elements = elements
    var names: [String] = []
    while let member = elements.next() {
      names.append(member.key)
    }
    let isCanonical = isCanonical
    return names.indices.sorted {
      isCanonical ? precedesInUTF16(names[$0], names[$1]) : precedesInBytes(names[$0], names[$1])
    }
  }

  private func failure(_ reason: JSONWritingError.Reason) -> JSONWritingError {
    let steps = frames.map { frame -> PathStep in
      let index = frame.written - 1
      return frame.elements.isObject ? .key(frame.elements[frame.order?[index] ?? index].key) : .index(index)
    }
    return JSONWritingError(reason: reason, pointer: pointerText(of: steps))
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    put(UInt8(ascii: "\n"))
    for _ in 0..<2 * frames.count {
      put(UInt8(ascii: " "))
    }
  }

  private mutating func put(_ byte: UInt8) {
    sink.reserve(1)
    sink.put(byte)
  }
}
