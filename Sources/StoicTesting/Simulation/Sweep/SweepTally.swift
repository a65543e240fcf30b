/// What the runs of a sweep came to so far.
struct SweepTally {
  private(set) var seeds = 0
  private var hashes: Set<UInt64> = []
  private(set) var marks: [String: Int]
  private let declared: [String]
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  init(declared: [String]) {
    self.declared = declared
    marks = Dictionary(declared.map { ($0, 0) }, uniquingKeysWith: { first, _ in first })
    start = clock.now
  }

  mutating func add(_ result: SimulationRun.Result) {
    seeds += 1
    hashes.insert(result.hash)
    for name in result.marks { marks[name, default: 0] += 1 }
  }

  /// The declared marks that no run has reached.
  var missed: [String] {
    var told: Set<String> = []
    return declared.filter { marks[$0] == 0 && told.insert($0).inserted }
  }

  var report: SimulationReport {
    SimulationReport(
      seeds: seeds, distinctSchedules: hashes.count, marks: marks, elapsed: start.duration(to: clock.now))
  }
}
