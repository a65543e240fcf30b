import Foundation

/// Runs a body many times, each time in virtual time and in another order of its tasks.
///
/// Documentation follows.
public func simulate(
  seeds: Range<Int> = 0..<100, schedules: [SimulationSchedule] = .portfolio, earlyTimers: Bool = false,
  stepLimit: Int = 200_000, _ body: @escaping @Sendable () async throws -> Void
) throws {
  var settings = SweepSettings(
    seeds: seeds, schedules: schedules, earlyTimers: earlyTimers, stepLimit: max(1, stepLimit))
  try settings.apply(ProcessInfo.processInfo.environment)
  if let failure = Sweep(settings, body).run() { throw failure }
}
