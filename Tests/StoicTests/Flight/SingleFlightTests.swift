import Stoic
import StoicTesting
import Testing

@Suite("Single flight")
struct SingleFlightTests {
  private let flights = SingleFlight<String, Int>()

  @Test("Callers of one key share one piece of work, and the next one after it starts anew")
  func sharing() throws {
    try simulate(seeds: 0..<100) {
      let inside = Occupancy()
      let calls = (0..<10).map { flights.call(inside, value: $0) }
      let values = Set(try await calls.asyncMap { try await $0.value })
      #expect(values.count == 1)
      #expect(inside.total == 1)
      _ = try await flights.call(inside).value
      #expect(inside.total == 2)
      #expect(flights.inFlight == 0)
    }
  }

  @Test("SF-03: Nobody joins a flight that is being cancelled, however slowly it leaves")
  func dying() throws {
    try simulate(seeds: 0..<200) {
      let inside = Occupancy()
      let slow = Ambient.task { [flights] in
        try await flights.run("key") {
          inside.enter()
          // Ignores cancellation for a while.
          try await withoutCancellation { try await Ambient.sleep(for: .seconds(1)) }
          inside.leave()
          return 1
        }
      }
      try await settle()
      slow.cancel()
      let next = flights.call(inside, value: 2)
      try await settle()
      #expect(inside.now == 2)
      // SF-06: the first flight ends while the second flies, and does not take its place.
      let joiner = Ambient.task { [flights] in
        try await Ambient.sleep(for: .milliseconds(999))
        return try await flights.run("key") { 3 }
      }
      #expect(try await next.value == 2)
      _ = try await joiner.value
      #expect(try await slow.value == 1)
      #expect(inside.total == 2)
    }
  }

  @Test("SF-06: The end of an old flight leaves the newer one of its key alone")
  func successor() throws {
    try simulate(seeds: 0..<200) {
      let calls = Calls()
      let first = Ambient.task { [flights] in
        try await flights.run("key") {
          calls.add()
          try await withoutCancellation { try await Ambient.sleep(for: .seconds(1)) }
          return 1
        }
      }
      try await settle()
      try await settle()
      first.cancel()
      let second = Ambient.task { [flights] in
        try await flights.run("key") {
          calls.add()
          try await Ambient.sleep(for: .seconds(3))
          return 2
        }
      }
      try await Ambient.sleep(for: .seconds(2))
      let joined = try await flights.run("key") { 3 }
      #expect(joined == 2)
      #expect(try await second.value == 2)
      #expect(try await first.value == 1)
      #expect(calls.count == 2)
    }
  }

  @Test("SF-04: One who waits and leaves neither ends the flight nor unlocks the key", arguments: 1..<3)
  func leaving(index: Int) throws {
    try simulate(seeds: 0..<100) {
      let inside = Occupancy()
      var calls: [Task<Int, any Error>] = []
      for _ in 0..<3 {
        calls.append(flights.call(inside))
        try await settle()
      }
      calls[index].cancel()
      #expect(await calls[index].result.isCancellation)
      calls.append(flights.call(inside))
      for (other, call) in calls.enumerated() where other != index { #expect(try await call.value == 1) }
      #expect(inside.total == 1)
    }
  }

  @Test("When the one who flies is cancelled, one of those who wait flies anew for the rest, at once")
  func baton() throws {
    try simulate(seeds: 0..<200) {
      let inside = Occupancy()
      let first = Ambient.task { [flights] in
        try await flights.run("key") {
          inside.enter()
          defer { inside.leave() }
          // Ignores cancellation for a while.
          try await withoutCancellation { try await Ambient.sleep(for: .seconds(9)) }
          try Task.checkCancellation()
          return 1
        }
      }
      try await settle()
      let others = (0..<5).map { _ in flights.call(inside, value: 2) }
      try await settle()
      first.cancel()
      for other in others { #expect(try await other.value == 2) }
      #expect(milliseconds == 1_000 && inside.total == 2)
      #expect(await first.result.isCancellation)
      #expect(flights.inFlight == 0)
    }
  }

  @Test(
    "DL-06: A deadline that is only known as an instant ends a wait, and the work of who had it is not another's"
  )
  func instants() throws {
    try simulate(seeds: 0..<100) {
      let calls = Calls()
      let late: @Sendable () async throws -> Int = {
        calls.add()
        try await Ambient.sleep(for: .seconds(2))
        throw Fault()
      }
      let hasty: @Sendable (Duration) -> Task<Int, any Error> = { [flights] time in
        let values = Ambient.values.with(deadline: Ambient.clock.now.advanced(by: time))
        return Ambient.$values.withValue(values) { Ambient.task { try await flights.run("key", late) } }
      }
      // Nobody cancels these: their deadline is an instant and nothing more.
      let starter = hasty(.seconds(2))
      try await settle()
      let joiner = hasty(.seconds(1))
      let patient = Ambient.task { [flights] in try await flights.run("key") { 7 } }
      await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await joiner.value }
      #expect(milliseconds == 1_000)
      await #expect(throws: Fault()) { _ = try await starter.value }
      #expect(try await patient.value == 7)
      #expect(calls.count == 1)
    }
  }

  @Test("Who joined with more time does not share the end of work that gave up for want of it")
  func earlyRefusal() throws {
    try simulate(seeds: 0..<100) {
      let calls = Calls()
      // The work gives up long before the deadline, as a retry does whose wait would outlast it.
      let body: @Sendable () async throws -> Int = {
        calls.add()
        try await Ambient.sleep(for: .milliseconds(100))
        if Ambient.deadline != nil { throw Rejection(.deadlineExceeded) }
        return 7
      }
      let hasty = Ambient.task { [flights] in
        try await withDeadline(.seconds(1)) { try await flights.run("key", body) }
      }
      try await settle()
      let patient = Ambient.task { [flights] in try await flights.run("key", body) }
      await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await hasty.value }
      #expect(try await patient.value == 7)
      #expect(calls.count == 2 && milliseconds == 200)
    }
  }

  @Test("Who joined with no more time than the starter shares its end, and starts nothing")
  func sameDeadline() throws {
    try simulate(seeds: 0..<200) {
      let calls = Calls()
      // The work gives up long before the deadline, as a retry does whose wait would outlast it.
      let body: @Sendable () async throws -> Int = {
        calls.add()
        try await Ambient.sleep(for: .milliseconds(100))
        throw Rejection(.deadlineExceeded)
      }
      let crowd = try await withDeadline(.seconds(1)) {
        let crowd = (0..<5).map { _ in Ambient.task { [flights] in try await flights.run("key", body) } }
        try await settle()
        return crowd
      }
      for call in crowd { await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await call.value } }
      #expect(calls.count == 1 && milliseconds == 100)
    }
  }

  @Test("When all leave, the work is cancelled")
  func abandoned() throws {
    try simulate(seeds: 0..<100) {
      let inside = Occupancy()
      let calls = (0..<3).map { _ in flights.call(inside) }
      try await settle()
      for call in calls { call.cancel() }
      for call in calls { #expect(await call.result.isCancellation) }
      #expect(inside.now == 0 && flights.inFlight == 0)
    }
  }

  @Test("A body is the caller's own: it need not be sendable, and sees what is in force for the caller")
  func callersOwn() async throws {
    var count = 0
    let value = try await withDeadline(.seconds(5)) {
      try await flights.run("key") {
        count += 1
        return Ambient.deadline == nil ? 0 : count
      }
    }
    #expect(value == 1 && count == 1)
  }

  @Test("SF-13: All share an error of any kind, nobody is stranded, and the next call starts anew")
  func failure() throws {
    try simulate(seeds: 0..<100) {
      let calls = (0..<10).map { _ in
        Ambient.task { [flights] in
          try await flights.run("key") {
            try await Ambient.sleep(for: .seconds(1))
            throw Fault(number: 7)
          }
        }
      }
      for call in calls { await #expect(throws: Fault(number: 7)) { _ = try await call.value } }
      let anew = try await flights.run("key") { 8 }
      #expect(anew == 8)
    }
  }

  @Test("A flight has its starter's deadline; who joined with more time starts a new one")
  func lentDeadline() throws {
    try simulate(seeds: 0..<200) {
      let inside = Occupancy()
      let body: @Sendable () async throws -> Int = {
        try await inside.stay(for: .seconds(3))
        return 1
      }
      let starter = Ambient.task { [flights] in
        try await withDeadline(.seconds(2)) { try await flights.run("key", body) }
      }
      try await settle()
      let patient = Ambient.task { [flights] in try await flights.run("key", body) }
      let hasty = Ambient.task { [flights] in
        try await withDeadline(.seconds(1)) { try await flights.run("key", body) }
      }
      await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await hasty.value }
      await #expect(throws: Rejection(.deadlineExceeded)) { _ = try await starter.value }
      #expect(try await patient.value == 1)
      #expect(inside.total == 2)
      #expect(milliseconds == 5_000)
    }
  }

  @Test("Work that asks for its own key does the work itself, and the key is free afterwards")
  func recursion() throws {
    try simulate(seeds: 0..<100) {
      let boards = (SingleFlight<Int, Int>(), SingleFlight<Int, Int>())
      let call = Ambient.task {
        try await boards.0.run(1) {
          try await boards.1.run(1) {
            try await boards.0.run(1) {
              try await Ambient.sleep(for: .seconds(1))
              return 5
            }
          }
        }
      }
      #expect(try await call.value == 5)
      let left = Ambient.task {
        try await boards.0.run(1) { try await boards.0.run(1) { try await Ambient.suspend() } }
      }
      try await settle()
      left.cancel()
      #expect(await left.result.isCancellation)
      let anew = try await boards.0.run(1) { 6 }
      #expect(anew == 6 && boards.0.inFlight == 0)
    }
  }

  @Test("A joiner with more time starts anew whatever the work made of the starter's deadline")
  func ownErrorAtTheDeadline() throws {
    try simulate(seeds: 0..<100) {
      let calls = Calls()
      let body: @Sendable () async throws -> Int = {
        calls.add()
        do { try await Ambient.sleep(for: .milliseconds(200)) } catch { throw Fault() }
        return 1
      }
      let starter = Ambient.task { [flights] in
        try await withDeadline(.milliseconds(100)) { try await flights.run("key", body) }
      }
      try await settle()
      let joiner = Ambient.task { [flights] in try await flights.run("key", body) }
      _ = await starter.result
      #expect(try await joiner.value == 1)
      #expect(calls.count == 2)
    }
  }

  @Test("A retry inside a flight retries, although the starter is an attempt of another")
  func attempts() throws {
    try simulate(seeds: 0..<20) {
      let calls = Calls()
      let value = try await retry(RetrySchedule(maxAttempts: 1)) { [flights] _ in
        try await flights.run("key") {
          try await retry(RetrySchedule(maxAttempts: 3, base: .zero)) { attempt in
            calls.add()
            if attempt.number < 3 { throw Fault() }
            return 5
          }
        }
      }
      #expect(value == 5 && calls.count == 3)
    }
  }

  @Test("A caller who is cancelled already, or too late already, starts nothing")
  func tooLate() throws {
    try simulate(seeds: 0..<20) {
      let calls = Calls()
      let call = Ambient.task { [flights] in
        withUnsafeCurrentTask { $0?.cancel() }
        return try await flights.run("key") {
          calls.add()
          return 1
        }
      }
      #expect(await call.result.isCancellation)
      #expect(calls.count == 0 && flights.inFlight == 0)
    }
  }
}

extension Result where Failure == any Error {
  var isCancellation: Bool {
    if case .failure(let error) = self { error is CancellationError } else { false }
  }
}

extension Array {
  func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
    var values: [Value] = []
    for element in self { values.append(try await transform(element)) }
    return values
  }
}

/// Runs a body that the cancellation of the task around it does not reach.
func withoutCancellation(_ body: @escaping @Sendable () async throws -> Void) async throws {
  try await Ambient.task { try await body() }.value
}
