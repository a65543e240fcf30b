import Stoic
import StoicTesting
import Testing

@Suite("What the schedules find")
struct BugFindingTests {
  /// In how many of four thousand runs a body fails.
  private func hits(
    _ schedule: SimulationSchedule, _ body: @escaping @Sendable () async throws -> Void
  ) -> Int {
    SimulationFigures(seeds: 0..<4_000, schedules: [schedule], body).failures
  }

  @Test("A lost update of two tasks is met by the uniform schedule in most runs, and by PCT")
  func lostUpdate() {
    #expect(hits(.uniform) { try await Bugs.lostUpdate(tasks: 2) } >= 2_977)
    #expect(hits(.pct(depth: 2)) { try await Bugs.lostUpdate(tasks: 2) } >= 613)
  }

  @Test("The starvation of one of seventeen tasks is met by PCT in half of the runs, by chance never")
  func starvation() {
    #expect(hits(.uniform, Bugs.starvation) == 0)
    #expect(hits(.pct(depth: 1), Bugs.starvation) >= 1_900)
  }

  @Test("A pause in the middle of a sequence is met by PCT, and hardly ever by chance")
  func pause() {
    #expect(hits(.pct(depth: 2), Bugs.pauseInTheMiddle) >= 400)
    #expect(hits(.uniform, Bugs.pauseInTheMiddle) < 20)
  }

  @Test("The portfolio finds each of them within a thousand seeds")
  func portfolio() {
    #expect(
      VerdictTests.failure(seeds: 0..<1_000, { try await Bugs.lostUpdate(tasks: 2) })?.reason == .bodyFailed)
    #expect(VerdictTests.failure(seeds: 0..<1_000, Bugs.starvation)?.reason == .bodyFailed)
    #expect(VerdictTests.failure(seeds: 0..<1_000, Bugs.pauseInTheMiddle)?.reason == .bodyFailed)
  }

  @Test("Early timers let a timeout win against work that is already runnable")
  func earlyTimers() {
    let body: @Sendable () async throws -> Void = {
      try await withDeadline(.seconds(1)) { for _ in 0..<5 { await Task.yield() } }
    }
    #expect(SimulationFigures(seeds: 0..<500, schedules: .portfolio, body).failures == 0)
    #expect(SimulationFigures(seeds: 0..<500, schedules: .portfolio, earlyTimers: true, body).failures > 20)
  }
}
