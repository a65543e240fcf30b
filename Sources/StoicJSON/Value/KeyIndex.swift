/// The names that somebody looks for in objects, each once, to be found by the key of a member.
// Its block changes no more once it is made.
package final class KeyIndex: @unchecked Sendable {
  private let text: TextBlock
  /// Where each name begins in the text, and at last where the text ends.
  private let starts: [Int]
  /// The first eight bytes of each name, zeros behind the end of it.
  private let words: [UInt64]
  /// Up to this many names a scan beats a hash table.
  private static let scanLimit = 8
  /// A power of two of slots, each 0 or the index of a name, plus one; none when a scan does.
  private let slots: [Int]

  /// Takes names that differ in their UTF-8 bytes.
  package init(_ names: [String]) {
    let text = TextBlock(copying: names.joined())
    var starts = [0]
    for name in names {
      starts.append(starts[starts.count - 1] + name.utf8.count)
    }
    var slots: [Int] = []
    if names.count > Self.scanLimit {
      var size = 16
      while size < 2 * names.count { size *= 2 }
      slots = Array(repeating: 0, count: size)
      for index in names.indices {
        let name = text.view(at: starts[index], count: starts[index + 1] - starts[index])
        var slot = Self.slot(of: name, among: size)
        while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
        slots[slot] = index + 1
      }
    }
    words = names.indices.map {
      text.view(at: starts[$0], count: starts[$0 + 1] - starts[$0]).partialWord(at: 0)
    }
    self.text = text
    self.starts = starts
    self.slots = slots
  }

  private static func slot(of name: ByteView, among size: Int) -> Int {
    Int(truncatingIfNeeded: KeyHash.process.hash(name)) & (size - 1)
  }

  /// The index of the name that is the key of the member visited last, or nil when it is none of them.
  ///
  /// Constant time when it is the one that is expected, which may be beyond the last.
  package func index(of walk: JSON.Walk, expecting index: Int) -> Int? {
    walk.withKey { key, word in
      isName(index, key, word) ? index : find(key, word)
    }
  }

  @inline(__always) private func isName(_ index: Int, _ key: ByteView, _ word: UInt64) -> Bool {
    guard index < words.count, words[index] == word else { return false }
    let start = starts[index]
    let length = starts[index &+ 1] &- start
    guard length == key.count else { return false }
    return length <= 8 || text.view(at: start, count: length).hasSameBytes(as: key)
  }

  private func find(_ key: ByteView, _ word: UInt64) -> Int? {
    if slots.isEmpty {
      for index in words.indices where isName(index, key, word) { return index }
      return nil
    }
    var slot = Self.slot(of: key, among: slots.count)
    while slots[slot] != 0 {
      if isName(slots[slot] &- 1, key, word) { return slots[slot] &- 1 }
      slot = (slot &+ 1) & (slots.count &- 1)
    }
    return nil
  }
}

extension TextBlock {
  fileprivate init(copying text: String) {
    var sink = ByteSink(capacity: text.utf8.count)
    text.utf8.withByteView(&sink) { sink, bytes in
      sink.reserve(bytes.count)
      sink.put(bytes)
    }
    self.init(copying: sink.view)
  }
}
