import Stoic
import StoicTesting
import Testing

@Suite("Simulations beside each other")
struct ParallelSimulationTests {
  @Test("Each is as it is alone, also while others hold the threads of the system")
  func together() async throws {
    let sizes = await withTaskGroup(of: SimulationFigures.self) { group in
      for _ in 0..<4 {
        group.addTask { SimulationFigures(seeds: 0..<300, schedules: .portfolio, ReplayTests.scenario) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(sizes.allSatisfy { $0 == sizes[0] && $0.failures == 0 })
  }
}
