import Foundation
import Stoic
import StoicTesting
import Testing

/// A timer that cancels a task runs the handlers of that task, in no task of its own.
@Suite("What a timer of a simulated run does")
struct TimerHandlerTests {
  /// Handlers of a cancellation: of a task, and of a stream's end.
  enum Kind: CaseIterable { case task, stream }

  /// Waits inside a deadline that passes, and does something in a handler of the cancellation.
  private static func expire(_ kind: Kind, _ handle: @escaping @Sendable () -> Void) async {
    try? await withDeadline(.seconds(7)) {
      switch kind {
      case .task:
        try await withTaskCancellationHandler {
          try await Ambient.sleep(for: .seconds(60))
        } onCancel: {
          handle()
        }
      case .stream:
        let (stream, ends) = AsyncStream.makeStream(of: Int.self)
        ends.onTermination = { _ in handle() }
        for await _ in stream {}
      }
    }
  }

  @Test(
    "A handler that a timer calls sees the run's clock, numbers, marks and tasks",
    arguments: Kind.allCases)
  func handler(kind: Kind) throws {
    let numbers = Shared<[Int: [Int]]>([:])
    let report = try simulate(seeds: 0..<200, marks: ["in a handler", "in its task"]) {
      let start = Ambient.clock.now
      let tasks = Shared<[Task<Void, any Error>]>([])
      let drawn = Shared<[Int]>([])
      await Self.expire(kind) {
        mark("in a handler")
        #expect(start.duration(to: Ambient.clock.now) == .seconds(7))
        drawn.withLock { $0 = [pick(below: 1_000), Int(Ambient.random.next() % 1_000)] }
        let task = Ambient.task {
          try await Ambient.sleep(for: .seconds(1))
          mark("in its task")
        }
        tasks.withLock { $0.append(task) }
      }
      for task in tasks.withLock({ $0 }) { try await task.value }
      #expect(start.duration(to: Ambient.clock.now) == .seconds(8))
      let both = drawn.withLock { $0 }
      numbers.withLock { $0[both[0], default: []].append(both[1]) }
    }
    #expect(report.seeds == 200)
    #expect(numbers.withLock { $0.count } > 100)
  }

  @Test("A handler that a timer calls and that starts a plain task is an escape", arguments: Kind.allCases)
  func escape(kind: Kind) {
    for detached in [false, true] {
      let failure = VerdictTests.failure {
        await Self.expire(kind) { if detached { Task.detached {} } else { Task {} } }
      }
      #expect(failure?.reason == .escaped)
    }
  }

  @Test("A handler that a timer calls and that leaves a task behind is found out")
  func outlived() {
    let failure = VerdictTests.failure {
      await Self.expire(.task) { Ambient.task { try await Ambient.suspend() } }
    }
    #expect(failure?.reason == .outlived)
  }

  @Test("Every number that such a handler picks is tried by a search")
  func search() throws {
    let seen = Shared<Set<Int>>([])
    try simulateAll { await Self.expire(.task) { seen.withLock { _ = $0.insert(pick(below: 5)) } } }
    #expect(seen.withLock { $0 } == Set(0..<5))
  }
}
