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
  private let state: Lock<SplitMix>

  init(_ seed: UInt64) {
    state = Lock(SplitMix(seed: seed))
  }

  func next() -> UInt64 { state.withLock { $0.next() } }
}
