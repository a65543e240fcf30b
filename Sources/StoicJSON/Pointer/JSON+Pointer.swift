extension JSON {
  /// A way into a value, as RFC 6901 writes it: `/users/0/name`.
  public struct Pointer: Sendable, Hashable {
    /// The keys and indices on the way, unescaped; none for the whole value.
    public let tokens: [String]

    /// Creates a pointer of keys and indices as they are.
    public init(_ tokens: some Sequence<String>) {
      self.tokens = tokens.map { $0 }
    }
  }

  /// The part of the value that a pointer leads to, or nil when there is none.
  ///
  /// Keys are compared by their UTF-8 bytes. An index is written without leading zeros; `-`, the place
  /// behind the last element, leads to nothing.
  public subscript(pointer pointer: Pointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      let part = value.kind == .array ? Pointer.index(token).flatMap { value[$0] } : value[token]
      guard let part else { return nil }
      value = part
    }
    return value
  }

  /// The part of the value that the text of a pointer leads to, or nil when there is none or the text is no
  /// pointer.
  public subscript(pointer text: String) -> JSON? {
    Pointer(text).flatMap { self[pointer: $0] }
  }
}

extension JSON.Pointer: LosslessStringConvertible {
  /// Reads a pointer; nil when the text is neither empty nor begins with `/`, or when a `~` is followed by
  /// something other than `0` and `1`.
  public init?(_ text: String) {
    var tokens: [String] = []
    for (index, token) in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .enumerated()
    {
      if index == 0 {
        guard token.isEmpty else { return nil }
        continue
      }
      guard let token = Self.unescaped(token) else { return nil }
      tokens.append(token)
    }
    self.tokens = tokens
  }

  /// Reads a pointer from the fragment of a URI, such as `#/a%20b` or what follows its `#`.
  public init?(fragment: String) {
    var bytes: [UInt8] = []
    var rest = fragment.utf8[...]
    if rest.first == UInt8(ascii: "#") { rest = rest.dropFirst() }
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "%") {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
      let value = EscapedText.hexDigit(high) << 4 | EscapedText.hexDigit(low)
      guard let byte = UInt8(exactly: value) else { return nil }
      bytes.append(byte)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    self.init(text)
  }

  /// The pointer as text.
  public var description: String {
    pointerText(of: tokens.map(PathStep.key))
  }

  /// Whether both have the same tokens, compared by their UTF-8 bytes.
  public static func == (left: JSON.Pointer, right: JSON.Pointer) -> Bool {
    left.tokens.elementsEqual(right.tokens, by: hasSameBytes)
  }

  /// Feeds the tokens to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.map(ByteKey.init))
  }

  private static func unescaped(_ token: Substring.UTF8View) -> String? {
    var bytes: [UInt8] = []
    var rest = token
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "~"):
        switch rest.popFirst() {
        case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
        default: return nil
        }
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The index that a token writes: digits, the first of several no zero.
  fileprivate static func index(_ token: String) -> Int? {
    guard let first = token.utf8.first, first != UInt8(ascii: "0") || token.utf8.count == 1,
      token.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
    else { return nil }
    return Int(token)
  }
}
