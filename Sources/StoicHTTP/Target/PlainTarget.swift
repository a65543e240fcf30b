/// A path, with or without a query, that is what it would become: nothing in it has to be encoded, resolved or refused.
///
/// Most are, and they are told by one look at each byte.
struct PlainTarget {
  /// How many bytes come before the question mark.
  let pathLength: Int

  /// Nil where the text has to be looked at more closely.
  init?(_ text: String) {
    let length = text.utf8.withContiguousStorageIfAvailable { Self.pathLength(of: $0) }
    guard let length = length ?? nil else { return nil }
    pathLength = length
  }

  private static func pathLength(of bytes: UnsafeBufferPointer<UInt8>) -> Int? {
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    var isSegmentStart = false
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "?"): return bytes[index...].dropFirst().allSatisfy(\.isPlain) ? index : nil
      case UInt8(ascii: "/"):
        // Two slashes in front would be a host, elsewhere they are left to the closer look.
        if isSegmentStart { return nil }
        isSegmentStart = true
      case UInt8(ascii: "."):
        // May begin a dot segment.
        if isSegmentStart { return nil }
      default:
        guard byte.isPlain else { return nil }
        isSegmentStart = false
      }
    }
    return bytes.count
  }
}

extension UInt8 {
  /// Whether this may stand in a path segment and in a query, and means nothing else in either.
  fileprivate var isPlain: Bool {
    if isUnreserved { return true }
    return switch self {
    case UInt8(ascii: "="), UInt8(ascii: "&"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
      UInt8(ascii: "@"), UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "*"), UInt8(ascii: "'"),
      UInt8(ascii: "("), UInt8(ascii: ")"):
      true
    default: false
    }
  }
}
