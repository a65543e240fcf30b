#if os(Linux) || os(macOS)
/// The codings of a body on their way back.
///
/// It unpacks as much as is asked for and no more, so that a body that grows without end stays packed.
package struct Unpacking {
  /// In the order of undoing: the last applied first.
  private var stages: [PackedStage]
  /// How many bytes have gone into all stages, and how many have come out of the last.
  private var taken = 0
  private var made = 0

  /// What may go in although nothing comes out.
  ///
  /// Headers and empty blocks unpack to nothing, and packed again they are small: a few kilobytes would otherwise keep the
  /// thread busy for days.
  private static let idleInput = 1 << 20
  /// How much more may go in than comes out: ten times would be one byte to a block.
  private static let mostPerByte = 16

  /// - Parameter codings: in the order in which they were applied, at least one.
  package init(_ codings: [PackedStage.Coding]) {
    stages = codings.reversed().map(PackedStage.init)
  }

  /// Takes packed bytes.
  package mutating func push(_ bytes: [UInt8]) {
    taken += bytes.count
    stages[0].push(bytes[...])
  }

  /// Unpacks the next bytes into ``output``.
  package mutating func pull() -> PackedStage.Yield {
    guard !isIdle else { return .broken }
    let yield = pull(from: stages.count - 1)
    if case .made(let count) = yield { made += count }
    return yield
  }

  /// Whether it works, and nothing comes of it.
  private var isIdle: Bool { taken - Self.idleInput > made * Self.mostPerByte }

  /// What was unpacked last.
  package var output: [UInt8] { stages[stages.count - 1].output }

  /// Whether what has come so far may be all.
  package var isWhole: Bool { stages.allSatisfy(\.isWhole) }

  private mutating func pull(from index: Int) -> PackedStage.Yield {
    while true {
      let yield = stages[index].pull()
      guard case .needsInput = yield, index > 0 else { return yield }
      let before = pull(from: index - 1)
      guard case .made(let count) = before else { return before }
      taken += count
      guard !isIdle else { return .broken }
      stages[index].push(stages[index - 1].output[..<count])
    }
  }
}
#endif
