import Stoic

/// The clock of a simulated run; it moves when the run's executor moves it.
struct SimulationClock: Clock, TimerClock {
  let executor: SimulationExecutor

  var now: TestClock.Instant { TestClock.Instant(offset: executor.elapsed) }
  var minimumResolution: Duration { .nanoseconds(1) }
  var elapsed: Duration { executor.elapsed }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
    try await AmbientClock(self).sleep(until: AmbientClock.Instant(offset: deadline.offset))
  }

  func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    executor.addTimer(at: offset, fire)
  }

  func removeTimer(_ id: Int) {
    executor.removeTimer(id)
  }
}
