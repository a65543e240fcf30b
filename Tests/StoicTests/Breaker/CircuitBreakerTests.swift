import Stoic
import StoicTesting
import Testing

@Suite("Circuit breaker")
struct CircuitBreakerTests {
  private static let numbers = CircuitBreaker.Configuration(
    failureRatio: 0.5, minimumCalls: 4, window: .seconds(120), openFor: .seconds(5), openJitter: 0)

  /// A breaker that four failures have just opened.
  private static func opened(_ numbers: CircuitBreaker.Configuration = numbers) async -> CircuitBreaker {
    let breaker = CircuitBreaker(numbers, label: "b")
    for _ in 0..<numbers.minimumCalls {
      #expect(await word { try await breaker.run { throw Fault() } } == "fault")
    }
    #expect(breaker.state == .open)
    return breaker
  }

  @Test("Half of at least so many calls open it, exactly for its time, and it says for how long")
  func opening() throws {
    try simulate(seeds: 0..<20) {
      let breaker = CircuitBreaker(Self.numbers)
      for index in 0..<3 { _ = await word { try await breaker.run { if index < 2 { throw Fault() } } } }
      #expect(breaker.state == .closed)
      _ = await word { try await breaker.run {} }
      #expect(breaker.state == .open)
      try await Ambient.sleep(for: .seconds(2))
      await #expect(throws: Rejection(.breakerOpen, retryAfter: .seconds(3))) { try await breaker.run {} }
      try await Ambient.sleep(for: .milliseconds(2_999))
      #expect(await word { try await breaker.run {} } == "breaker_open")
      try await Ambient.sleep(for: .milliseconds(1))
      #expect(breaker.state == .halfOpen)
      #expect(await word { try await breaker.run {} } == "value")
      #expect(breaker.state == .closed)
    }
  }

  @Test("Failures that are as old as the window no longer count")
  func window() throws {
    try simulate(seeds: 0..<5) {
      let breaker = CircuitBreaker(Self.numbers)
      for _ in 0..<3 { _ = await word { try await breaker.run { throw Fault() } } }
      try await Ambient.sleep(for: .seconds(120))
      _ = await word { try await breaker.run { throw Fault() } }
      #expect(breaker.state == .closed)
      for _ in 0..<3 { _ = await word { try await breaker.run { throw Fault() } } }
      #expect(breaker.state == .open)
    }
  }

  @Test("With a window of calls only the last ones count")
  func lastCalls() async throws {
    var numbers = Self.numbers
    numbers.lastCalls = 4
    let breaker = CircuitBreaker(numbers)
    for _ in 0..<40 { try await breaker.run {} }
    _ = await word { try await breaker.run { throw Fault() } }
    #expect(breaker.state == .closed)
    _ = await word { try await breaker.run { throw Fault() } }
    #expect(breaker.state == .open)
  }

  @Test("A window of fewer calls than the minimum opens it when it is full")
  func shortWindow() async throws {
    var numbers = Self.numbers
    numbers.lastCalls = 2
    let breaker = CircuitBreaker(numbers)
    _ = await word { try await breaker.run { throw Fault() } }
    #expect(breaker.state == .closed)
    _ = await word { try await breaker.run { throw Fault() } }
    #expect(breaker.state == .open)
  }

  private struct Judged: BreakerJudged {
    let breakerOutcome: CircuitBreaker.Outcome?
  }

  @Test(
    "An error that knows what it says about health is asked",
    arguments: [CircuitBreaker.Outcome.success, .failure, nil])
  func judgedErrors(outcome: CircuitBreaker.Outcome?) async {
    let breaker = CircuitBreaker(Self.numbers)
    for _ in 0..<9 { _ = await word { try await breaker.run { throw Judged(breakerOutcome: outcome) } } }
    #expect(breaker.state == (outcome == .failure ? .open : .closed))
  }

  @Test("Slow calls open it although they succeed, and a slow probe opens it again")
  func slow() throws {
    try simulate(seeds: 0..<5) {
      var numbers = Self.numbers
      numbers.slowCallDuration = .seconds(2)
      numbers.slowCallRatio = 0.5
      let breaker = CircuitBreaker(numbers)
      for index in 0..<4 {
        try await breaker.run { try await Ambient.sleep(for: .milliseconds(index < 2 ? 1_999 : 2_000)) }
      }
      #expect(breaker.state == .open)
      try await Ambient.sleep(for: .seconds(5))
      try await breaker.run { try await Ambient.sleep(for: .seconds(2)) }
      #expect(breaker.state == .open)
    }
  }

  @Test(
    "BK-02: One probe only, or as many as configured, when many callers arrive as the open period ends",
    arguments: [1, 3])
  func probes(limit: Int) throws {
    try simulate(seeds: 0..<200) {
      var numbers = Self.numbers
      numbers.probes = limit
      let breaker = await Self.opened(numbers)
      try await Ambient.sleep(for: .seconds(5))
      let inside = Occupancy()
      let words = await withTaskGroup(of: String.self, returning: [String].self) { group in
        for _ in 0..<10 {
          group.addTask { await word { try await breaker.run { try await inside.stay(for: .seconds(1)) } } }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(inside.total == limit && inside.most == limit)
      #expect(words.count { $0 == "breaker_open" } == 10 - limit)
      #expect(await word { try await breaker.run {} } == "value")
    }
  }

  @Test(
    "BK-03: A probe that is cancelled or refused gives its place back without a verdict",
    arguments: [true, false])
  func cancelledProbe(isCancelled: Bool) throws {
    try simulate(seeds: 0..<100) {
      let breaker = await Self.opened()
      try await Ambient.sleep(for: .seconds(5))
      let probe = Ambient.task {
        try await breaker.run {
          try await Ambient.sleep(for: .seconds(1))
          throw Rejection(.bulkheadFull)
        }
      }
      try await settle()
      #expect(await word { try await breaker.run {} } == "breaker_open")
      if isCancelled { probe.cancel() }
      _ = await probe.result
      #expect(breaker.state == .halfOpen)
      #expect(await word { try await breaker.run {} } == "value")
      #expect(breaker.state == .closed)
    }
  }

  @Test(
    "BK-06: A probe that hangs counts as failed when its time is over, and its late result counts for nothing"
  )
  func hungProbe() throws {
    try simulate(seeds: 0..<50) {
      var numbers = Self.numbers
      numbers.probeTimeout = .seconds(20)
      let breaker = await Self.opened(numbers)
      try await Ambient.sleep(for: .seconds(5))
      let probe = Ambient.task { try await breaker.run { try await Ambient.sleep(for: .seconds(21)) } }
      try await Ambient.sleep(for: .milliseconds(19_999))
      #expect(breaker.state == .halfOpen)
      try await Ambient.sleep(for: .milliseconds(1))
      #expect(breaker.state == .open)
      // The second period is twice as long as the first.
      await #expect(throws: Rejection(.breakerOpen, retryAfter: .seconds(10))) { try await breaker.run {} }
      _ = await probe.result
      #expect(breaker.state == .open)
      #expect(breaker.droppedResults == 1)
      try await Ambient.sleep(for: .seconds(9))
      #expect(await word { try await breaker.run {} } == "value")
    }
  }

  @Test("BK-08: A late success from an earlier period neither closes it nor frees the probe's place")
  func lateSuccess() throws {
    try simulate(seeds: 0..<100) {
      let breaker = CircuitBreaker(Self.numbers)
      let early = Ambient.task { try await breaker.run { try await Ambient.sleep(for: .seconds(2)) } }
      let later = Ambient.task { try await breaker.run { try await Ambient.sleep(for: .seconds(6)) } }
      try await settle()
      for _ in 0..<4 { _ = await word { try await breaker.run { throw Fault() } } }
      _ = await early.result
      #expect(breaker.state == .open)
      try await Ambient.sleep(for: .milliseconds(3_001))
      let probe = Ambient.task { try await breaker.run { try await Ambient.sleep(for: .seconds(10)) } }
      _ = await later.result
      #expect(breaker.state == .halfOpen)
      #expect(await word { try await breaker.run {} } == "breaker_open")
      #expect(breaker.droppedResults == 2)
      _ = await probe.result
      #expect(breaker.state == .closed)
    }
  }

  @Test(
    "CX-08: Cancelled callers do not open it, whatever their body throws on the way out",
    arguments: [true, false])
  func cancelled(throwsOwn: Bool) throws {
    try simulate(seeds: 0..<20) {
      let breaker = CircuitBreaker(Self.numbers)
      for _ in 0..<40 {
        let call = Ambient.task {
          try await breaker.run {
            do { try await Ambient.sleep(for: .seconds(99)) } catch { throw throwsOwn ? Fault() : error }
          }
        }
        try await settle()
        call.cancel()
        _ = await call.result
      }
      #expect(breaker.state == .closed)
      #expect(await word { try await breaker.run {} } == "value")
    }
  }

  @Test("BK-09: What the caller judges a success, such as a 404, never opens it")
  func judged() async throws {
    let breaker = CircuitBreaker(Self.numbers)
    for _ in 0..<60 {
      _ = await word { try await breaker.run(judging: { _ in .success }) { throw Fault() } }
      _ = await word { try await breaker.run(judging: { _ in nil }) { throw Fault() } }
    }
    #expect(breaker.state == .closed)
  }

  @Test("A deadline inside the body is a failure; the caller's own around it is not")
  func deadlines() throws {
    try simulate(seeds: 0..<20) {
      let inner = CircuitBreaker(Self.numbers)
      let outer = CircuitBreaker(Self.numbers)
      for _ in 0..<4 {
        _ = await word {
          try await inner.run {
            try await withDeadline(.seconds(1)) { try await Ambient.sleep(for: .seconds(2)) }
          }
        }
        _ = await word {
          try await withDeadline(.seconds(1)) {
            try await outer.run { try await Ambient.sleep(for: .seconds(2)) }
          }
        }
      }
      #expect(inner.state == .open)
      #expect(outer.state == .closed)
    }
  }

  @Test("A queue inside that notices the caller's deadline first is no failure either")
  func queuedDeadlines() throws {
    try simulate(seeds: 0..<100) {
      let breaker = CircuitBreaker(Self.numbers)
      let full = Bulkhead(maxConcurrent: 1)
      let holder = Ambient.task { try await full.run { try await Ambient.sleep(for: .seconds(99)) } }
      try await settle()
      for _ in 0..<9 {
        _ = await word {
          try await withDeadline(.seconds(1)) { try await breaker.run { try await full.run {} } }
        }
      }
      #expect(breaker.state == .closed)
      _ = await holder.result
    }
  }

  @Test("BK-17: Only the clock of the first use moves it")
  func firstClock() async throws {
    let first = TestClock()
    let second = TestClock()
    let breaker = try await withClock(first) { await Self.opened() }
    second.advance(by: .seconds(86_400))
    try await withClock(second) { #expect(breaker.state == .open) }
    first.advance(by: .milliseconds(4_999))
    #expect(breaker.state == .open)
    first.advance(by: .milliseconds(1))
    #expect(breaker.state == .halfOpen)
  }

  @Test("The open time grows with each failed probe, up to its limit, and a close begins anew")
  func growth() throws {
    try simulate(seeds: 0..<5) {
      let breaker = await Self.opened()
      for seconds in [5, 10, 20, 40, 60, 60] as [Int64] {
        await #expect(throws: Rejection(.breakerOpen, retryAfter: .seconds(seconds))) {
          try await breaker.run {}
        }
        try await Ambient.sleep(for: .seconds(seconds))
        _ = await word { try await breaker.run { throw Fault() } }
      }
      try await Ambient.sleep(for: .seconds(60))
      try await breaker.run {}
      for _ in 0..<4 { _ = await word { try await breaker.run { throw Fault() } } }
      await #expect(throws: Rejection(.breakerOpen, retryAfter: .seconds(5))) { try await breaker.run {} }
    }
  }

  @Test(
    "The first open time is exact and those after a failed probe are drawn, so that clients do not return together"
  )
  func jitter() {
    let numbers = CircuitBreaker.Configuration()
    #expect(numbers.openTime(afterFailedProbes: 0, fraction: 0.9) == .seconds(5))
    let random = RandomSource.seeded(1)
    let times = (0..<100).map { _ in numbers.openTime(afterFailedProbes: 8, fraction: random.fraction()) }
    #expect(Set(times).count > 90)
    #expect(times.allSatisfy { $0 > .seconds(30) && $0 <= .seconds(60) })
  }

  @Test("Opening is told once, and half opening and closing too, with what led there")
  func events() throws {
    try simulate(seeds: 0..<20) {
      let events = EventRecorder()
      try await withEvents(events) {
        let breaker = await Self.opened()
        for _ in 0..<3 { _ = await word { try await breaker.run {} } }
        try await Ambient.sleep(for: .seconds(5))
        try await breaker.run {}
      }
      let told = events.events.filter { $0.name != "breaker.rejected" }
      #expect(told.map(\.name) == ["breaker.opened", "breaker.half_open", "breaker.closed"])
      #expect(
        told[0].fields.map(\.description) == ["cause=failure_ratio", "open_for=5s", "calls=4", "failures=4"])
      #expect(events.events.count { $0.name == "breaker.rejected" } == 3)
    }
  }

  @Test("An operator holds it open or closed, and lets it go with nothing counted")
  func forced() async throws {
    let breaker = CircuitBreaker(Self.numbers)
    breaker.force(.open)
    #expect(breaker.state == .open && breaker.forced == .open)
    await #expect(throws: Rejection(.breakerOpen)) { try await breaker.run {} }
    breaker.force(.closed)
    for _ in 0..<99 { _ = await word { try await breaker.run { throw Fault() } } }
    #expect(breaker.state == .closed && breaker.forced == .closed)
    breaker.force(nil)
    #expect(breaker.forced == nil)
    for _ in 0..<3 { _ = await word { try await breaker.run { throw Fault() } } }
    #expect(breaker.state == .closed)
    _ = await word { try await breaker.run { throw Fault() } }
    #expect(breaker.state == .open)
  }

  @Test(
    "Any numbers give a breaker that lets calls through, opens and comes back",
    arguments: [Double.nan, -1, 0, 0.5, .infinity])
  func hostile(number: Double) throws {
    try simulate(seeds: 0..<2) {
      for duration in hostileDurations {
        for count in [Int.min, -1, 0, 1] {
          let breaker = CircuitBreaker(
            CircuitBreaker.Configuration(
              failureRatio: number, minimumCalls: count, window: duration, lastCalls: count,
              slowCallDuration: duration, slowCallRatio: number, openFor: duration, maxOpenFor: duration,
              growth: number, openJitter: number, probes: count, successesToClose: count,
              probeTimeout: duration))
          #expect(await word { try await breaker.run { throw Fault() } } == "fault")
          let next = await word { try await breaker.run { throw Fault() } }
          #expect(next == "fault" || next == "breaker_open")
          _ = await word { try await breaker.run { throw Fault() } }
          _ = breaker.state
        }
      }
    }
  }
}
