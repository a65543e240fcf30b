import Stoic

/// What a number of runs came to, for tests of the engine and for benchmarks: every seed is run, also after a failure.
package struct SimulationFigures: Sendable, Equatable {
  /// The runs made.
  package private(set) var runs = 0
  /// The runs that did not pass.
  package private(set) var failures = 0
  /// The steps made in all.
  package private(set) var steps = 0
  /// The hashes of all runs, folded into one.
  package private(set) var hash: UInt64 = 0
  /// How many different courses the runs took.
  package private(set) var distinct = 0

  /// Runs a body once per seed.
  package init(
    seeds: Range<Int>, schedules: [SimulationSchedule], earlyTimers: Bool = false, expectedSteps: Int? = nil,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    let host = RunHost()
    defer { host.end() }
    var hashes: Set<UInt64> = []
    var plan = SimulationRun.Plan(
      seed: 0, schedule: .uniform, hasEarlyTimers: earlyTimers, stepLimit: 1_000_000)
    let pilot = SimulationRun(plan)
    pilot.start(body)
    plan.expectedSteps = expectedSteps ?? host.perform(pilot).course.steps
    var rest = seeds
    while !rest.isEmpty {
      let batch = rest.prefix(RunHost.batch).map { seed in
        plan.seed = seed
        plan.schedule = schedules[Int(seed.magnitude % UInt(schedules.count))]
        let run = SimulationRun(plan)
        run.start(body)
        return run
      }
      rest = rest.dropFirst(batch.count)
      var isLost = false
      host.perform(batch, goesOnAfterFailure: true) { result in
        isLost = result.verdict.isBlocked
        guard !isLost else { return }
        runs += 1
        failures += result.verdict == .passed ? 0 : 1
        steps += result.course.steps
        hash = (hash ^ result.hash) &* 0x100_0000_01B3
        hashes.insert(result.hash)
      }
      if isLost { break }
    }
    distinct = hashes.count
  }
}
