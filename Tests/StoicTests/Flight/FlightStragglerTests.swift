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

  @Test("Who has taken a flight over and asks for the same from within its work does not wait for itself")
  func takenOver() throws {
    try simulate(seeds: 0..<100) {
      let flights = SingleFlight<String, Int>()
      let first = Ambient.task { try await flights.run("key") { try await Ambient.suspend() } }
      try await settle()
      let heir = Ambient.task {
        try await flights.run("key") { 1 + (try await flights.run("key") { 1 }) }
      }
      try await settle()
      first.cancel()
      #expect(try await heir.value == 2 && flights.inFlight == 0)
    }
  }

  @Test(
    "Work that goes on and on in tasks that it leaves behind keeps no flight that has ended",
    arguments: [false, true])
  func goingOn(changesKey: Bool) async throws {
    let flights = SingleFlight<Key, Int>()
    let count = Counter()
    await Self.generation(0, of: 1_000, changesKey: changesKey, on: flights, count)
    while count.generations < 1_000 { await Task.yield() }
    // The last one, and the one that started it: it may have begun before that one's end.
    #expect(count.most <= 4)
  }

  @Test(
    "Of flights that each begin within the one before and outlast it, no more is kept than what still flies")
  func overlapping() throws {
    try simulate(seeds: 0..<5) {
      let flights = SingleFlight<Key, Int>()
      let count = Counter()
      await Self.overlap(0, of: 50, on: flights, count)
      try await Ambient.sleep(for: .seconds(200))
      #expect(count.generations == 50 && count.most <= 3, "\(count.most)")
    }
  }

  private static func overlap(
    _ number: Int, of all: Int, on flights: SingleFlight<Key, Int>, _ count: Counter
  ) async {
    count.generations = number
    guard number < all else { return }
    _ = try? await flights.run(Key(number: number, token: count.token())) {
      try await Ambient.sleep(for: .seconds(2))
      _ = Ambient.task { await overlap(number + 1, of: all, on: flights, count) }
      try await Ambient.sleep(for: .seconds(1))
      return number
    }
  }

  private static func generation(
    _ number: Int, of all: Int, changesKey: Bool, on flights: SingleFlight<Key, Int>, _ count: Counter
  ) async {
    count.generations = number
    guard number < all else { return }
    let key = Key(number: changesKey ? number : 0, token: count.token())
    _ = try? await flights.run(key) {
      _ = Ambient.task { await generation(number + 1, of: all, changesKey: changesKey, on: flights, count) }
      return number
    }
  }

  /// A key that can be seen to be let go of.
  private struct Key: Hashable, Sendable {
    let number: Int
    let token: Counter.Token

    static func == (left: Key, right: Key) -> Bool { left.number == right.number }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  /// How many keys there are at the same time.
  private final class Counter: Sendable {
    final class Token: Sendable {
      private let counter: Counter

      init(_ counter: Counter) { self.counter = counter }

      deinit { counter.state.withLock { $0.alive -= 1 } }
    }

    private let state = Lock((alive: 0, most: 0, generations: 0))

    var most: Int { state.withLock { $0.most } }

    var generations: Int {
      get { state.withLock { $0.generations } }
      set { state.withLock { $0.generations = newValue } }
    }

    func token() -> Token {
      state.withLock {
        $0.alive += 1
        $0.most = max($0.most, $0.alive)
      }
      return Token(self)
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
