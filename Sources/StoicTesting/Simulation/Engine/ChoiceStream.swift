import Stoic

/// The one stream that everything random in a run is drawn from: which job is next, ties between timers, early timers,
/// jitter, injected faults.
///
/// A stream is seeded, or it repeats a list of choices; either way a run that draws the same choices is the same run.
struct ChoiceStream {
  private var generator: SplitMix
  private let list: [UInt64]?
  private var position = 0
  private let isRecording: Bool

  /// The choices made, where they are recorded.
  private(set) var made: [UInt64] = []

  /// A stream by a seed.
  init(seed: UInt64, isRecording: Bool) {
    // Neighbouring seeds must not give neighbouring streams.
    generator = SplitMix(seed: (seed &+ 1) &* 0xD134_2543_DE82_EF95)
    list = nil
    self.isRecording = isRecording
  }

  /// A stream that repeats a list, and after its end always chooses the first.
  init(repeating list: [UInt64], isRecording: Bool) {
    generator = SplitMix(seed: 0)
    self.list = list
    self.isRecording = isRecording
  }

  /// A number below a bound of at least 1.
  mutating func below(_ bound: Int) -> Int {
    let bits: UInt64
    if let list {
      bits = next(of: list)
      return note(Int(bits % UInt64(bound)))
    }
    bits = draw()
    return note(Int(bits.multipliedFullWidth(by: UInt64(bound)).high))
  }

  /// 64 random bits, for whoever needs a number of its own, such as jitter.
  mutating func bits() -> UInt64 {
    let bits = list.map { next(of: $0) } ?? draw()
    if isRecording { made.append(bits) }
    return bits
  }

  /// Notes a choice that a schedule made by a rule of its own; a repeated list decides in its place.
  mutating func decide(_ index: Int, below bound: Int) -> Int {
    guard let list else { return note(index) }
    return note(Int(next(of: list) % UInt64(bound)))
  }

  /// Bits that belong to the schedule and are no choice of the run, such as a task's priority.
  mutating func scheduleBits() -> UInt64 { draw() }

  private mutating func note(_ choice: Int) -> Int {
    if isRecording { made.append(UInt64(choice)) }
    return choice
  }

  private mutating func next(of list: [UInt64]) -> UInt64 {
    guard position < list.count else { return 0 }
    defer { position += 1 }
    return list[position]
  }

  private mutating func draw() -> UInt64 { generator.next() }
}
