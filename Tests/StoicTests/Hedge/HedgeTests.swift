import Stoic
import StoicTesting
import Testing

@Suite("Hedge")
struct HedgeTests {
  private static let soon = Hedge.Configuration(delay: .fixed(.milliseconds(100)))

  @Test("A slow first attempt gets a second one beside it, and the first value wins")
  func wins() throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let (turns, inside) = (Turns(), Occupancy())
      let start = milliseconds
      let value = try await hedge.run {
        let turn = turns.next()
        try await inside.stay(for: turn == 1 ? .seconds(9) : .milliseconds(50))
        return turn
      }
      #expect(value == 2 && turns.count == 2)
      #expect(milliseconds - start == 150)
      #expect(inside.now == 0 && inside.most == 2)
      #expect(hedge.available == 0)
    }
  }

  @Test("A first attempt that is quick has none beside it, and costs no budget")
  func quick() throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      let value = try await hedge.run {
        let turn = turns.next()
        try await Ambient.sleep(for: .milliseconds(99))
        return turn
      }
      #expect(value == 1 && turns.count == 1 && milliseconds - start == 99)
      #expect(hedge.available == 1)
    }
  }

  @Test(
    "The first attempt wins where it is quicker after all, and the second one is cancelled and waited for")
  func firstWins() throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let (turns, inside) = (Turns(), Occupancy())
      let start = milliseconds
      let value = try await hedge.run {
        let turn = turns.next()
        inside.enter()
        defer { inside.leave() }
        if turn == 1 {
          try await Ambient.sleep(for: .milliseconds(200))
        } else {
          do { try await Ambient.sleep(for: .seconds(9)) } catch {
            // It takes a while to clean up.
            await Self.rest(.milliseconds(30))
            throw error
          }
        }
        return turn
      }
      #expect(value == 1 && milliseconds - start == 230)
      #expect(inside.now == 0)
    }
  }

  /// Waits, cancelled or not.
  private static func rest(_ duration: Duration) async {
    let task = Ambient.task { try await Ambient.sleep(for: duration) }
    _ = await task.result
  }

  @Test(
    "One attempt's failure does not end the call while the other runs",
    arguments: [(1, 300), (2, 400)])
  func failure(failing: Int, end: Int64) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      let value = try await hedge.run {
        let turn = turns.next()
        // The one fails 150 ms after the call's begin, the other takes until the end.
        if turn == failing {
          try await Ambient.sleep(for: .milliseconds(turn == 1 ? 150 : 50))
          throw Fault(number: turn)
        }
        try await Ambient.sleep(for: .milliseconds(turn == 1 ? 400 : 200))
        return turn
      }
      #expect(value == 3 - failing && milliseconds - start == end)
    }
  }

  @Test(
    "When both attempts fail the first one's error is thrown, whichever came last", arguments: [150, 250])
  func bothFail(first: Int64) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      do {
        try await hedge.run {
          let turn = turns.next()
          try await Ambient.sleep(for: .milliseconds(turn == 1 ? first : 100))
          throw Fault(number: turn)
        }
        Issue.record("there was no error")
      } catch { #expect(error as? Fault == Fault(number: 1)) }
      #expect(milliseconds - start == max(first, 200))
      #expect(turns.count == 2)
    }
  }

  @Test(
    "An error of either attempt that says it is final ends the call at once, and the other one is cancelled",
    arguments: [(1, 150), (2, 150)])
  func final(failing: Int, end: Int64) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let (turns, inside) = (Turns(), Occupancy())
      let start = milliseconds
      do {
        try await hedge.run {
          let turn = turns.next()
          try await inside.stay(for: turn == failing ? .milliseconds(turn == 1 ? 150 : 50) : .seconds(9))
          throw Advised(number: turn, retryAdvice: .final)
        }
        Issue.record("there was no error")
      } catch { #expect((error as? Advised)?.number == failing) }
      #expect(milliseconds - start == end && inside.now == 0 && inside.total == 2)
      // It was made, and reached what it calls.
      #expect(hedge.available == 0)
    }
  }

  @Test("A final error comes before one that is not, whichever attempt has it", arguments: [1, 2])
  func finalAfter(failing: Int) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      do {
        try await hedge.run {
          let turn = turns.next()
          try await Ambient.sleep(for: .milliseconds(turn == failing ? 300 : 150))
          throw Advised(number: turn, retryAdvice: turn == failing ? .final : .retryAfter(.seconds(1)))
        }
        Issue.record("there was no error")
      } catch { #expect((error as? Advised)?.number == failing) }
      #expect(milliseconds - start == (failing == 1 ? 300 : 400))
    }
  }

  @Test(
    "What ends no call while the other attempt runs: a policy's refusal, a cancellation of nobody, advice to try again",
    arguments: [
      Rejection(.breakerOpen), Rejection(.deadlineExceeded), CancellationError(),
      Advised(number: 0, retryAdvice: .retry), TimeoutError(after: .zero),
    ] as [any Error], [1, 2])
  func notFinal(error: any Error, failing: Int) throws {
    try simulate(seeds: 0..<20) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let value = try await hedge.run {
        let turn = turns.next()
        try await Ambient.sleep(for: .milliseconds(turn == failing ? 150 : 400))
        if turn == failing { throw error }
        return turn
      }
      #expect(value == 3 - failing)
    }
  }

  /// An error with advice of its own.
  private struct Advised: Retryable {
    let number: Int
    let retryAdvice: RetryAdvice
  }

  @Test("A first attempt that fails before the hedge is due ends the call, and there is no second one")
  func earlyFailure() throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      let end = await word {
        try await hedge.run {
          _ = turns.next()
          try await Ambient.sleep(for: .milliseconds(50))
          throw Fault()
        }
      }
      #expect(end == "fault")
      #expect(milliseconds - start == 50 && turns.count == 1 && hedge.available == 1)
    }
  }

  @Test("There is no hedge before enough latencies are known; then it comes at the quantile of the last ones")
  func quantile() throws {
    try simulate(seeds: 0..<20) {
      let numbers = Hedge.Configuration(
        delay: .quantile(0.9), minimumSamples: 10, lastSamples: 10, minimumHedges: 9)
      let hedge = Hedge(numbers)
      let run: @Sendable (Int64, Int64) async throws -> Int = { first, second in
        let turns = Turns()
        try await hedge.run {
          try await Ambient.sleep(for: .milliseconds(turns.next() == 1 ? first : second))
        }
        return turns.count
      }
      for number in 1...10 {
        #expect(hedge.delay == nil)
        let attempts = try await run(Int64(100 * number), 0)
        #expect(attempts == 1)
      }
      #expect(hedge.delay == .milliseconds(900))
      let quick = try await run(899, 0)
      #expect(quick == 1)
      // The oldest, 100 ms, made place.
      #expect(hedge.delay == .milliseconds(900))
      let slow = try await run(5_000, 200)
      #expect(slow == 2)
      // What the first attempt would have taken is at least the 1.1 s after which the second one won.
      #expect(hedge.delay == .milliseconds(1_000))
    }
  }

  @Test("Failures and cancelled calls are no latencies")
  func unmeasured() throws {
    try simulate(seeds: 0..<20) {
      let hedge = Hedge(Hedge.Configuration(delay: .quantile(0.5), minimumSamples: 1))
      let failed = await word { try await hedge.run { throw Fault() } }
      #expect(failed == "fault")
      let end = await word {
        try await withDeadline(.seconds(1)) {
          try await hedge.run { try await Ambient.sleep(for: .seconds(2)) }
        }
      }
      #expect(end == "deadline_exceeded")
      #expect(hedge.delay == nil)
      try await hedge.run { try await Ambient.sleep(for: .seconds(1)) }
      #expect(hedge.delay == .seconds(1))
    }
  }

  @Test("A hedge that would begin at the deadline or later is not made", arguments: [(100, 1), (101, 2)])
  func deadline(limit: Int64, attempts: Int) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let start = milliseconds
      let end = await word {
        try await withDeadline(.milliseconds(limit)) {
          try await hedge.run {
            _ = turns.next()
            try await hang()
          }
        }
      }
      #expect(end == "deadline_exceeded" && milliseconds - start == limit)
      #expect(turns.count == attempts)
    }
  }

  @Test("When the caller is cancelled both attempts are, and are waited for", arguments: [50, 150])
  func cancelled(after time: Int64) throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let inside = Occupancy()
      let call = Ambient.task {
        try await hedge.run {
          inside.enter()
          defer { inside.leave() }
          try await hang()
        }
      }
      try await Ambient.sleep(for: .milliseconds(time))
      #expect(inside.now == (time < 100 ? 1 : 2))
      call.cancel()
      #expect(await call.result.isCancellation)
      #expect(inside.now == 0 && inside.total == (time < 100 ? 1 : 2))
    }
  }

  @Test("A cancelled call starts no hedge, and its body's own error stays")
  func cancelledBefore() throws {
    try simulate(seeds: 0..<100) {
      let hedge = Hedge(Self.soon)
      let turns = Turns()
      let call = Ambient.task {
        try await hedge.run {
          _ = turns.next()
          await Self.rest(.milliseconds(200))
          throw Fault()
        }
      }
      try await Ambient.sleep(for: .milliseconds(50))
      call.cancel()
      #expect(await word { try await call.value } == "fault")
      #expect(turns.count == 1 && hedge.available == 1)
    }
  }

  @Test("Both attempts have all that is in force for the caller, the retry's attempt among it")
  func values() throws {
    try simulate(seeds: 0..<20) {
      let hedge = Hedge(Self.soon)
      let events = EventRecorder()
      let turns = Turns()
      try await withDeadline(.seconds(5)) {
        let deadline = Ambient.deadline
        try await withEvents(events) {
          try await retry { _ in
            try await hedge.run {
              #expect(Ambient.deadline == deadline)
              // A retry inside an attempt makes one attempt.
              let end = await word {
                try await retry { _ in
                  if turns.next() == 1 { try await Ambient.sleep(for: .milliseconds(150)) }
                  throw Fault()
                }
              }
              #expect(end == "fault" || Task.isCancelled)
            }
          }
        }
      }
      #expect(turns.count == 2)
      #expect(events.events.map(\.name) == ["hedge.started", "hedge.won"])
      #expect(events.events.first?["delay"] == "0.1s")
    }
  }

  @Test("In a policy a hedge hedges what may run twice at once; what may not runs once, and that is told")
  func stage() throws {
    try simulate(seeds: 0..<20) {
      let policy = Policy(
        RetryStage(RetrySchedule(jitter: .none)), HedgeStage(Hedge(Self.soon)), Bulkhead(maxConcurrent: 2))
      let events = EventRecorder()
      let turns = Turns()
      let start = milliseconds
      let value = try await policy.runHedged {
        let turn = turns.next()
        if turn == 1 { try await hang() }
        return turn
      }
      #expect(value == 2 && milliseconds - start == 100)
      var plain = 0
      try await withEvents(events) {
        try await policy.run {
          try await Ambient.sleep(for: .milliseconds(200))
          plain += 1
        }
      }
      #expect(plain == 1)
      #expect(events.events.map { $0["reason"] } == ["not_sendable"])
    }
  }

  @Test("A hedge shows its numbers")
  func printed() {
    let budget = RetryBudget()
    #expect(
      "\(Hedge(Self.soon))" == "hedge (after 0.1s, at most 1 and 0.02 of the successes in 10s)")
    #expect(
      "\(Policy(HedgeStage(Hedge(budget: budget))))"
        == "hedge (after the 0.95 quantile of 200 calls, at most 1 and 0.02 of the successes in 10s, "
        + "retry budget (10 and 0.2 of the successes in 10s))")
  }
}

/// Counts who comes, and tells each which one it is, from 1.
final class Turns: Sendable {
  private let state = Lock(0)

  var count: Int { state.withLock { $0 } }

  func next() -> Int {
    state.withLock { count in
      count += 1
      return count
    }
  }
}
