import Stoic
import StoicTesting
import Testing

@Suite("Adaptive bulkhead")
struct AdaptiveBulkheadTests {
  /// Two calls to a window, and no measurement but the first.
  private static func numbers(
    _ initial: Int, _ limits: ClosedRange<Int> = 1...100, lifetime: Duration = .seconds(100_000)
  ) -> AdaptiveBulkhead.Configuration {
    AdaptiveBulkhead.Configuration(
      initialLimit: initial, minLimit: limits.lowerBound, maxLimit: limits.upperBound,
      window: .nanoseconds(1), samples: 2, maxSamples: 2, baselineLifetime: lifetime)
  }

  /// As many calls at once as there are permits, again and again; each takes the same time.
  private func fill(_ bulkhead: AdaptiveBulkhead, rounds: Int, _ time: Duration) async throws {
    for _ in 0..<rounds {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<bulkhead.limit {
          group.addTask { try await bulkhead.run { try await Ambient.sleep(for: time) } }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("At first it halves its limit to see how fast calls are with little load, and goes back")
  func measurement() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(16))
      let events = EventRecorder()
      #expect(bulkhead.limit == 16 && bulkhead.baseline == nil)
      try await withEvents(events) { try await fill(bulkhead, rounds: 6, .seconds(1)) }
      #expect(bulkhead.baseline == .seconds(1))
      let changes = events.events.filter { $0.name == "bulkhead.limit" }
      #expect(changes.map { $0["cause"] }.prefix(2) == ["measuring", "measured"])
      #expect(changes.map { $0["limit"] }.prefix(2) == ["8", "16"])
      #expect(changes.first?["before"] == "16" && changes.first?["latency"] == "1s")
      #expect(changes.first?.label == "adaptive bulkhead" && changes.first?.level == .debug)
    }
  }

  @Test("Used to the limit by calls that stay fast it rises, to its greatest one and no further")
  func rises() throws {
    try simulate(seeds: 0..<20) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(4, 1...20))
      try await fill(bulkhead, rounds: 40, .seconds(1))
      #expect(bulkhead.limit == 20)
    }
  }

  @Test("It does not rise while less than the limit is used, however long")
  func unused() throws {
    try simulate(seeds: 0..<10) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(10))
      for _ in 0..<200 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask { try await bulkhead.run { try await Ambient.sleep(for: .seconds(1)) } }
          }
          try await group.waitForAll()
        }
      }
      #expect(bulkhead.limit == 10 && bulkhead.baseline == .seconds(1))
    }
  }

  @Test("Where each call more makes all slower it stays at its least limit")
  func falls() throws {
    try simulate(seeds: 0..<10) {
      var numbers = Self.numbers(64, 2...64)
      numbers.samples = 8
      let bulkhead = AdaptiveBulkhead(numbers)
      let server = Workers(1, time: .seconds(1))
      for _ in 0..<40 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<bulkhead.limit {
            group.addTask { try await bulkhead.run { try await server.answer() } }
          }
          try await group.waitForAll()
        }
        #expect(bulkhead.limit >= 2)
      }
      #expect(bulkhead.limit <= 4)
    }
  }

  @Test(
    "Calls that fail at once do not look like speed, those cancelled or late for their caller like nothing")
  func failures() throws {
    try simulate(seeds: 0..<10) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(4, 1...8))
      try await fill(bulkhead, rounds: 6, .seconds(1))
      let (limit, baseline) = (bulkhead.limit, bulkhead.baseline)
      let failing: @Sendable () async -> String = { await word { try await bulkhead.run { throw Fault() } } }
      let late: @Sendable () async -> String = {
        await word { try await withDeadline(.seconds(9)) { try await bulkhead.run { try await hang() } } }
      }
      let cancelled: @Sendable () async -> String = {
        let call = Ambient.task { try await bulkhead.run { try await hang() } }
        try? await Ambient.sleep(for: .seconds(1))
        call.cancel()
        return await word { try await call.value }
      }
      for (call, expected) in [(failing, "fault"), (late, "deadline_exceeded"), (cancelled, "cancelled")] {
        for _ in 0..<6 {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<limit {
              group.addTask {
                let end = await call()
                #expect(end == expected)
              }
            }
          }
        }
        #expect(bulkhead.limit == limit && bulkhead.baseline == baseline && bulkhead.inUse == 0)
      }
    }
  }

  @Test(
    "A server that hangs is let go of: timeouts lower the limit, are no baseline, and it comes back by itself"
  )
  func timeouts() throws {
    try simulate(seeds: 0..<10) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(16, 1...16))
      try await fill(bulkhead, rounds: 6, .seconds(1))
      #expect(bulkhead.limit == 16)
      for _ in 0..<12 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<bulkhead.limit {
            group.addTask {
              let end = await word {
                try await bulkhead.run { try await withTimeout(.seconds(30)) { try await hang() } }
              }
              #expect(end == "timeout")
            }
          }
        }
      }
      #expect(bulkhead.limit <= 4 && bulkhead.baseline == .seconds(1))
      try await fill(bulkhead, rounds: 50, .seconds(1))
      #expect(bulkhead.limit == 16 && bulkhead.baseline == .seconds(1))
    }
  }

  @Test("A deadline inside the body says that there is too much load")
  func innerDeadline() throws {
    try simulate(seeds: 0..<10) {
      let bulkhead = AdaptiveBulkhead(Self.numbers(16, 1...16))
      try await fill(bulkhead, rounds: 6, .seconds(1))
      for _ in 0..<3 {
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<16 {
            group.addTask {
              let end = await word {
                try await bulkhead.run { try await withDeadline(.seconds(5)) { try await hang() } }
              }
              #expect(end == "deadline_exceeded")
            }
          }
        }
      }
      // 16 / 2, for five times the baseline, and half the root of 16.
      #expect(bulkhead.limit == 10)
    }
  }

  @Test(
    "What the caller judges an overload counts as slow, however fast it was; what it judges nothing does not count"
  )
  func judged() throws {
    try simulate(seeds: 0..<10) {
      for (outcome, limit) in [(AdaptiveBulkhead.Outcome.overload, 10), (nil, 16)] {
        let bulkhead = AdaptiveBulkhead(Self.numbers(16, 1...16))
        try await fill(bulkhead, rounds: 6, .seconds(1))
        for _ in 0..<4 {
          await withTaskGroup(of: Void.self) { group in
            for _ in 0..<bulkhead.limit {
              group.addTask {
                _ = await word {
                  try await bulkhead.run(judging: { (_: Result<Void, any Error>) in outcome }) {
                    try await Ambient.sleep(for: .milliseconds(1_500))
                  }
                }
              }
            }
          }
        }
        #expect(bulkhead.limit == limit)
      }
    }
  }

  @Test("A permit that is one too many goes to nobody, and a limit that rises wakes who waits at once")
  func resizing() throws {
    try simulate(seeds: 0..<100) {
      let bulkhead = Bulkhead(maxConcurrent: 3)
      let inside = Occupancy()
      let start = milliseconds
      let calls = (0..<7).map { _ in
        Ambient.task { try await bulkhead.run { try await inside.stay(for: .seconds(2)) } }
      }
      try await Ambient.sleep(for: .seconds(1))
      bulkhead.resize(to: 1, decision: 2)
      // A decision that comes late changes nothing.
      bulkhead.resize(to: 9, decision: 1)
      #expect(inside.now == 3 && bulkhead.inUse == 3 && bulkhead.waiting == 4)
      try await Ambient.sleep(for: .seconds(2))
      #expect(inside.now == 1 && bulkhead.inUse == 1 && bulkhead.waiting == 3)
      bulkhead.resize(to: 4, decision: 3)
      try await settle()
      #expect(inside.now == 4 && bulkhead.waiting == 0)
      for call in calls { try await call.value }
      #expect(milliseconds - start == 5_000)
      #expect(bulkhead.inUse == 0 && inside.total == 7)
    }
  }

  @Test(
    "Its queue is that of a bulkhead: bounded, with a timeout, left at the deadline, told by the same events")
  func queue() throws {
    try simulate(seeds: 0..<50) {
      var numbers = Self.numbers(1, 1...1)
      (numbers.queueLimit, numbers.queueTimeout) = (1, .seconds(2))
      let bulkhead = AdaptiveBulkhead(numbers, label: "db")
      let holder = Ambient.task { try await bulkhead.run { try await Ambient.sleep(for: .seconds(9)) } }
      try await settle()
      let events = EventRecorder()
      try await withEvents(events) {
        let start = milliseconds
        let first = Ambient.task { await word { try await bulkhead.run {} } }
        try await settle()
        let refused = await word { try await bulkhead.run {} }
        #expect(refused == "bulkhead_full" && milliseconds == start)
        let end = try await first.value
        #expect(end == "bulkhead_full" && milliseconds - start == 2_000)
        let late = await word { try await withDeadline(.seconds(1)) { try await bulkhead.run {} } }
        #expect(late == "deadline_exceeded" && milliseconds - start == 3_000)
      }
      #expect(
        events.events.map { "\($0.label) \($0.name) \($0["reason"] ?? "")" } == [
          "db bulkhead.queued ", "db bulkhead.rejected full", "db bulkhead.rejected queue_timeout",
          "db bulkhead.queued ",
        ])
      try await holder.value
      #expect(bulkhead.inUse == 0 && bulkhead.waiting == 0)
    }
  }

  @Test("It keeps the clock of its first use")
  func clock() async throws {
    let (first, second) = (TestClock(), TestClock())
    let bulkhead = AdaptiveBulkhead(Self.numbers(2, 2...2))
    for clock in [first, second, second] {
      try await withClock(clock) {
        try await bulkhead.run {
          first.advance(by: .seconds(1))
          second.advance(by: .seconds(5))
        }
      }
    }
    #expect(bulkhead.baseline == .seconds(1))
  }

  @Test("It shows its numbers, and its configuration brings them into range")
  func printed() {
    var numbers = AdaptiveBulkhead.Configuration(minLimit: 4, maxLimit: 64, queueTimeout: .seconds(5))
    #expect(
      "\(Policy(AdaptiveBulkhead(numbers)))"
        == "adaptive bulkhead (4 to 64 at once, 64 waiting for at most 5s)")
    (numbers.minLimit, numbers.maxLimit, numbers.initialLimit) = (9, 3, 2)
    #expect(numbers.limits == 9...9 && AdaptiveBulkhead(numbers).limit == 9)
    (numbers.samples, numbers.tolerance, numbers.queueLimit) = (0, .nan, -1)
    #expect(numbers.samples == 1 && numbers.tolerance == 1 && numbers.queueLimit == 0)
  }

  @Test(
    "Any numbers give an adaptive bulkhead in which calls run, within its bounds",
    arguments: [Int.min, 0, 1, .max], [Double.nan, -1, 1, .infinity, 1e300])
  func hostile(number: Int, tolerance: Double) throws {
    try simulate(seeds: 0..<1) {
      for duration in hostileDurations {
        for limits in [(number, 3), (3, number), (number, number)] {
          let bulkhead = AdaptiveBulkhead(
            AdaptiveBulkhead.Configuration(
              initialLimit: number, minLimit: limits.0, maxLimit: limits.1, window: duration, samples: number,
              tolerance: tolerance, baselineLifetime: duration, queueLimit: number, queueTimeout: duration))
          for _ in 0..<5 {
            let end = await word { try await bulkhead.run {} }
            #expect(end == "value")
          }
          #expect((1...1_000_000).contains(bulkhead.limit) && bulkhead.inUse == 0)
        }
      }
    }
  }

  @Test("Whatever a clock says, an adaptive limit stays within its bounds")
  func hostileClock() {
    var numbers = AdaptiveBulkhead.Configuration(minLimit: 1, maxLimit: .max, samples: 1)
    for lifetime in hostileDurations {
      (numbers.baselineLifetime, numbers.window) = (lifetime, lifetime)
      var state = AdaptiveLimitState(numbers, seed: 1)
      for start in hostileDurations {
        for now in hostileDurations {
          for outcome in [AdaptiveBulkhead.Outcome.success, .overload, nil] {
            for inUse in [Int.min, 0, .max] {
              _ = state.record(outcome, from: start.clamped, to: now.clamped, inUse: inUse)
              #expect((1...1_000_000).contains(state.limit))
            }
          }
        }
      }
    }
  }
}
