/// What a sweep that passed has run.
public struct SimulationReport: Sendable, Hashable {
  /// The seeds run; repetitions do not count.
  public let seeds: Int
  /// How many different courses the runs took.
  public let distinctSchedules: Int
  /// In how many of the runs each mark was reached; declared ones are there also when they were not.
  public let marks: [String: Int]
  /// How long the sweep took, in real time.
  public let elapsed: Duration

  package init(seeds: Int, distinctSchedules: Int, marks: [String: Int], elapsed: Duration) {
    self.seeds = seeds
    self.distinctSchedules = distinctSchedules
    self.marks = marks
    self.elapsed = elapsed
  }

  /// Seeds run per second of real time; zero where no time was measured.
  public var seedsPerSecond: Double {
    let (seconds, attoseconds) = elapsed.components
    let time = Double(seconds) + Double(attoseconds) / 1e18
    return time > 0 ? Double(seeds) / time : 0
  }
}

extension SimulationReport: CustomStringConvertible {
  /// The report in a line, its marks by name.
  public var description: String {
    let reached = marks.sorted { $0.key < $1.key }.map { ", \($0.key) in \($0.value)" }
    return "\(seeds) seeds, \(distinctSchedules) distinct schedules, \(Int(seedsPerSecond)) seeds/s"
      + reached.joined()
  }
}
