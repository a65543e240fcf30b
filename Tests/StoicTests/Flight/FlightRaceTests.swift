import Stoic
import StoicTesting
import Testing

@Suite("Single flight: clocks and races")
struct FlightRaceTests {
  private let flights = SingleFlight<String, Int>()

  @Test("Who joined on another clock with more time left starts anew, wherever that clock stands")
  func otherClocks() async throws {
    let (late, early) = (TestClock(), TestClock())
    // What is left on the one is more than the other has ever counted.
    late.advance(by: .seconds(1_000))
    let calls = Calls()
    let body: @Sendable () async throws -> Int = {
      calls.add()
      if calls.count > 1 { return 7 }
      try await Ambient.sleep(for: .seconds(9))
      return 1
    }
    let starter = Task { [flights] in
      try await withClock(late) {
        try await withDeadline(.seconds(1)) { try await flights.run("key", body) }
      }
    }
    await late.waitForSleepers(2)
    let joiner = Task { [flights] in
      try await withClock(early) {
        try await withDeadline(.seconds(60)) { try await flights.run("key", body) }
      }
    }
    // The deadline's timer, and that of the wait for the flight.
    await early.waitForSleepers(2)
    late.advance(by: .seconds(1))
    await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await starter.value }
    #expect(try await joiner.value == 7)
    #expect(calls.count == 2)
  }

  @Test("Who joined on another clock with less time left shares the end of work that gave up")
  func otherClockSameTime() async throws {
    let (late, early) = (TestClock(), TestClock())
    early.advance(by: .seconds(1_000))
    let calls = Calls()
    let body: @Sendable () async throws -> Int = {
      calls.add()
      if calls.count == 1 { try await Ambient.sleep(for: .seconds(1)) }
      throw Rejection(.deadlineExceeded)
    }
    let starter = Task { [flights] in
      try await withClock(late) {
        try await withDeadline(.seconds(60)) { try await flights.run("key", body) }
      }
    }
    await late.waitForSleepers(2)
    let joiner = Task { [flights] in
      try await withClock(early) {
        try await withDeadline(.seconds(20)) { try await flights.run("key", body) }
      }
    }
    await early.waitForSleepers(2)
    late.advance(by: .seconds(1))
    await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await starter.value }
    await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await joiner.value }
    #expect(calls.count == 1)
  }

  @Test("Whoever notices first that the starter was cancelled, nobody else is told CancellationError")
  func cancellationNoticedByTheWork() async throws {
    for _ in 0..<100 {
      let flies = Calls()
      let starter = Task { [flights] in
        try await flights.run("key") {
          flies.add()
          // The flag is seen here before what the cancellation calls has been called.
          while !Task.isCancelled { await Task.yield() }
          throw CancellationError()
        }
      }
      while flies.count == 0 { await Task.yield() }
      let waiting = EventRecorder()
      let joiner = Task { [flights] in
        try await withEvents(waiting) { try await flights.run("key") { 2 } }
      }
      while waiting.events.isEmpty { await Task.yield() }
      starter.cancel()
      #expect(try await joiner.value == 2)
      #expect(await starter.result.isCancellation)
    }
  }

  @Test("When the one who flies for thousands is cancelled, exactly one of them flies anew")
  func thundering() throws {
    try simulate(seeds: 0..<1) {
      let inside = Occupancy()
      let first = flights.call(inside)
      try await Ambient.sleep(for: .nanoseconds(1))
      let others = (0..<2_000).map { _ in flights.call(inside, value: 2) }
      try await Ambient.sleep(for: .milliseconds(500))
      first.cancel()
      for other in others { #expect(try await other.value == 2) }
      #expect(await first.result.isCancellation)
      #expect(inside.total == 2 && flights.inFlight == 0)
    }
  }

  @Test("Callers whose deadlines are one instant fly once: nobody takes over with no time left")
  func commonDeadline() throws {
    // All runs pass, and none comes to where one takes over.
    let missed = try #require(
      throws: SimulationFailure.self,
      performing: {
        try simulate(seeds: 0..<300, marks: ["single_flight.taken_over"]) {
          let (flights, calls) = (SingleFlight<Int, Int>(), Calls())
          let crowd = (0..<10).map { _ in
            Ambient.task {
              try await withDeadline(.seconds(5)) {
                try await flights.run(1) {
                  calls.add()
                  try await Ambient.suspend()
                }
              }
            }
          }
          for call in crowd {
            await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await call.value }
          }
          #expect(calls.count == 1 && flights.inFlight == 0)
        }
      })
    #expect(missed.reason == .markMissed, "\(missed)")
  }

  @Test(
    "An heir who is cancelled before it goes on begins no work, and the next one does", arguments: [1, 2, 3])
  func cancelledHeirs(cancelled: Int) throws {
    try simulate(seeds: 0..<300) {
      let (flights, calls) = (SingleFlight<Int, Int>(), Calls())
      let crowd = (0..<5).map { _ in
        Ambient.task {
          try await flights.run(1) {
            #expect(!Task.isCancelled)
            calls.add()
            try await Ambient.sleep(for: .seconds(1))
            return 7
          }
        }
      }
      try await Ambient.sleep(for: .milliseconds(1))
      for call in crowd[..<cancelled] { call.cancel() }
      for call in crowd[..<cancelled] { #expect(await call.result.isCancellation) }
      for call in crowd[cancelled...] { #expect(try await call.value == 7) }
      #expect(calls.count <= 2 && flights.inFlight == 0)
    }
  }

  @Test(
    "When time runs out, the one with the most time goes on: a hundred who came one after the other fly twice",
    arguments: [true, false])
  func heirs(inOrder: Bool) throws {
    try simulate(seeds: 0..<20, schedules: [.uniform]) {
      let (flights, calls) = (SingleFlight<Int, Int>(), Calls())
      let crowd = (0..<100).map { number in
        Ambient.task {
          try await Ambient.sleep(for: .milliseconds(Int64(number) * 4))
          return try await withDeadline(
            .seconds(inOrder ? 1 : 2) - .milliseconds(inOrder ? 0 : Int64(number) * 8)
          ) {
            try await flights.run(1) {
              calls.add()
              try await Ambient.suspend()
            }
          }
        }
      }
      for call in crowd { await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await call.value } }
      #expect(calls.count <= 2 && flights.inFlight == 0)
    }
  }

  @Test("An heir who leaves as well hands over to the next, and nobody is stranded")
  func heirsLeave() throws {
    try simulate(seeds: 0..<300) {
      let (flights, calls) = (SingleFlight<Int, Int>(), Calls())
      let crowd = (0..<6).map { number in
        Ambient.task {
          try await flights.run(1) {
            calls.add()
            try await Ambient.sleep(for: .seconds(1))
            return number
          }
        }
      }
      for leaver in crowd.prefix(5) {
        try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 3)))
        leaver.cancel()
      }
      #expect(try await crowd[5].value >= 0)
      for leaver in crowd { _ = await leaver.result }
      #expect(flights.inFlight == 0)
    }
  }
}
