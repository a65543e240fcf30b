extension JSON {
  /// A walk over the elements of an array or the members of an object that makes no string of a key unless
  /// asked.
  package struct Walk {
    private enum Source {
      case built(Node)
      case parsed(Document)
    }

    private let source: Source
    package let isObject: Bool
    /// How many elements or members there are in all.
    package let count: Int
    /// How many have been visited.
    private var visited = 0
    /// The position on the tape of what comes next: an element, or the key of a member.
    private var position = 0
    /// The position on the tape of the key that was visited last.
    private var lastKey = 0

    /// A walk that has not begun, or nil when the value is neither array nor object.
    package init?(_ json: JSON) {
      switch json.storage {
      case .array(let node), .object(let node):
        source = .built(node)
        if case .object = json.storage { isObject = true } else { isObject = false }
        count = node.values.count
      case .parsed(let value) where value.tag.isContainer:
        source = .parsed(value.document)
        isObject = value.tag == .object
        count = value.count
        position = value.position + Layout.headerSize
      default:
        return nil
      }
    }

    /// The next element, or the value of the next member; nil after the last.
    package mutating func next() -> JSON? {
      if visited == count { return nil }
      visited &+= 1
      switch source {
      case .built(let node):
        return node.values[visited &- 1]
      case .parsed(let document):
        let value = isObject ? position &+ Layout.scalarSize : position
        lastKey = position
        position = document.end(of: value)
        return JSON(.parsed(ParsedValue(position: value, document: document)))
      }
    }

    /// The key of the member that was visited last.
    package var key: String {
      switch source {
      case .built(let node): node.keys.names[visited - 1]
      case .parsed(let document): document.string(at: lastKey)
      }
    }

    /// Where the last member's key begins in the text, its quote included; nil when the value was built.
    package var keyOffset: Int? {
      guard case .parsed(let document) = source else { return nil }
      return document.offset(at: lastKey) - 1
    }

    /// Calls a function with the last member's key: its bytes, and the first eight of them, zeros behind its
    /// end.
    @inline(__always) func withKey<Result>(_ body: (ByteView, UInt64) -> Result) -> Result {
      switch source {
      case .built(let node):
        node.keys.names[visited - 1].withByteView { body($0, $0.partialWord(at: 0)) }
      case .parsed(let document):
        body(document.view(at: lastKey), document.word(at: lastKey))
      }
    }
  }
}

extension JSON {
  /// How many bytes the keys, strings and numbers right within an array or object have.
  ///
  /// Linear in the number of elements or members.
  package var lengthWithin: Int {
    guard var walk = Walk(self) else { return 0 }
    var length = 0
    while let value = walk.next() {
      length += value.ownLength
      if walk.isObject { walk.withKey { key, _ in length += key.count } }
    }
    return length
  }

  /// How many bytes a string or number has; 0 for anything else.
  package var ownLength: Int {
    switch storage {
    case .string(let text): text.utf8.count
    case .parsed(let value) where !value.tag.isContainer: value.text.count
    default: 0
    }
  }
}
