/// What an array or an object holds, built or read, in order.
///
/// A copy for each walk: it remembers where on the tape the next value is.
struct Elements: Sendable {
  private enum Source: Sendable {
    case built(Node)
    case parsed(ParsedValue)
  }

  private let source: Source
  let isObject: Bool
  let count: Int
  /// The position on the tape of the next element, or of the next member's key.
  private var position = 0
  private(set) var index = 0

  /// The elements or members of a value, or nil when it is neither array nor object.
  init?(_ value: JSON) {
    switch value.storage {
    case .array(let node): self.init(node, isObject: false)
    case .object(let node): self.init(node, isObject: true)
    case .parsed(let value):
      guard value.tag.isContainer else { return nil }
      self.init(value)
    default: return nil
    }
  }

  private init(_ node: Node, isObject: Bool) {
    source = .built(node)
    self.isObject = isObject
    count = node.values.count
  }

  private init(_ value: ParsedValue) {
    source = .parsed(value)
    isObject = value.tag == .object
    count = value.count
    position = value.position + Layout.headerSize
  }

  /// The next value, with its key in an object, or nil at the end.
  mutating func next() -> (key: String, value: JSON)? {
    if index == count { return nil }
    index += 1
    switch source {
    case .built(let node):
      return (isObject ? node.keys.names[index - 1] : "", node.values[index - 1])
    case .parsed(let whole):
      let key = isObject ? whole.document.string(at: position) : ""
      let value = position + (isObject ? Layout.scalarSize : 0)
      position = whole.document.end(of: value)
      return (key, whole.at(value))
    }
  }

  /// The next value without its key.
  mutating func nextValue() -> JSON? {
    if index == count { return nil }
    index += 1
    switch source {
    case .built(let node):
      return node.values[index - 1]
    case .parsed(let whole):
      let value = position + (isObject ? Layout.scalarSize : 0)
      position = whole.document.end(of: value)
      return whole.at(value)
    }
  }

  /// The value at a place, wherever the walk is.
  subscript(index: Int) -> (key: String, value: JSON) {
    switch source {
    case .built(let node):
      return (isObject ? node.keys.names[index] : "", node.values[index])
    case .parsed(let value):
      return isObject ? value.member(index) : ("", value.element(index))
    }
  }

  /// The place of a key, or nil when there is none.
  func index(of key: String) -> Int? {
    switch source {
    case .built(let node): node.keys.position(of: key)
    case .parsed(let value): key.withByteView { value.document.member($0, of: value.position)?.index }
    }
  }

  /// The value with a key, or nil when there is none.
  func value(for key: String) -> JSON? {
    switch source {
    case .built(let node):
      return node.keys.position(of: key).map { node.values[$0] }
    case .parsed(let value):
      let key = key.withByteView { value.document.member($0, of: value.position)?.key }
      return key.map { value.at($0 + Layout.scalarSize) }
    }
  }

  /// Whether both are the very same array or object.
  func isIdentical(to other: Elements) -> Bool {
    switch (source, other.source) {
    case (.built(let left), .built(let right)): left === right
    case (.parsed(let left), .parsed(let right)):
      left.document === right.document && left.position == right.position
    default: false
    }
  }
}
