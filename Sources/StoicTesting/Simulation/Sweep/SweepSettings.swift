import Foundation

/// Which runs a sweep makes: what the test says, changed by the environment.
package struct SweepSettings {
  /// The step limit where a test names none.
  package static let usualStepLimit = 50_000

  package var seeds: Range<Int>
  package var schedules: [SimulationSchedule]
  package var earlyTimers: Bool
  package var stepLimit: Int
  /// How many runs may be made to find a smaller case of a failure.
  package var shrinkBudget = 600
  /// What the sweep has to reach.
  package var marks: [String]
  /// Whether the runs are those that the test asks for; where the environment chose others, a mark that is missed is no failure,
  /// nor is it that there is nothing to run.
  package private(set) var areAsAsked = true

  package init(
    seeds: Range<Int>, schedules: [SimulationSchedule], earlyTimers: Bool, stepLimit: Int,
    marks: [String] = []
  ) {
    self.seeds = seeds
    self.schedules = schedules
    self.earlyTimers = earlyTimers
    self.stepLimit = stepLimit
    self.marks = marks
  }

  /// Applies `STOIC_SEED` (one seed), `STOIC_SEEDS` (a number of seeds, or a range such as `100..<200`), and
  /// `STOIC_SCHEDULE`; a value that cannot be read is an error, not ignored.
  package mutating func apply(_ environment: [String: String]) throws {
    areAsAsked = ["STOIC_SEED", "STOIC_SEEDS", "STOIC_SCHEDULE"].allSatisfy { environment[$0] == nil }
    if let text = environment["STOIC_SEEDS"] { seeds = try Self.range(text) }
    if let text = environment["STOIC_SEED"] {
      guard let seed = Int(text), seed < .max else { throw Self.unreadable("STOIC_SEED", "a number") }
      seeds = seed..<(seed + 1)
    }
    if let text = environment["STOIC_SCHEDULE"] {
      guard let schedule = SimulationSchedule(text) else {
        throw Self.unreadable("STOIC_SCHEDULE", "uniform, pct:DEPTH or replay:CHOICES")
      }
      schedules = [schedule]
    }
  }

  private static func range(_ text: String) throws -> Range<Int> {
    if let count = Int(text), count >= 0 { return 0..<count }
    let bounds = text.components(separatedBy: "..<").map { Int($0) }
    guard bounds.count == 2, let low = bounds[0], let high = bounds[1], low <= high else {
      throw unreadable("STOIC_SEEDS", "a number of seeds, or a range such as 100..<200")
    }
    return low..<high
  }

  private static func unreadable(_ name: String, _ expected: String) -> SettingsError {
    SettingsError(description: "the environment's \(name) cannot be read: it has to be \(expected)")
  }
}

/// A setting of the environment that cannot be read.
package struct SettingsError: Error, CustomStringConvertible {
  package let description: String
}
