/// A small generator whose numbers a seed repeats (SplitMix64; Steele, Lea and Flood 2014).
///
/// For state that draws under a lock, where a caller's source may not be called, and for tests and benchmarks.
package struct SplitMix: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number in `0..<1`.
  package mutating func fraction() -> Double {
    Double(next() >> 11) * 0x1p-53
  }
}
