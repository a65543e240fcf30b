import StoicTesting
import Testing

@Suite("Settings of a sweep")
struct SweepSettingsTests {
  private func settings(_ environment: [String: String]) throws -> SweepSettings {
    var settings = SweepSettings(seeds: 0..<5, schedules: .portfolio, earlyTimers: false, stepLimit: 10)
    try settings.apply(environment)
    return settings
  }

  @Test("The environment chooses seeds and schedule")
  func environment() throws {
    #expect(try settings([:]).seeds == 0..<5)
    #expect(try settings(["STOIC_SEED": "17"]).seeds == 17..<18)
    #expect(try settings(["STOIC_SEEDS": "300"]).seeds == 0..<300)
    #expect(try settings(["STOIC_SEEDS": "100..<200"]).seeds == 100..<200)
    #expect(try settings(["STOIC_SEEDS": "9", "STOIC_SEED": "3"]).seeds == 3..<4)
    #expect(try settings(["STOIC_SCHEDULE": "pct:4"]).schedules == [.pct(depth: 4)])
  }

  @Test(
    "What cannot be read is an error, not ignored",
    arguments: [
      ["STOIC_SEED": "x"], ["STOIC_SEED": ""], ["STOIC_SEED": "9223372036854775807"], ["STOIC_SEEDS": "-1"],
      ["STOIC_SEEDS": "9..<3"], ["STOIC_SEEDS": "1...3"], ["STOIC_SCHEDULE": "chaos"],
    ])
  func unreadable(environment: [String: String]) {
    #expect(throws: SettingsError.self) { try settings(environment) }
  }

  @Test("A sweep without seeds or schedules runs nothing, and fails saying so")
  func nothing() throws {
    let body: @Sendable () async throws -> Void = { Issue.record("ran") }
    let noSeed = try #require(
      throws: SimulationFailure.self, performing: { try simulate(seeds: 0..<0, marks: ["never"], body) })
    let noSchedule = try #require(
      throws: SimulationFailure.self, performing: { try simulate(seeds: 0..<5, schedules: [], body) })
    #expect(noSeed.reason == .nothingRun && noSchedule.reason == .nothingRun)
    #expect(
      "\(noSeed)" == "simulation failed (nothingRun): nothing was run, since there is no seed to run")
    #expect(
      "\(noSchedule)" == "simulation failed (nothingRun): nothing was run, since there is no schedule to run")
  }

  @Test(
    "A range of any bounds is run from its first seed on, up to the first that fails",
    arguments: [
      Int.min..<Int.max, Int.min..<(Int.min + 20), (Int.max - 20)..<Int.max, -1..<Int.max, 500..<600,
    ],
    [[SimulationSchedule].portfolio, [.uniform], [.pct(depth: 3)]])
  func bounds(seeds: Range<Int>, schedules: [SimulationSchedule]) throws {
    struct Failed: Error {}
    let failure = try #require(
      throws: SimulationFailure.self,
      performing: { try simulate(seeds: seeds, schedules: schedules) { throw Failed() } })
    #expect(failure.seed == seeds.lowerBound && failure.reason == .bodyFailed)
  }

  @Test("Sweeps at the ends of all seeds run each of them")
  func ends() throws {
    for seeds in [Int.min..<(Int.min + 70), (Int.max - 70)..<Int.max] {
      #expect(try simulate(seeds: seeds, schedules: [.uniform]) {}.seeds == 70)
    }
  }

  @Test("A sweep that the environment gives no seed passes without running anything")
  func nothingByEnvironment() throws {
    let report = try Sweep(settings(["STOIC_SEEDS": "0"])) { Issue.record("ran") }.run()
    #expect(report.seeds == 0)
  }
}
