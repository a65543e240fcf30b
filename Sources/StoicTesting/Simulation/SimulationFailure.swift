/// Why a simulated test failed, and how to run exactly that case again.
public struct SimulationFailure: Error, Sendable {
  /// What sort of failure.
  @nonexhaustive
  public enum Reason: Sendable, Hashable {
    /// The body threw an error, or an expectation in it failed.
    case bodyFailed
    /// Nothing can run, no timer is set, and the body has not ended.
    case deadlock
    /// Work left the simulation: a plain unstructured task, a real sleep, a hop to another executor or thread.
    case escaped
    /// The run took more steps than allowed: work that never gets anywhere.
    case stepLimit
    /// A task was still alive when the body had ended.
    case outlived
    /// The body blocked its thread instead of suspending.
    case blocked
    /// Two runs of one seed and schedule differed: the code draws on something that is not simulated.
    case diverged
    /// Something was taken and not given back.
    case leaked
    /// A declared mark was not reached in the whole sweep.
    case markMissed
    /// There was nothing to run: no seed, or no schedule.
    case nothingRun
  }

  /// How much there is to a run: what a reader has to follow.
  public struct Size: Sendable, Hashable {
    /// How often a task had to wait that could have gone on.
    public let preemptions: Int
    /// How many steps tasks made, each from one suspension to the next.
    public let steps: Int
    /// How many random numbers other than zero were drawn; early timers, reversed ties of timers, and timers that fired before
    /// the work of their instant was done are included.
    public let faults: Int

    package init(preemptions: Int = 0, steps: Int = 0, faults: Int = 0) {
      self.preemptions = preemptions
      self.steps = steps
      self.faults = faults
    }
  }

  /// The seed of the run.
  public let seed: Int
  /// The schedule of the run.
  public let schedule: SimulationSchedule
  /// Whether time could pass while work was runnable.
  public let earlyTimers: Bool
  /// What sort of failure.
  public let reason: Reason
  /// What exactly happened.
  public let message: String
  /// The choices of the shrunk run, which `.replay(_:)` repeats without the seed.
  public let choices: [UInt64]
  /// The size of the shrunk run; the same as ``originalSize`` where it could not be shrunk.
  public let size: Size
  /// The size of the run that the seed gives.
  public let originalSize: Size
  /// How many steps and timers the run could take.
  private let stepLimit: Int
  /// Whether it is one of all schedules, which no seed gives.
  private let isOfSearch: Bool
  private let picture: SimulationTimeline

  /// The shrunk run as text, of at most 40 lines; empty where the run could not be repeated.
  public var timeline: String { picture.text }
  /// The shrunk run as a picture, an SVG document of all its lines; empty where the run could not be repeated.
  public var timelineSVG: String { picture.svg }

  init(
    of plan: SimulationRun.Plan, reason: Reason, message: String, choices: [UInt64] = [], size: Size = Size(),
    originalSize: Size = Size(), timeline: SimulationTimeline = SimulationTimeline()
  ) {
    seed = plan.seed
    schedule = plan.schedule
    earlyTimers = plan.hasEarlyTimers
    stepLimit = plan.stepLimit
    isOfSearch = plan.isSearch
    self.reason = reason
    self.message = message
    self.choices = choices
    self.size = size
    self.originalSize = originalSize
    picture = timeline
  }
}

extension SimulationFailure: CustomStringConvertible {
  /// What happened, how to run it again, and its timeline; where nothing was run, the first alone.
  public var description: String {
    var lines = ["simulation failed (\(reason)): \(message)"]
    guard reason != .nothingRun else { return lines[0] }
    if isOfSearch {
      lines.append("Run it again:  \(code(seed: 0, schedule))")
    } else {
      lines.append(
        "Run it again:  STOIC_SEED=\(seed) STOIC_SCHEDULE=\(schedule) swift test --filter <this test>")
      lines.append("or in code:    \(code(seed: seed, schedule))")
    }
    if size != originalSize {
      lines.append("Shrunk from \(originalSize) to \(size); to run that case:")
      lines.append("               \(code(seed: 0, .replay(choices)))")
    }
    if !timeline.isEmpty { lines.append("What happened:\n\(timeline)") }
    return lines.joined(separator: "\n")
  }

  /// The call that makes one run.
  private func code(seed: Int, _ schedule: SimulationSchedule) -> String {
    let early = earlyTimers ? ", earlyTimers: true" : ""
    let limit = stepLimit == SweepSettings.usualStepLimit ? "" : ", stepLimit: \(stepLimit)"
    return "try simulate(seeds: \(seed)..<\(seed + 1), schedules: [\(schedule.code)]\(early)\(limit)) { … }"
  }
}

extension SimulationFailure.Size: CustomStringConvertible {
  /// The numbers in words.
  public var description: String { "\(preemptions) preemptions, \(steps) steps, \(faults) faults" }
}

extension SimulationFailure.Size: Comparable {
  /// Fewer preemptions count first, then fewer steps, then fewer faults.
  public static func < (left: Self, right: Self) -> Bool {
    (left.preemptions, left.steps, left.faults) < (right.preemptions, right.steps, right.faults)
  }
}
