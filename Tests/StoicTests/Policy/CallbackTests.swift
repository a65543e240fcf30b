import Dispatch
import Stoic
import StoicTesting
import Testing

@Suite("What a caller brings")
struct CallbackTests {
  @Test(
    "No lock is held where a caller's code runs: it may ask the very policy back", .timeLimit(.minutes(30)))
  func lookingBack() async throws {
    let flights = SingleFlight<Nosy, Parting>()
    let (breaker, bulkhead) = (
      CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1, openFor: .zero)),
      Bulkhead(maxConcurrent: 1, queueLimit: 0)
    )
    let budget = RetryBudget()
    let limiter = RateLimiter(RateLimiter.Configuration(calls: 1_000_000, queueLimit: 1))
    let throttle = Throttle(Throttle.Configuration(minimumRate: 0))
    let look: @Sendable () -> Void = {
      _ = (
        flights.inFlight, breaker.state, breaker.forced, bulkhead.inUse, bulkhead.waiting, budget.available,
        limiter.available, limiter.waiting, throttle.rejectionProbability
      )
    }
    let looks = Calls()
    let nosy: @Sendable (Int) -> Nosy = { number in
      Nosy(number: number) {
        look()
        looks.add()
      }
    }
    try await withRandom(
      RandomSource {
        look()
        return 1
      }
    ) {
      try await withEvents(NosySink(look: look)) {
        let starter = Task {
          try await flights.run(nosy(1)) {
            while looks.count < 9 { await Task.yield() }
            return Parting(look: look)
          }
        }
        while flights.inFlight < 1 { await Task.yield() }
        // Another key of the same hash, one who joins, and one who joins and leaves.
        let other = Task { try await flights.run(nosy(2)) { Parting(look: look) } }
        let joiners = (0..<4).map { _ in Task { try await flights.run(nosy(1)) { Parting(look: look) } } }
        joiners[0].cancel()
        _ = await (starter.result, other.result)
        for joiner in joiners { _ = await joiner.result }
        for _ in 0..<3 {
          _ = await word {
            try await retry(RetrySchedule(maxAttempts: 2, base: .zero), budget: budget) { _ in
              try await breaker.run { try await bulkhead.run { try await bulkhead.run { throw Fault() } } }
            }
          }
          _ = await word { try await throttle.run { try await limiter.run { throw Fault() } } }
          _ = await word {
            try await breaker.run(judging: { (_: Result<Void, any Error>) in
              look()
              return .failure
            }) { throw Fault() }
          }
        }
      }
    }
    #expect(looks.count > 9 && flights.inFlight == 0)
  }

  @Test(
    "No lock is held where somebody who waits is woken: the executor may ask the very policy back",
    .timeLimit(.minutes(30)))
  func lookingBackFromAnExecutor() async throws {
    let (clock, events) = (TestClock(), EventRecorder())
    let (bulkhead, flights) = (Bulkhead(maxConcurrent: 1), SingleFlight<Int, Void>())
    let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(60), burst: 1))
    let executor = NosyExecutor {
      _ = (bulkhead.inUse, bulkhead.waiting, flights.inFlight, limiter.available, limiter.waiting)
    }
    try await withClock(clock) {
      try await withEvents(events) {
        let queued = try await bulkhead.run {
          let queued = Task(executorPreference: executor) { try await bulkhead.run {} }
          while bulkhead.waiting < 1 { await Task.yield() }
          return queued
        }
        let starter = Task {
          try await flights.run(1) {
            while !events.events.contains(where: { $0.name == "single_flight.joined" }) { await Task.yield() }
          }
        }
        while flights.inFlight < 1 { await Task.yield() }
        let joined = Task(executorPreference: executor) { try await flights.run(1) {} }
        try await limiter.run {}
        let limited = Task(executorPreference: executor) { try await limiter.run {} }
        while limiter.waiting < 1 || clock.sleepers.isEmpty { await Task.yield() }
        clock.advance(by: .seconds(60))
        for task in [queued, starter, joined, limited] { try await task.value }
      }
    }
    #expect(executor.looks.count > 3)
  }
}

/// A task executor that looks around with each job.
private final class NosyExecutor: TaskExecutor {
  let looks = Calls()
  private let look: @Sendable () -> Void
  private let queue = DispatchQueue(label: "nosy")

  init(look: @escaping @Sendable () -> Void) { self.look = look }

  func enqueue(_ job: consuming ExecutorJob) {
    looks.add()
    look()
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    queue.async { job.runSynchronously(on: executor) }
  }
}

/// A key that looks around whenever it is hashed, compared or let go of.
private struct Nosy: Hashable, Sendable {
  let number: Int
  let look: @Sendable () -> Void
  private let parting: Parting

  init(number: Int, look: @escaping @Sendable () -> Void) {
    (self.number, self.look) = (number, look)
    parting = Parting(look: look)
  }

  static func == (left: Nosy, right: Nosy) -> Bool {
    left.look()
    return left.number == right.number
  }

  func hash(into hasher: inout Hasher) {
    look()
    hasher.combine(0)
  }
}

/// Looks around once more at its end.
private final class Parting: Sendable {
  private let look: @Sendable () -> Void

  init(look: @escaping @Sendable () -> Void) { self.look = look }

  deinit { look() }
}

/// A sink that looks around with each event.
private struct NosySink: EventSink {
  let look: @Sendable () -> Void

  func wants(_ name: String, _ level: Event.Level) -> Bool {
    look()
    return true
  }

  func record(_ event: Event) { look() }
}
