import Stoic
import StoicTesting
import Testing

@Suite("Throttle")
struct ThrottleTests {
  @Test("A throttle refuses nothing while all is well, and nine tenths when nothing is accepted")
  func shares() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      try await withRandom(.seeded(1)) {
        let throttle = Throttle(Throttle.Configuration(minimumRate: 0))
        for _ in 0..<1_000 { try await throttle.run {} }
        #expect(throttle.rejectionProbability == 0)
        clock.advance(by: .seconds(120))
        for _ in 0..<1_000 { _ = await word { try await throttle.run { throw Fault() } } }
        #expect(throttle.rejectionProbability == 0.9)
      }
    }
  }
}
