/// The hash of a key in the table of a wide object.
///
/// It depends on numbers that differ from process to process, so that nobody can prepare keys which meet.
struct KeyHash {
  private let start: UInt64
  private let factor: UInt64

  /// The hash that this process uses.
  static let process: KeyHash = {
    var hasher = Hasher()
    hasher.combine("StoicJSON")
    let start = UInt64(truncatingIfNeeded: hasher.finalize())
    hasher = Hasher()
    hasher.combine(start)
    return KeyHash(start: start, factor: UInt64(truncatingIfNeeded: hasher.finalize()) | 1)
  }()

  @inline(__always) func hash(_ count: Int, _ word: (_ position: Int) -> UInt64) -> UInt64 {
    var hash = start ^ UInt64(truncatingIfNeeded: count)
    var position = 0
    while position < count {
      hash = Words.folded(hash ^ word(position) & Words.mask(count &- position), factor) ^ start
      position &+= 8
    }
    return Words.folded(hash, factor)
  }

  func hash(_ key: ByteView) -> UInt64 {
    hash(key.count) { key.partialWord(at: $0) }
  }
}
