import Stoic
import StoicTesting
import Testing

@Suite("What a simulated run leaves behind, and how it is told from another one")
struct RepetitionTests {
  struct Fault: Error {}

  /// Of the calls of a body, all or one fail.
  enum Failing: CaseIterable { case first, second, fortieth, allButFirst, odd }

  private static func fails(_ call: Int, _ failing: Failing) -> Bool {
    switch failing {
    case .first: call == 1
    case .second: call == 2
    case .fortieth: call == 40
    case .allButFirst: call > 1
    case .odd: call % 2 == 1
    }
  }

  @Test(
    "A body that goes the same way and ends otherwise is called diverged, whichever call fails",
    arguments: Failing.allCases.map { ($0, false) } + [(.second, true)])
  func otherEnd(failing: Failing, expects: Bool) throws {
    let calls = Shared(0)
    let body: @Sendable () async throws -> Void = {
      let call = calls.withLock { calls in
        calls += 1
        return calls
      }
      guard Self.fails(call, failing) else { return }
      if expects { Issue.record("call \(call)") } else { throw Fault() }
    }
    let failure = try #require(VerdictTests.failure(seeds: 0..<100, schedules: [.uniform], body))
    #expect(failure.reason == .diverged)
    #expect(failure.message.contains("passed") && failure.message.contains("failed (bodyFailed: "))
    guard failing != .fortieth else { return }
    calls.withLock { $0 = 0 }
    let search = try #require(throws: SimulationFailure.self) { try simulateAll(body) }
    #expect(search.reason == .diverged)
  }

  @Test(
    "Expectations that fail since a stuck body was cancelled do not hide why it was stuck",
    arguments: [false, true])
  func cleanUp(isTimed: Bool) throws {
    let failure = try #require(
      VerdictTests.failure {
        let bulkhead = Bulkhead(maxConcurrent: 1, label: "seats")
        try await bulkhead.run {
          let other = Ambient.task { try await bulkhead.run {} }
          if isTimed { try? await Ambient.sleep(for: .seconds(1)) }
          try? await withTaskCancellationHandler {
            try await other.value
          } onCancel: {
            other.cancel()
          }
          #expect(bulkhead.inUse == 0, "the other one has come and gone")
        }
      })
    #expect(failure.reason == .deadlock)
    #expect(failure.message.contains("seats"))
  }

  @Test("An expectation that failed before the body was stuck is the failure")
  func before() throws {
    let failure = try #require(
      VerdictTests.failure {
        #expect(Bool(false), "first")
        try await Ambient.suspend()
      })
    #expect(failure.reason == .bodyFailed && failure.message.contains("first"))
  }

  @Test("A loop that swallows its cancellation reaches the step limit, and is not heard of again")
  func endless() throws {
    let bodies: [@Sendable () async -> Void] = [
      { try? await Ambient.sleep(for: .seconds(1)) },
      { await Task.yield() },
      { try? await Bulkhead(maxConcurrent: 1).run { await Task.yield() } },
    ]
    for body in bodies {
      let turns = Shared(0)
      let failure = try #require(throws: SimulationFailure.self) {
        try simulate(seeds: 0..<1, stepLimit: 500) {
          while true {
            turns.withLock { $0 += 1 }
            await body()
          }
        }
      }
      #expect(failure.reason == .stepLimit && !failure.timeline.isEmpty)
      let after = turns.withLock { $0 }
      // As long as another sweep takes, which is some thousand times what a turn takes.
      try simulate(seeds: 0..<500) { await Task.yield() }
      #expect(turns.withLock { $0 } == after)
    }
  }

  @Test("A stuck loop that swallows its cancellation is still called a deadlock")
  func endlessWhenCancelled() throws {
    let isOver = Shared(false)
    let failure = try #require(
      VerdictTests.failure(seeds: 0..<1) {
        let bulkhead = Bulkhead(maxConcurrent: 1, label: "seats")
        try await bulkhead.run {
          while !isOver.withLock({ $0 }) { try? await bulkhead.run {} }
        }
      })
    isOver.withLock { $0 = true }
    #expect(failure.reason == .deadlock)
    #expect(failure.message.contains("without ever suspending") && failure.message.contains("seats"))
  }

  @Test("A run may take exactly as many steps as its limit", arguments: 0...3)
  func stepLimit(yields: Int) throws {
    let body: @Sendable () async throws -> Void = { for _ in 0..<yields { await Task.yield() } }
    // It begins, and each time it gives up its turn and gets it back.
    try simulate(seeds: 0..<2, stepLimit: 2 * yields + 1, body)
    guard yields > 0 else { return }
    let failure = try #require(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<2, stepLimit: 2 * yields, body)
    }
    #expect(failure.reason == .stepLimit)
    #expect(failure.description.contains("schedules: [.uniform], stepLimit: \(2 * yields))"))
  }

  @Test(
    "The failure of a search is run again by its choices alone, which no variable of the environment gives")
  func search() throws {
    let body: @Sendable () async throws -> Void = {
      let value = Shared(0)
      async let one: Void = {
        await Task.yield(); value.withLock { $0 += 1 }
      }()
      async let two: Void = { if value.withLock({ $0 }) == 1 { throw Fault() } }()
      _ = try await (one, two)
    }
    let failure = try #require(throws: SimulationFailure.self) { try simulateAll(stepLimit: 77, body) }
    #expect(!failure.description.contains("STOIC_"))
    #expect(
      failure.description.contains(
        "Run it again:  try simulate(seeds: 0..<1, schedules: [.replay([\(Self.list(failure.schedule))])], stepLimit: 77) { … }"
      ))
    let again = try #require(throws: SimulationFailure.self) {
      try simulate(seeds: 0..<1, schedules: [failure.schedule], stepLimit: 77, body)
    }
    #expect(again.reason == .bodyFailed)
  }

  private static func list(_ schedule: SimulationSchedule) -> String {
    guard case .replay(let choices) = schedule else { return "" }
    return choices.map(String.init).joined(separator: ", ")
  }

  @Test("A plain task that an actor starts for itself is an escape as soon as it suspends")
  func actorsOwn() {
    actor Worker {
      func begin() { Task { await Task.yield() } }
      func sleeper() { Task { try await Ambient.sleep(for: .seconds(1)) } }
    }
    for sleeps in [false, true] {
      let failure = VerdictTests.failure {
        let worker = Worker()
        if sleeps { await worker.sleeper() } else { await worker.begin() }
        try await Ambient.sleep(for: .seconds(2))
      }
      #expect(failure?.reason == .escaped)
    }
  }
}
