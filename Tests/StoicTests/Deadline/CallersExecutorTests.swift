import Dispatch
import Stoic
import StoicTesting
import Testing

/// A task executor of its own queue.
private final class QueueExecutor: TaskExecutor {
  private static let key = DispatchSpecificKey<Bool>()
  private let queue = DispatchQueue(label: "callers-executor")

  init() { queue.setSpecific(key: Self.key, value: true) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }

  /// Whether the calling thread is the queue's.
  static var isHere: Bool { DispatchQueue.getSpecific(key: key) == true }
}

@Suite("The caller's task executor")
struct CallersExecutorTests {
  @Test("A body under a time limit stays on the task executor that its caller's task prefers")
  func stays() async throws {
    let places = try await withTaskExecutorPreference(QueueExecutor()) {
      let timeout = try await withTimeout(.seconds(3_600)) { await Self.places() }
      let deadline = try await withDeadline(.seconds(3_600)) { await Self.places() }
      return timeout + deadline + [QueueExecutor.isHere]
    }
    #expect(places == Array(repeating: true, count: 7))
  }

  /// Whether the body is on the executor, at first and after it has given way.
  private static func places() async -> [Bool] {
    var places = [QueueExecutor.isHere]
    for _ in 0..<2 {
      await Task.yield()
      places.append(QueueExecutor.isHere)
    }
    return places
  }

  @Test("A tolerance of any size is one")
  func tolerance() async throws {
    let clock = ToleranceClock()
    let ambient = AmbientClock(clock)
    for tolerance in [Duration(attoseconds: .max), Duration(attoseconds: .min), .seconds(1), nil] {
      try await ambient.sleep(until: ambient.now.advanced(by: .seconds(1)), tolerance: tolerance)
    }
    #expect(clock.tolerances == [.longest, .zero - .longest, .seconds(1), nil])
  }
}

/// A clock on which a sleep is over at once, and which notes with what tolerance it was asked for.
private final class ToleranceClock: Clock {
  typealias Instant = TestClock.Instant

  private let base = TestClock()
  private let state = Lock<[Duration?]>([])

  var now: Instant { base.now }
  var minimumResolution: Duration { .nanoseconds(1) }
  var tolerances: [Duration?] { state.withLock { $0 } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    state.withLock { $0.append(tolerance) }
    base.advance(by: base.now.duration(to: deadline))
  }
}
