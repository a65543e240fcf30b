/// What a search of all schedules has run.
public struct SimulationSearchReport: Sendable, Hashable {
  /// The runs made.
  public let runs: Int
  /// How many schedules they stand for; more than runs where runs that come to the same were not made.
  public let schedules: Double
  /// Whether all schedules were tried, rather than as many as the limit allows.
  public let isComplete: Bool
}

extension SimulationSearchReport: CustomStringConvertible {
  /// The report in a line.
  public var description: String {
    let saved = max(0, schedules - Double(runs))
    let what =
      isComplete
      ? "all \(Self.text(schedules)) schedules explored"
      : "\(Self.text(schedules)) schedules explored, not all"
    return "\(what) in \(runs) runs, \(Self.text(saved)) saved"
  }

  private static func text(_ number: Double) -> String {
    // Beyond 2^53 the last digits are none.
    number < 0x1p53 ? "\(UInt64(number))" : "\(number)"
  }
}
