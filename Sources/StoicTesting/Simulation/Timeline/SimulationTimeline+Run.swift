import Stoic

extension SimulationTimeline {
  /// The timeline of one run, passing or not, to see what a test does.
  ///
  /// PCT estimates no steps here, so a PCT schedule may differ from that of a sweep.
  ///
  /// - Parameters:
  ///   - seed: the run's seed.
  ///   - schedule: how the next task is picked.
  ///   - earlyTimers: whether time may pass while work is runnable.
  ///   - body: the work.
  public init(
    seed: Int = 0, schedule: SimulationSchedule = .uniform, earlyTimers: Bool = false,
    _ body: @escaping @Sendable () async throws -> Void
  ) {
    let host = RunHost()
    defer { host.end() }
    let run = SimulationRun(
      SimulationRun.Plan(
        seed: seed, schedule: schedule, hasEarlyTimers: earlyTimers, stepLimit: SweepSettings.usualStepLimit,
        isTraced: true))
    run.start(body)
    let result = host.perform(run)
    switch result.verdict {
    case .passed: self.init(result.course, end: nil)
    case .failed(.blocked, _): self.init()
    case .failed(let reason, let message): self.init(result.course, end: "\(reason): \(message)")
    }
  }
}
