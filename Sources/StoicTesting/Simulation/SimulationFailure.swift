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
  /// The choices of the run, which `.replay(_:)` repeats without the seed.
  public let choices: [UInt64]
  /// The last steps of the run as text, a line a step; empty where the run could not be repeated.
  public let timeline: String
}

extension SimulationFailure: CustomStringConvertible {
  /// What happened, how to run it again, and the last steps.
  public var description: String {
    let steps = timeline.isEmpty ? "" : "\nThe last steps:\n\(timeline)"
    return """
      simulation failed (\(reason)): \(message)
      Run it again:  STOIC_SEED=\(seed) STOIC_SCHEDULE=\(schedule) swift test --filter <this test>
      or in code:    try simulate(seeds: \(seed)..<\(seed + 1), schedules: [\(schedule.code)]\
      \(earlyTimers ? ", earlyTimers: true" : "")) { … }\(steps)
      """
  }
}
