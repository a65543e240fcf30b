/// The keys of an object in order, each once, compared by their UTF-8 bytes.
struct KeyList: Sendable {
  private(set) var names: [String] = []
  private var positions: [ByteKey: Int] = [:]

  /// Up to this many keys a scan beats a hash table.
  private static let scanLimit = 8

  var count: Int { names.count }

  /// Adds a key at the end, unless it is there: then returns false.
  mutating func append(_ name: String) -> Bool {
    guard position(of: name) == nil else { return false }
    names.append(name)
    if names.count == Self.scanLimit + 1 {
      for (position, name) in names.enumerated() {
        positions[ByteKey(name)] = position
      }
    } else if names.count > Self.scanLimit {
      positions[ByteKey(name)] = names.count - 1
    }
    return true
  }

  func position(of name: String) -> Int? {
    if names.count > Self.scanLimit { return positions[ByteKey(name)] }
    return names.firstIndex { hasSameBytes($0, name) }
  }
}
