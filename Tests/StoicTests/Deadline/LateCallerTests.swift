import Stoic
import StoicTesting
import Testing

@Suite("Callers that go on late")
struct LateCallerTests {
  @Test("A value that comes in time counts, however late the caller gets to go on", arguments: [false, true])
  func late(isStep: Bool) throws {
    try simulate(seeds: 0..<500, earlyTimers: true, marks: ["in time, and late", "late"]) {
      let start = Ambient.clock.now
      let ended = Ended()
      let body: @Sendable () async throws -> Int = {
        for _ in 0..<4 { await Task.yield() }
        ended.time = start.duration(to: Ambient.clock.now)
        return 7
      }
      // What makes time pass meanwhile.
      let others = (1...4).map { number in
        Ambient.task { try await Ambient.sleep(for: .milliseconds(300 * number)) }
      }
      do {
        let value =
          isStep ? try await withTimeout(.seconds(1), body) : try await withDeadline(.seconds(1), body)
        #expect(value == 7 && ended.time < .seconds(1))
        if start.duration(to: Ambient.clock.now) >= .seconds(1) { mark("in time, and late") }
      } catch {
        #expect(ended.time >= .seconds(1))
        mark("late")
      }
      for other in others { try await other.value }
    }
  }

  private final class Ended: Sendable {
    private let state = Lock(Duration.zero)

    var time: Duration {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }
}
