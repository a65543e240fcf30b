import Stoic
import StoicTesting
import Testing

@Suite("Rate limiter")
struct RateLimiterTests {
  @Test("Calls begin at once as long as there are tokens, then at the rate, in the order in which they came")
  func pace() throws {
    try simulate(seeds: 0..<100) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 4, per: .seconds(1), burst: 3))
      let begun = Served()
      let order = Served()
      var calls: [Task<Void, any Error>] = []
      for number in 0..<10 {
        calls.append(
          Ambient.task {
            try await limiter.run {
              begun.add(Int(milliseconds))
              order.add(number)
            }
          })
        try await settle()
      }
      #expect(limiter.waiting == 7 && limiter.available == 0)
      for call in calls { try await call.value }
      #expect(begun.all == [0, 0, 0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750])
      #expect(order.all == Array(0..<10))
      #expect(limiter.waiting == 0 && limiter.available == 0)
    }
  }

  @Test(
    "Waits are exact, and nothing is rounded away: three calls a second are three hundred in a hundred seconds"
  )
  func thirds() throws {
    try simulate(seeds: 0..<2) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 3, per: .seconds(1), burst: 3))
      for _ in 0..<303 { try await limiter.run {} }
      #expect(Ambient.clock.now.offset == .seconds(100))
    }
  }

  @Test("Without a queue the excess is refused at once, and told when to come again, to the instant")
  func refuse() throws {
    try simulate(seeds: 0..<5) {
      let numbers = RateLimiter.Configuration(calls: 2, per: .seconds(3), burst: 2, queueLimit: 0)
      let limiter = RateLimiter(numbers, label: "api")
      let events = EventRecorder()
      try await limiter.run {}
      try await limiter.run {}
      try await Ambient.sleep(for: .milliseconds(500))
      await withSink(events) {
        await #expect(throws: Rejection(.rateLimited, retryAfter: .seconds(1))) { try await limiter.run {} }
      }
      #expect(milliseconds == 500)
      #expect(events.events.map(\.name) == ["rate_limiter.rejected"])
      #expect(events.events[0]["reason"] == "full" && events.events[0]["retry_after"] == "1s")
      try await Ambient.sleep(for: .seconds(1) - .nanoseconds(1))
      #expect(await word { try await limiter.run {} } == "rate_limited")
      try await Ambient.sleep(for: .nanoseconds(1))
      #expect(await word { try await limiter.run {} } == "value")
      #expect(limiter.available == 0 && limiter.configuration == numbers)
    }
  }

  @Test("Past the queue a call is refused at once, and told when the first of the queue leaves it")
  func overflow() throws {
    try simulate(seeds: 0..<20) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(2), queueLimit: 3))
      let calls = (0..<4).map { _ in Ambient.task { try await limiter.run {} } }
      try await Ambient.sleep(for: .milliseconds(500))
      #expect(limiter.waiting == 3)
      await #expect(throws: Rejection(.rateLimited, retryAfter: .milliseconds(1_500))) {
        try await limiter.run {}
      }
      #expect(milliseconds == 500)
      for call in calls { try await call.value }
      #expect(milliseconds == 6_000)
    }
  }

  @Test("Who would wait longer than the longest wait is refused at once, who would wait as long waits")
  func maxWait() throws {
    try simulate(seeds: 0..<20) {
      let limiter = RateLimiter(
        RateLimiter.Configuration(calls: 1, per: .seconds(2), maxWait: .seconds(4)))
      let calls = (0..<3).map { _ in Ambient.task { try await limiter.run {} } }
      try await settle()
      await #expect(throws: Rejection(.rateLimited, retryAfter: .seconds(2) - .nanoseconds(1))) {
        try await limiter.run {}
      }
      #expect(limiter.waiting == 2)
      for call in calls { try await call.value }
      #expect(milliseconds == 4_000)
    }
  }

  @Test("What cannot be granted before the deadline is refused at once, and what can is granted")
  func deadline() throws {
    try simulate(seeds: 0..<50) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(2)))
      let events = EventRecorder()
      try await limiter.run {}
      await withSink(events) {
        await #expect(throws: Rejection(.rateLimited, retryAfter: .seconds(2))) {
          try await withDeadline(.seconds(2)) { try await limiter.run {} }
        }
      }
      #expect(milliseconds == 0 && limiter.waiting == 0)
      #expect(events.events.map { $0["reason"] } == ["deadline"])
      try await withDeadline(.seconds(2) + .nanoseconds(1)) { try await limiter.run {} }
      #expect(milliseconds == 2_000)
    }
  }

  @Test("A caller whose deadline has come takes no token")
  func expired() throws {
    try simulate(seeds: 0..<2) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1))
      let now = Ambient.clock.now
      let admission = await limiter.acquire(until: now, in: Ambient.values)
      #expect(admission == .refused(Rejection(.deadlineExceeded)))
      #expect(limiter.available == 1)
      #expect(await limiter.acquire(until: now.advanced(by: .nanoseconds(1)), in: Ambient.values) == .granted)
    }
  }

  @Test("However long it is idle, a limiter holds its burst and no more")
  func idle() async throws {
    for idle in hostileDurations + [.seconds(10), .seconds(1_000_000_000)] where idle >= .seconds(1) {
      let clock = TestClock()
      try await withClock(clock) {
        let limiter = RateLimiter(
          RateLimiter.Configuration(calls: 1_000_000_000, per: .seconds(1), burst: 2, queueLimit: 0))
        #expect(limiter.acquireAtOnce() && limiter.acquireAtOnce() && !limiter.acquireAtOnce())
        clock.advance(by: min(idle, .seconds(Int64(1) << 59)))
        #expect(limiter.available == 2)
        #expect(limiter.acquireAtOnce() && limiter.acquireAtOnce() && !limiter.acquireAtOnce())
      }
    }
  }

  @Test("At a clock's end, where no time passes any more, nobody waits for it")
  func endOfTime() async throws {
    let clock = TestClock()
    clock.advance(by: .seconds(Int64.max))
    try await withClock(clock) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, queueLimit: 0))
      for _ in 0..<3 { try await limiter.run {} }
    }
  }

  @Test("Who has read the clock and comes late brings no token and moves no time back")
  func stale() {
    var state = RateLimiterState<Int>(RateLimiter.Configuration(calls: 1, per: .seconds(1)))
    let taken = [10, 9, 0, -100, 10, 9, 10].map { state.takeAtOnce(at: .seconds($0)) }
    #expect(taken == [true, false, false, false, false, false, false])
    let available = [10, 11, 10].map { state.available(at: .seconds($0)) }
    #expect(available == [0, 1, 1])
  }

  @Test(
    "In any span of time at most the burst and the rate's calls begin, whoever leaves",
    arguments: [false, true])
  func bound(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<200, earlyTimers: earlyTimers) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 10, per: .seconds(1), burst: 3))
      let begun = Served()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<16 {
          group.addTask {
            _ = await word { try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 900))) }
            let call = Ambient.task { try await limiter.run { begun.add(Int(milliseconds)) } }
            if index % 3 == 0 {
              _ = await word {
                try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 300)))
              }
              call.cancel()
            }
            _ = await call.result
          }
        }
      }
      let times = begun.all.sorted()
      for (index, first) in times.enumerated() {
        // Where timers are early a call may begin later than its token came: only the sum is bounded then.
        let (start, before) = earlyTimers ? (0, 0) : (first, index)
        for other in index..<times.count {
          #expect(other - before + 1 <= 3 + (times[other] - start) / 100)
        }
      }
      #expect(times.count >= 10)
    }
  }

  @Test("Each limiter keeps the clock of its first use, and looking does not bind it")
  func clocks() async throws {
    let limiter = RateLimiter(RateLimiter.Configuration(calls: 1, per: .seconds(1), queueLimit: 0))
    #expect(limiter.available == 1)
    let (first, second) = (TestClock(), TestClock())
    try await withClock(first) { try await limiter.run {} }
    try await withClock(second) {
      second.advance(by: .seconds(9))
      #expect(limiter.available == 0)
      first.advance(by: .seconds(1))
      #expect(limiter.available == 1)
      try await limiter.run {}
    }
  }

  @Test(
    "Any numbers give a limiter in which a call runs",
    arguments: [Int.min, -1, 0, 1, 1_000_000_000, .max], [Int.min, -1, 0, 1, 1_000_000_000, .max])
  func hostile(number: Int, other: Int) throws {
    try simulate(seeds: 0..<1) {
      for per in hostileDurations {
        for wait in hostileDurations + [nil] {
          var numbers = RateLimiter.Configuration(
            calls: number, per: per, burst: other, queueLimit: other, maxWait: wait)
          let limiter = RateLimiter(numbers)
          for _ in 0..<2 {
            let end = await word { try await withDeadline(.seconds(1)) { try await limiter.run {} } }
            #expect(end == "value" || end == "rate_limited")
          }
          #expect(limiter.waiting == 0 && limiter.available >= 0)
          let made = numbers
          (numbers.calls, numbers.per, numbers.burst) = (number, per, other)
          (numbers.queueLimit, numbers.maxWait) = (other, wait)
          #expect(numbers == made)
          #expect((1...1_000_000_000).contains(numbers.calls) && (1...1_000_000_000).contains(numbers.burst))
          #expect((.nanoseconds(1)) <= numbers.per && numbers.per <= .seconds(1_000_000_000))
          #expect(numbers.queueLimit >= 0 && numbers.maxWait ?? .zero >= .zero)
        }
      }
    }
  }
}

/// Runs a body whose events go to a sink, where nothing is thrown.
private func withSink(_ sink: any EventSink, _ body: () async -> Void) async {
  _ = await word { try await withEvents(sink) { await body() } }
}
