import Stoic
import StoicTesting
import Testing

@Suite("Errors of hedged attempts")
struct HedgeErrorTests {
  /// An error that has the last word when nobody holds it any more.
  private final class Parting: Error {
    private let word: @Sendable () -> Void

    init(_ word: @escaping @Sendable () -> Void) {
      self.word = word
    }

    deinit { word() }
  }

  private struct Down: Error {}

  private final class Caller: Sendable {
    private let state = Lock<Task<Void, any Error>?>(nil)

    var task: Task<Void, any Error>? {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  @Test("An error that gives way to another's is let go of where it may cancel the call")
  func parting() throws {
    try simulate(seeds: 0..<50, marks: ["let go"]) {
      let hedge = Hedge(Hedge.Configuration(delay: .fixed(.seconds(1))))
      let caller = Caller()
      let task = Ambient.task {
        _ = await #expect(throws: (any Error).self) {
          try await hedge.run {
            let isFirst = Ambient.clock.now < .init(offset: .seconds(1))
            try await Ambient.sleep(for: .seconds(isFirst ? 5 : 1))
            if isFirst { throw Down() }
            throw Parting {
              mark("let go")
              caller.task?.cancel()
            }
          }
        }
      }
      caller.task = task
      _ = await task.result
      caller.task = nil
    }
  }
}
