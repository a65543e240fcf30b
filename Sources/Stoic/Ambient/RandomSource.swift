/// A source of random bits that can be shared between tasks: all of Stoic's jitter is drawn from one.
///
/// Replace it with ``withRandom(_:_:)`` to repeat a run. A source is used by reference: its copies draw from the same
/// sequence.
public struct RandomSource: RandomNumberGenerator, Sendable {
  private let draw: @Sendable () -> UInt64

  /// Makes a source of a function that returns 64 random bits and may be called from any task.
  public init(_ draw: @escaping @Sendable () -> UInt64) {
    self.draw = draw
  }

  /// The system's random numbers.
  public static let system = RandomSource {
    var generator = SystemRandomNumberGenerator()
    return generator.next()
  }

  /// A repeatable sequence: the same seed gives the same numbers (SplitMix64, Steele, Lea and Flood 2014).
  public static func seeded(_ seed: UInt64) -> RandomSource {
    let generator = SharedGenerator(seed)
    return RandomSource { generator.next() }
  }

  /// The next 64 random bits.
  public func next() -> UInt64 { draw() }

  /// A number in `0..<1`, from the upper 53 of the next 64 bits.
  package func fraction() -> Double {
    Double(draw() >> 11) * 0x1p-53
  }
}

/// A SplitMix64 generator behind a lock.
private final class SharedGenerator: Sendable {
  private let state: Lock<UInt64>

  init(_ seed: UInt64) {
    state = Lock(seed)
  }

  func next() -> UInt64 {
    var bits = state.withLock { state in
      state &+= 0x9E37_79B9_7F4A_7C15
      return state
    }
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
