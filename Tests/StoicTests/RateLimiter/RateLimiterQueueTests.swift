import Stoic
import StoicTesting
import Testing

/// What becomes of those who wait for a token, and of those who leave.
@Suite("Rate limiter's queue")
struct RateLimiterQueueTests {
  private static let everySecond = RateLimiter.Configuration(calls: 1, per: .seconds(1))

  @Test("Who leaves the queue lets those behind move up")
  func moveUp() throws {
    try simulate(seeds: 0..<100) {
      let limiter = RateLimiter(Self.everySecond)
      let begun = Served()
      var calls: [Task<Void, any Error>] = []
      for _ in 0..<5 {
        calls.append(Ambient.task { try await limiter.run { begun.add(Int(milliseconds)) } })
        try await settle()
      }
      try await Ambient.sleep(for: .milliseconds(1_500))
      // The third is the first in the queue by now.
      calls[2].cancel()
      for (index, call) in calls.enumerated() { #expect(await call.result.isCancellation == (index == 2)) }
      #expect(begun.all == [0, 1_000, 2_000, 3_000])
    }
  }

  @Test("When all have left, no timer is left and no token is lost")
  func leaving() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      let limiter = RateLimiter(Self.everySecond)
      try await limiter.run {}
      let calls = (0..<3).map { _ in Task { try await limiter.run {} } }
      await clock.waitForSleepers(1)
      while limiter.waiting < 3 { await Task.yield() }
      #expect(clock.sleepers.map(\.offset) == [.seconds(1)])
      for call in calls { call.cancel() }
      for call in calls { #expect(await call.result.isCancellation) }
      #expect(clock.sleepers.isEmpty && limiter.waiting == 0)
      clock.advance(by: .seconds(1))
      #expect(limiter.available == 1)
    }
  }

  @Test("A token that meets a caller on the way out goes to the next")
  func handOver() throws {
    try simulate(seeds: 0..<1_000, earlyTimers: true) {
      let limiter = RateLimiter(Self.everySecond)
      let reached = Calls()
      try await limiter.run {}
      let leaving = Ambient.task { try await limiter.run { reached.add() } }
      try await settle()
      let next = Ambient.task { try await limiter.run {} }
      try await Ambient.sleep(for: .seconds(1) - .nanoseconds(1))
      leaving.cancel()
      #expect(await leaving.result.isCancellation == (reached.count == 0))
      try await next.value
      // Each token that has come is spent or there.
      #expect(limiter.waiting == 0 && reached.count + 1 + limiter.available == Int(milliseconds / 1_000))
    }
  }

  @Test("A token that was handed over is nobody else's")
  func claimed() throws {
    try simulate(seeds: 0..<200) {
      let limiter = RateLimiter(Self.everySecond)
      let begun = Served()
      try await limiter.run {}
      let waiting = Ambient.task { try await limiter.run { begun.add(Int(milliseconds)) } }
      try await Ambient.sleep(for: .seconds(1))
      // Whether it has begun by now or is about to: its token is gone.
      #expect(!limiter.acquireAtOnce())
      try await waiting.value
      #expect(begun.all == [1_000])
    }
  }

  @Test("A cancel between joining the queue and waiting in it ends the call")
  func cancelBeforeWaiting() throws {
    try simulate(seeds: 0..<20) {
      let limiter = RateLimiter(Self.everySecond)
      try await limiter.run {}
      let sink = ClosureSink { event in
        if event.name == "rate_limiter.queued" { withUnsafeCurrentTask { $0?.cancel() } }
      }
      let call = Ambient.task { try await withEvents(sink) { try await limiter.run {} } }
      #expect(await call.result.isCancellation)
      #expect(limiter.waiting == 0 && milliseconds == 0)
    }
  }

  @Test("A cancelled caller takes no token, and who waits is told how long")
  func cancelledBefore() throws {
    try simulate(seeds: 0..<20) {
      let limiter = RateLimiter(Self.everySecond)
      let events = EventRecorder()
      let call = Ambient.task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await limiter.run {}
      }
      #expect(await call.result.isCancellation)
      #expect(limiter.available == 1)
      try await withEvents(events) { for _ in 0..<2 { try await limiter.run {} } }
      #expect(events.events.map(\.name) == ["rate_limiter.queued"])
      #expect(events.events[0]["wait"] == "1s" && events.events[0]["waiting"] == "1")
    }
  }

  @Test("A deadline on another clock than the limiter's ends a wait")
  func otherClock() async throws {
    let (first, second) = (TestClock(), TestClock())
    let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(60)))
    try await withClock(first) { try await limiter.run {} }
    let call = Task {
      try await withClock(second) {
        let deadline = Ambient.clock.now.advanced(by: .seconds(90))
        return await limiter.acquire(until: deadline, in: Ambient.values)
      }
    }
    await second.waitForSleepers(1)
    second.advance(by: .seconds(90))
    #expect(try await call.value == .refused(Rejection(.deadlineExceeded)))
    #expect(limiter.waiting == 0 && first.sleepers.isEmpty)
  }

  @Test("A token that comes to a caller whose deadline has come goes back")
  func late() throws {
    try simulate(seeds: 0..<500, earlyTimers: true) {
      let limiter = RateLimiter(Self.everySecond)
      try await limiter.run {}
      let other = TestClock()
      let call = Ambient.task {
        try await withClock(other) {
          let deadline = Ambient.clock.now.advanced(by: .seconds(2))
          let admission = await limiter.acquire(until: deadline, in: Ambient.values)
          return (admission, isLate: Ambient.clock.now >= deadline)
        }
      }
      try await Ambient.sleep(for: .seconds(1))
      other.advance(by: .seconds(2))
      let (admission, isLate) = try await call.value
      #expect(admission == (isLate ? .refused(Rejection(.deadlineExceeded)) : .granted))
      #expect(limiter.available == (isLate ? 1 : 0))
    }
  }

  @Test("A token that is given back goes to who waits, and fills no bucket beyond its burst")
  func givenBack() throws {
    try simulate(seeds: 0..<50) {
      let limiter = RateLimiter(Self.everySecond)
      limiter.giveBack()
      #expect(limiter.available == 1)
      #expect(limiter.acquireAtOnce())
      let next = Ambient.task { try await limiter.run {} }
      try await Ambient.sleep(for: .milliseconds(300))
      #expect(limiter.waiting == 1 && !limiter.acquireAtOnce())
      limiter.giveBack()
      try await next.value
      #expect(milliseconds == 300 && limiter.available == 0)
    }
  }

  @Test("On a clock that keeps no timers, those who wait are served as well")
  func foreignClock() async throws {
    let foreign = ForeignClock(TestClock())
    let limiter = RateLimiter(Self.everySecond)
    let calls = (0..<3).map { _ in Task { try await withClock(foreign) { try await limiter.run {} } } }
    for waiting in [2, 1] {
      while limiter.waiting != waiting { await Task.yield() }
      await foreign.base.waitForSleepers(1)
      foreign.base.advance(by: .seconds(1))
    }
    for call in calls { try await call.value }
    #expect(limiter.waiting == 0)
  }

  @Test("An alarm that goes off before its time is set anew")
  func earlyAlarm() async throws {
    let clock = HandClock()
    let limiter = RateLimiter(Self.everySecond)
    try await withClock(clock) { try await limiter.run {} }
    let call = Task { try await withClock(clock) { try await limiter.run {} } }
    while clock.timers != [.seconds(1)] { await Task.yield() }
    clock.fire()
    #expect(limiter.waiting == 1 && clock.timers == [.seconds(1)])
    clock.time = .seconds(1)
    clock.fire()
    try await call.value
    #expect(clock.timers.isEmpty)
  }

  @Test("On real threads, calls that wait and are cancelled at once all return", .timeLimit(.minutes(30)))
  func realThreads() async {
    let limiter = RateLimiter(RateLimiter.Configuration(calls: 100_000, per: .seconds(1), queueLimit: .max))
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          for _ in 0..<250 {
            let call = Task { try await limiter.run { await Task.yield() } }
            if index % 2 == 0 { call.cancel() }
            _ = await call.result
          }
        }
      }
    }
    #expect(limiter.waiting == 0)
  }
}

/// A clock whose time and timers a test moves by hand, in no order.
private final class HandClock: TimerClock {
  private struct State {
    var time = Duration.zero
    var timers: [Int: (at: Duration, fire: @Sendable () -> Void)] = [:]
    var next = 0
  }

  private let state = Lock(State())

  var time: Duration {
    get { state.withLock { $0.time } }
    set { state.withLock { $0.time = newValue } }
  }

  var timers: [Duration] { state.withLock { $0.timers.values.map(\.at).sorted() } }
  var elapsed: Duration { time }
  var now: TestClock.Instant { TestClock.Instant(offset: time) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws { await Task.yield() }

  func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      state.next += 1
      state.timers[state.next] = (offset, fire)
      return state.next
    }
  }

  func removeTimer(_ id: Int) { state.withLock { $0.timers[id] = nil } }

  /// Fires all timers, due or not.
  func fire() {
    let due = state.withLock { state in
      defer { state.timers = [:] }
      return state.timers.values.map(\.fire)
    }
    for fire in due { fire() }
  }
}
