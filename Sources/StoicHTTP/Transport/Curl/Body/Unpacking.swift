#if os(Linux) || os(macOS)
/// The codings of a body on their way back.
///
/// It unpacks as much as is asked for and no more, so that a body that grows without end stays packed.
struct Unpacking {
  /// In the order of undoing: the last applied first.
  private var stages: [PackedStage]

  /// - Parameter codings: in the order in which they were applied, at least one.
  init(_ codings: [PackedStage.Coding]) {
    stages = codings.reversed().map(PackedStage.init)
  }

  /// Takes packed bytes.
  mutating func push(_ bytes: [UInt8]) { stages[0].push(bytes[...]) }

  /// Unpacks the next bytes into ``output``.
  mutating func pull() -> PackedStage.Yield { pull(from: stages.count - 1) }

  /// What was unpacked last.
  var output: [UInt8] { stages[stages.count - 1].output }

  /// Whether what has come so far may be all.
  var isWhole: Bool { stages.allSatisfy(\.isWhole) }

  private mutating func pull(from index: Int) -> PackedStage.Yield {
    while true {
      let yield = stages[index].pull()
      guard case .needsInput = yield, index > 0 else { return yield }
      let before = pull(from: index - 1)
      guard case .made(let count) = before else { return before }
      stages[index].push(stages[index - 1].output[..<count])
    }
  }
}
#endif
