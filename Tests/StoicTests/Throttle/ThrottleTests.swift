import Stoic
import StoicTesting
import Testing

@Suite("Throttle")
struct ThrottleTests {
  private static let always = Throttle.Configuration(minimumRate: 0)

  /// Runs a body on a clock that stands still, with numbers that a seed repeats.
  private func still(_ body: (TestClock) async throws -> Void) async throws {
    let clock = TestClock()
    try await withClock(clock) { try await withRandom(.seeded(1)) { try await body(clock) } }
  }

  /// Lets a throttle see calls that it does not hold back.
  private static func feed(_ throttle: Throttle, accepted: Int, failed: Int) {
    for _ in 0..<accepted { throttle.record(.success) }
    for _ in 0..<failed { throttle.record(.failure) }
  }

  struct Share: Sendable {
    var multiplier: Double
    var accepted: Int
    var failed: Int
    var refused: Double
  }

  static let shares = [
    Share(multiplier: 2, accepted: 0, failed: 0, refused: 0),
    Share(multiplier: 2, accepted: 50, failed: 50, refused: 0),
    Share(multiplier: 2, accepted: 40, failed: 59, refused: 0.19),
    Share(multiplier: 2, accepted: 0, failed: 99, refused: 0.99),
    Share(multiplier: 1, accepted: 50, failed: 49, refused: 0.49),
    Share(multiplier: 1.5, accepted: 40, failed: 59, refused: 0.39),
    Share(multiplier: 1_000, accepted: 1, failed: 999, refused: 0),
  ]

  @Test("The share that is refused follows the formula", arguments: shares)
  func formula(expected: Share) async throws {
    try await still { _ in
      var numbers = Self.always
      (numbers.multiplier, numbers.maxRejection) = (expected.multiplier, 1)
      let throttle = Throttle(numbers)
      Self.feed(throttle, accepted: expected.accepted, failed: expected.failed)
      #expect(throttle.rejectionProbability == expected.refused)
    }
  }

  @Test("No more than nine tenths are refused, however little is accepted")
  func most() async throws {
    try await still { _ in
      let throttle = Throttle()
      Self.feed(throttle, accepted: 0, failed: 10_000)
      #expect(throttle.rejectionProbability == 0.9)
      let reached = Calls()
      for _ in 0..<10_000 {
        _ = await word {
          try await throttle.run {
            reached.add()
            throw Fault()
          }
        }
      }
      #expect((900...1_100).contains(reached.count))
    }
  }

  @Test("Below five calls a second, on average of the window, nothing is refused")
  func minimumRate() async throws {
    try await still { clock in
      let throttle = Throttle()
      Self.feed(throttle, accepted: 0, failed: 599)
      #expect(throttle.rejectionProbability == 0)
      throttle.record(.failure)
      #expect(throttle.rejectionProbability == 0.9)
      clock.advance(by: .seconds(120))
      #expect(throttle.rejectionProbability == 0)
    }
  }

  @Test("What is refused here counts as asked for, so that the share stays when few get through")
  func refusedCount() async throws {
    try await still { clock in
      let throttle = Throttle()
      Self.feed(throttle, accepted: 0, failed: 1_000)
      clock.advance(by: .seconds(119))
      for _ in 0..<1_000 { _ = await word { try await throttle.run { throw Fault() } } }
      clock.advance(by: .seconds(1))
      // Some hundred calls were made in the last second, which alone would be too few.
      #expect(throttle.rejectionProbability == 0.9)
    }
  }

  @Test("A call counts when its result is known: many at once that take long are held back by nothing")
  func underWay() throws {
    try simulate(seeds: 0..<5) {
      let throttle = Throttle(Self.always)
      let calls = (0..<100).map { _ in
        Ambient.task { try await throttle.run { try await Ambient.sleep(for: .seconds(30)) } }
      }
      for call in calls { try await call.value }
      #expect(throttle.rejectionProbability == 0 && milliseconds == 30_000)
    }
  }

  @Test("Calls as old as the window no longer count")
  func window() async throws {
    try await still { clock in
      let throttle = Throttle(Self.always)
      Self.feed(throttle, accepted: 0, failed: 99)
      clock.advance(by: .seconds(60))
      Self.feed(throttle, accepted: 99, failed: 0)
      #expect(throttle.rejectionProbability == 0)
      Self.feed(throttle, accepted: 0, failed: 99)
      #expect(throttle.rejectionProbability == 99.0 / 298)
      clock.advance(by: .seconds(60) - .nanoseconds(1))
      #expect(throttle.rejectionProbability == 99.0 / 298)
      clock.advance(by: .nanoseconds(1))
      #expect(throttle.rejectionProbability == 0)
    }
  }

  @Test("What is refused is told, and is final for a retry, free for its budget and no failure for a breaker")
  func refusal() async throws {
    try await still { _ in
      var numbers = Self.always
      numbers.maxRejection = 1
      let throttle = Throttle(numbers, label: "search")
      Self.feed(throttle, accepted: 0, failed: 1_000_000)
      let events = EventRecorder()
      let breaker = CircuitBreaker(CircuitBreaker.Configuration(minimumCalls: 1))
      let budget = RetryBudget()
      let policy = Policy(RetryStage(budget: budget), breaker, throttle)
      try await withEvents(events) {
        _ = await #expect(throws: Rejection(.throttled)) { try await policy.run {} }
      }
      #expect(events.events.map(\.name) == ["throttle.rejected"])
      #expect(events.events[0].label == "search" && events.events[0]["share"] == "1.0")
      #expect(breaker.state == .closed && budget.available == 10)
      let end = await word {
        try await retry(RetrySchedule(base: .zero), budget: budget) { attempt in
          if attempt.number == 1 { throw Fault() }
          try await throttle.run {}
        }
      }
      #expect(end == "throttled" && budget.available == 10)
    }
  }

  @Test("Only what says something about the server counts, and an error may say itself what it is")
  func judged() async throws {
    struct Judged: BreakerJudged { let breakerOutcome: CircuitBreaker.Outcome? }
    try await still { _ in
      var numbers = Self.always
      numbers.maxRejection = 1
      let errors: [(any Error, Double)] = [
        (Fault(), 0.5), (TimeoutError(after: .seconds(1)), 0.5), (CancellationError(), 0),
        (Rejection(.bulkheadFull), 0), (Judged(breakerOutcome: .success), 0),
        (Judged(breakerOutcome: .failure), 0.5), (Judged(breakerOutcome: nil), 0),
      ]
      for (error, share) in errors {
        let throttle = Throttle(numbers)
        _ = await word { try await throttle.run { throw error } }
        #expect(throttle.rejectionProbability == share, "\(error)")
      }
      let throttle = Throttle(numbers)
      try await throttle.run(judging: { (_: Result<Void, any Error>) in .failure }) {}
      #expect(throttle.rejectionProbability == 0.5)
    }
  }

  @Test("Each throttle keeps the clock of its first use, and looking does not bind it")
  func clocks() async throws {
    try await still { first in
      let throttle = Throttle(Self.always)
      try await withClock(TestClock()) { #expect(throttle.rejectionProbability == 0) }
      Self.feed(throttle, accepted: 0, failed: 99)
      first.advance(by: .seconds(60))
      try await withClock(TestClock()) { Self.feed(throttle, accepted: 0, failed: 99) }
      first.advance(by: .seconds(60))
      #expect(throttle.rejectionProbability == 0.9)
      first.advance(by: .seconds(60))
      #expect(throttle.rejectionProbability == 0)
    }
  }

  @Test("The same seed refuses the same calls, and another seed others")
  func seeds() async throws {
    let refused = { (seed: UInt64) in
      let notes = Notes()
      try await withClock(TestClock()) {
        try await withRandom(.seeded(seed)) {
          let throttle = Throttle(Self.always)
          Self.feed(throttle, accepted: 40, failed: 60)
          for number in 0..<200 { if throttle.refuse() != nil { notes.add("\(number)") } }
        }
      }
      return notes.all
    }
    #expect(try await refused(1) == refused(1))
    #expect(try await refused(1) != refused(2))
  }

  @Test("A throttle is a stage of a policy and prints its numbers")
  func printed() async throws {
    let policy = Policy(Throttle(), TimeoutStage(.seconds(10)))
    #expect(
      "\(policy)"
        == "throttle (2.0 calls for each accepted one in 120s, at most 0.9 refused, off below 5.0 a second)"
        + " > timeout (10s)")
    #expect(try await Policy(Throttle()).run { 7 } == 7)
  }

  private static let hostileNumbers = [
    Double.nan, -.infinity, -1, 0, 1e-300, 0.5, 1, 1_000, 1e300, .infinity, .signalingNaN,
  ]

  @Test(
    "Any numbers give a throttle that lets calls through and comes back", arguments: hostileNumbers,
    hostileNumbers)
  func hostile(number: Double, other: Double) async throws {
    for window in hostileDurations {
      var numbers = Throttle.Configuration(
        multiplier: number, window: window, maxRejection: other, minimumRate: number)
      try await abuse(numbers)
      let made = numbers
      (numbers.multiplier, numbers.window) = (number, window)
      (numbers.maxRejection, numbers.minimumRate) = (other, number)
      #expect(numbers == made)
      if number.isNaN { #expect(numbers.multiplier == 2 && numbers.minimumRate == 5) }
      if other.isNaN { #expect(numbers.maxRejection == 0.9) }
      #expect((1...1_000).contains(numbers.multiplier) && (0...1).contains(numbers.maxRejection))
      #expect((0...1e9).contains(numbers.minimumRate) && numbers.window >= .nanoseconds(1))
    }
  }

  private func abuse(_ numbers: Throttle.Configuration) async throws {
    try await still { clock in
      let throttle = Throttle(numbers)
      try await throttle.run {}
      for _ in 0..<5 {
        let end = await word { try await throttle.run { throw Fault() } }
        #expect(["fault", "throttled"].contains(end))
      }
      #expect((0...numbers.maxRejection).contains(throttle.rejectionProbability))
      clock.advance(by: numbers.window)
      _ = await word { try await throttle.run {} }
    }
  }
}
