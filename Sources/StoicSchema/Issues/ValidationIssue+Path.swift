import StoicJSON

extension ValidationIssue {
  /// The way from the whole document to one value in it.
  public struct Path: Sendable, Hashable {
    /// One step of a path.
    public enum Element: Sendable {
      /// Into the member of an object with this key.
      case key(String)
      /// Into the element of an array at this index.
      case index(Int)
    }

    /// The steps, outermost first.
    public let elements: [Element]

    package init(_ elements: [Element] = []) {
      self.elements = elements
    }
  }
}

extension ValidationIssue.Path.Element: Hashable {
  /// Whether both are the same step; keys are compared by their UTF-8 bytes.
  public static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.key(let left), .key(let right)): hasSameBytes(left, right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Feeds the step to the hasher.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .key(let key): hasher.combine(ByteKey(key))
    case .index(let index): hasher.combine(index)
    }
  }
}

extension ValidationIssue.Path: CustomStringConvertible {
  /// The path on one line, such as `$.users[3].name`.
  ///
  /// A key that is no plain word is quoted and escaped (`$["a.b"]`), and shortened beyond 64 scalars. Of
  /// more than 32 steps the first and last 16 are shown.
  public var description: String {
    let half = 16
    guard elements.count > 2 * half else { return "$" + elements.map(\.description).joined() }
    let first = elements.prefix(half).map(\.description).joined()
    let last = elements.suffix(half).map(\.description).joined()
    return "$\(first)…(\(elements.count - 2 * half) steps)…\(last)"
  }
}

extension ValidationIssue.Path.Element: CustomStringConvertible {
  /// The step as a path shows it: `.name`, `["a.b"]` or `[3]`.
  public var description: String {
    switch self {
    case .index(let index): "[\(index)]"
    case .key(let key): Self.isPlain(key) ? ".\(key)" : "[\"\(displayText(key, limit: 64))\"]"
    }
  }

  private static func isPlain(_ key: String) -> Bool {
    guard let first = key.utf8.first, key.utf8.count <= 64 else { return false }
    return !isDigit(first) && first != UInt8(ascii: "-")
      && key.utf8.allSatisfy { byte in
        isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
          || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
      }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
  }
}
