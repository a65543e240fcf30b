/// The tables behind the members of a wide object, or behind the elements of a wide array of which some are
/// nested.
///
/// First come the positions of all keys or elements, counted from the header. An object then has slots, a
/// power of two of them, in which a key is looked for from the place its hash says onwards: each is 0 or
/// holds the number of a member, plus one, in its lower 40 bits and a part of the key's hash above.
struct Table {
  /// Where it begins on the tape.
  let start: Int
  /// The number of members or elements.
  let count: Int

  /// The number of slots: at most two thirds are ever in use.
  var slotCount: Int {
    1 &<< (Int.bitWidth &- (count &+ count &>> 1).leadingZeroBitCount)
  }

  /// The words that the table of an object takes.
  var objectSize: Int { count &+ slotCount }

  @inline(__always) func slot(_ hash: UInt64) -> Int {
    start &+ count &+ Int(truncatingIfNeeded: hash) & (slotCount &- 1)
  }

  @inline(__always) func slot(after slot: Int) -> Int {
    start &+ count &+ (slot &- start &- count &+ 1) & (slotCount &- 1)
  }

  @inline(__always) static func content(member: Int, hash: UInt64) -> UInt64 {
    Layout.second(offset: member &+ 1, height: 0) | hash & ~0xFF_FFFF_FFFF
  }

  /// Whether a slot may hold a key with this hash.
  @inline(__always) static func mayHold(_ content: UInt64, _ hash: UInt64) -> Bool {
    (content ^ hash) & ~0xFF_FFFF_FFFF == 0
  }

  @inline(__always) static func member(_ content: UInt64) -> Int { Layout.offset(content) &- 1 }
}
