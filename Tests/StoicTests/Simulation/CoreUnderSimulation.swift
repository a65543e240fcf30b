import Stoic
import StoicTesting
import Testing

@Suite("Deadline and retry under simulation")
struct CoreUnderSimulation {
  struct Fault: Error {}

  @Test(
    "Seventeen callers with deadlines, retries and cancellations leave nothing behind",
    arguments: [false, true])
  func seventeenCallers(earlyTimers: Bool) throws {
    try simulate(seeds: 0..<1_000, earlyTimers: earlyTimers) {
      let ended = Calls()
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<17 {
          group.addTask(name: "caller \(index)") {
            let call = Ambient.task { try await Self.call() }
            if index % 4 == 0 {
              try? await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 2_000)))
              call.cancel()
            }
            switch await call.result {
            case .success, .failure(is Fault), .failure(is CancellationError), .failure(is Rejection): break
            case .failure(let error): Issue.record("unexpected: \(error)")
            }
            ended.add()
          }
        }
      }
      #expect(ended.count == 17)
    }
  }

  /// A call of up to three attempts within a second, each of which takes some time, some with a timeout of their own.
  private static func call() async throws {
    try await withDeadline(.seconds(1)) {
      try await retry(RetrySchedule(base: .milliseconds(50))) { attempt in
        #expect((1...3).contains(attempt.number))
        try await withDeadline(.milliseconds(300)) {
          try await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 400)))
        }
        if Ambient.random.next() % 2 == 0 { throw Fault() }
      }
    }
  }

  @Test("A deadline ends its body at its instant, never before, and late values are discarded")
  func deadline() throws {
    try simulate(seeds: 0..<500) {
      let start = Ambient.clock.now
      let length = Duration.milliseconds(Int64(Ambient.random.next() % 100))
      do {
        try await withDeadline(.milliseconds(50)) { try await Ambient.sleep(for: length) }
        #expect(length < .milliseconds(50))
      } catch {
        #expect(error as? Rejection == Rejection(.deadlineExceeded))
        #expect(length >= .milliseconds(50))
        #expect(start.duration(to: Ambient.clock.now) == .milliseconds(50))
      }
    }
  }

  @Test("A cancel that meets the deadline ends the call either way, once")
  func cancelAtTheDeadline() throws {
    try simulate(seeds: 0..<1_000, earlyTimers: true) {
      let call = Ambient.task {
        try await withDeadline(.seconds(1)) { try await Ambient.sleep(for: .seconds(9)) }
      }
      try await Ambient.sleep(for: .seconds(1))
      call.cancel()
      switch await call.result {
      case .failure(is Rejection), .failure(is CancellationError): break
      case let other: Issue.record("unexpected: \(other)")
      }
    }
  }
}
