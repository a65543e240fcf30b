import Stoic
import StoicTesting
import Testing

@Suite("Single flight, those who are late")
struct FlightStragglerTests {
  @Test(
    "What work leaves behind shares like any other caller once the flight has ended",
    arguments: [false, true])
  func leftBehind(isGivenUp: Bool) throws {
    try simulate(seeds: 0..<100) {
      let flights = SingleFlight<String, Int>()
      let inside = Occupancy()
      let later = Mailbox()
      let first = Ambient.task {
        try await flights.run("key") {
          later.task = Ambient.task {
            try await Ambient.sleep(for: .seconds(2))
            return try await flights.run("key") {
              try await inside.stay(for: .seconds(1))
              return 2
            }
          }
          if isGivenUp { try await Ambient.suspend() }
          return 1
        }
      }
      try await settle()
      first.cancel()
      _ = await first.result
      try await Ambient.sleep(for: .milliseconds(1_500))
      let other = Ambient.task {
        try await flights.run("key") {
          try await inside.stay(for: .seconds(1))
          return 2
        }
      }
      #expect(try await later.task?.value == 2)
      #expect(try await other.value == 2)
      #expect(inside.total == 1 && flights.inFlight == 0)
    }
  }

  @Test("On real threads, callers who are cancelled or run out of time anywhere all return, strand nobody")
  func realThreads() async {
    let flights = SingleFlight<Int, Int>()
    await withTaskGroup(of: Void.self) { group in
      for caller in 0..<8 {
        group.addTask {
          var random = SplitMix(seed: UInt64(caller))
          for _ in 0..<200 {
            let (key, draw) = (Int(random.next() % 3), random.next())
            let task = Task {
              try await withDeadline(.microseconds(Int64(draw % 7 == 0 ? draw % 300 : 1 << 40))) {
                try await flights.run(key) {
                  for _ in 0..<draw % 5 { await Task.yield() }
                  if draw % 3 == 0 { throw Fault() }
                  try Task.checkCancellation()
                  return key
                }
              }
            }
            for _ in 0..<random.next() % 5 { await Task.yield() }
            if draw % 2 == 0 { task.cancel() }
            switch await task.result {
            case .success(let value): #expect(value == key)
            case .failure(let error):
              #expect(error is CancellationError || error is Fault || error is Rejection)
            }
          }
        }
      }
    }
    #expect(flights.inFlight == 0)
  }
}

/// A task that one piece of work hands to another.
private final class Mailbox: Sendable {
  private let state = Lock<Task<Int, any Error>?>(nil)

  var task: Task<Int, any Error>? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}
