import Stoic
import StoicTesting
import Testing

@Suite("Marks and the report of a sweep")
struct MarkTests {
  private static let rare: @Sendable () async throws -> Void = {
    mark("start")
    if Ambient.random.next() % 8 == 0 { mark("rare") }
    await Task.yield()
  }

  private static func failure(
    marks: [String], _ body: @escaping @Sendable () async throws -> Void
  ) -> SimulationFailure? {
    do {
      try simulate(seeds: 0..<100, marks: marks, body)
      return nil
    } catch { return error as? SimulationFailure }
  }

  @Test("A declared mark that no run reaches fails the sweep, by name and with what was reached")
  func missed() {
    let failure = Self.failure(marks: ["rare", "never", "start"], Self.rare)
    #expect(failure?.reason == .markMissed)
    #expect(failure?.message.contains("no run reached \"never\"; the sweep was: 100 seeds") == true)
    #expect(failure?.message.contains("never in 0, rare in ") == true)
    #expect(failure?.message.contains("start in 100") == true)
  }

  @Test("Declared marks that are reached pass, and the report counts the runs that reached them")
  func reached() throws {
    let report = try simulate(seeds: 0..<100, marks: ["rare"], Self.rare)
    #expect(report.seeds == 100)
    #expect(report.marks["start"] == 100)
    #expect((1..<60).contains(report.marks["rare"] ?? 0))
    #expect(report.description.contains("100 seeds, 1 distinct schedules, "))
    #expect(report.seedsPerSecond > 0)
  }

  @Test(
    "A mark that is reached several times in a run counts once, and one that is not declared is counted, too")
  func once() throws {
    let report = try simulate(seeds: 0..<5) { for _ in 0..<3 { mark("again") } }
    #expect(report.marks == ["again": 5])
  }

  @Test("An event is a mark of its name")
  func events() throws {
    let body: @Sendable () async throws -> Void = {
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1))
      struct Down: Error {}
      try? await breaker.run { throw Down() }
    }
    let report = try simulate(seeds: 0..<5, marks: ["breaker.opened"], body)
    #expect(report.marks == ["breaker.opened": 5])
    #expect(Self.failure(marks: ["breaker.closed"], body)?.reason == .markMissed)
  }

  @Test("Events reach their marks also where the body puts a sink of its own in force")
  func innerSink() throws {
    let report = try simulate(seeds: 0..<5, marks: ["an.event"]) {
      let recorder = EventRecorder()
      try await withEvents(recorder) { Ambient.record("an.event", .info, label: "l", []) }
      #expect(recorder.events.count == 1)
    }
    #expect(report.marks == ["an.event": 5])
  }

  @Test(
    "Rare places of the policies are marks: a permit passed on, a result too late, a probe and a token given back"
  )
  func places() throws {
    struct Down: Error {}
    let report = try simulate(
      seeds: 0..<1_000,
      marks: [
        "bulkhead.permit_passed_on", "breaker.result_dropped", "breaker.probe_given_back", "retry.refunded",
      ]
    ) {
      let bulkhead = Bulkhead(maxConcurrent: 1)
      let holder = Ambient.task { try await bulkhead.run { for _ in 0..<3 { await Task.yield() } } }
      let waiter = Ambient.task { try await bulkhead.run {} }
      for _ in 0..<(1 + pick(below: 6)) { await Task.yield() }
      waiter.cancel()
      _ = await (holder.result, waiter.result)

      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1, openFor: .seconds(1)))
      let slow = Ambient.task { try await breaker.run { try await Ambient.sleep(for: .seconds(1)) } }
      try await Ambient.sleep(for: .milliseconds(1))
      try? await breaker.run { throw Down() }
      _ = await slow.result
      try await Ambient.sleep(for: .seconds(1))
      try? await breaker.run { throw CancellationError() }

      let retrying = Ambient.task { try await retry(budget: RetryBudget()) { _ in throw Down() } }
      try await Ambient.sleep(for: .milliseconds(1))
      retrying.cancel()
      _ = await retrying.result
    }
    #expect(
      report.marks["breaker.result_dropped"] == 1_000 && report.marks["breaker.probe_given_back"] == 1_000)
    #expect((1..<1_000).contains(report.marks["bulkhead.permit_passed_on"] ?? 0))
  }

  @Test("A sink around the simulation gets what it wants, also while events are marks")
  func sink() async throws {
    let recorder = EventRecorder()
    try await withEvents(recorder) {
      _ = try simulate(seeds: 0..<2, schedules: [.uniform], marks: ["a"]) {
        Ambient.record("a", .info, label: "l", [])
      }
    }
    // Two seeds, the first of them twice.
    #expect(recorder.events.count == 3)
  }

  @Test("A failure counts before a missed mark")
  func precedence() {
    #expect(Self.failure(marks: ["never"]) { throw VerdictTests.Fault() }?.reason == .bodyFailed)
  }

  @Test("Where the environment chooses the runs, no mark has to be reached")
  func environment() throws {
    for name in ["STOIC_SEED", "STOIC_SEEDS"] {
      var settings = SweepSettings(
        seeds: 0..<5, schedules: [.uniform], earlyTimers: false, stepLimit: 9, marks: ["m"])
      try settings.apply([:])
      #expect(settings.areAsAsked)
      try settings.apply([name: "3"])
      #expect(!settings.areAsAsked)
      #expect(try Sweep(settings) {}.run().marks == ["m": 0])
    }
  }

  @Test("A mark that is declared twice is missed once")
  func twice() {
    #expect(Self.failure(marks: ["m", "m"]) {}?.message.contains("no run reached \"m\"; ") == true)
  }

  @Test("A mark outside of a simulation does nothing")
  func outside() { mark("nowhere") }

  @Test("The line of progress tells seeds, their number and their rate")
  func progress() {
    let text = ProgressLine.text(seeds: 1_024, of: 10_000, after: .milliseconds(500))
    #expect(text == "simulate: 1024 of 10000 seeds, 2048 seeds/s")
  }

  @Test("Distinct schedules are counted by their courses")
  func distinct() throws {
    let report = try simulate(seeds: 0..<200, schedules: [.uniform]) {
      async let one: Void = Task.yield()
      async let two: Void = Task.yield()
      _ = await (one, two)
    }
    #expect((2..<200).contains(report.distinctSchedules))
  }
}
