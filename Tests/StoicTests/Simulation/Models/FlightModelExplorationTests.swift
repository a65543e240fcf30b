import Stoic
import StoicTesting
import Testing

@Suite("A single flight beside its model")
struct FlightModelExplorationTests {
  /// Who flies, and who waits for it: a name and a list.
  private struct Model: Sendable {
    enum Part: Equatable { case flies, waits, leaves }

    enum Message: Equatable {
      case value(Int)
      case fault(Int)
      /// It is to do the work, and may not know yet.
      case flies
    }

    var pilot: Int?
    /// First come first.
    var waiting: [Int] = []
    /// What those who wait no more will find when they go on.
    var told: [Int: Message] = [:]
    var cancelled: Set<Int> = []

    mutating func come(_ name: Int) -> Part {
      if cancelled.contains(name) { return .leaves }
      if pilot != nil {
        waiting.append(name)
        return .waits
      }
      pilot = name
      return .flies
    }

    /// Who flies ends the work, for all who wait; one who has handed it on ends it for nobody.
    mutating func end(_ name: Int, _ message: Message) {
      guard pilot == name else { return }
      for other in waiting { told[other] = message }
      (pilot, waiting) = (nil, [])
    }

    mutating func cancel(_ name: Int) {
      cancelled.insert(name)
      waiting.removeAll { $0 == name }
      // An heir that does not know yet hands on when it finds out.
      if pilot == name, told[name] != .flies { handOn() }
    }

    /// An heir takes over; one that was cancelled meanwhile hands on at once, and still does its work.
    mutating func takeOver(_ name: Int) {
      told[name] = nil
      if pilot == name, cancelled.contains(name) { handOn() }
    }

    private mutating func handOn() {
      pilot = waiting.isEmpty ? nil : waiting.removeFirst()
      if let pilot { told[pilot] = .flies }
    }
  }

  private static func run(_ crowd: FollowedCrowd) async {
    let flights = SingleFlight<String, Int>()
    let followed = Followed(Model()) { model in
      difference("how many fly", flights.inFlight, model.pilot == nil ? 0 : 1)
    }
    await crowd.run { name in
      await Self.call(name, flights, followed, crowd)
    } cancelled: {
      followed.tell { $0.cancel(0) }
      followed.check()
    }
    #expect(followed.model.pilot == nil && followed.model.waiting.isEmpty && followed.model.told.isEmpty)
  }

  private static func call(
    _ name: Int, _ flights: SingleFlight<String, Int>, _ followed: Followed<Model>, _ crowd: FollowedCrowd
  ) async {
    let part = followed.tell { $0.come(name) }
    let version = followed.version
    let flew = Lock(false)
    let value = Lock<Int?>(nil)
    let how = await word {
      let brought = try await flights.run("key") {
        flew.withLock { $0 = true }
        // The first flies in the very step in which it asks; an heir when it is told.
        if part == .flies {
          #expect(followed.version == version)
        } else {
          #expect(followed.model.told[name] == .flies)
          followed.tell { $0.takeOver(name) }
        }
        followed.check()
        await crowd.work()
        followed.check()
        let isFault = pick(below: 2) == 1
        followed.tell { $0.end(name, isFault ? .fault(name) : .value(name)) }
        if isFault { throw Fault(number: name) }
        return name
      }
      value.withLock { $0 = brought }
    }
    if flew.withLock({ $0 }) {
      #expect(part != .leaves && (how == "value" ? value.withLock { $0 } == name : how == "fault"))
    } else {
      let message = followed.tell { $0.told.removeValue(forKey: name) }
      switch (how, message) {
      case ("value", .value(let pilot)): #expect(value.withLock { $0 } == pilot)
      case ("fault", .fault): break
      case ("cancelled", nil): #expect(followed.model.cancelled.contains(name))
      default: Issue.record("\(name) ends as \(how), by the model as \(String(describing: message))")
      }
    }
    followed.check()
  }

  @Test(
    "Under every schedule a single flight agrees with a pilot and a list of who waits, at each step",
    arguments: [1, 2])
  func exploration(callers: Int) throws {
    let report = try searchAll(limit: 200_000, merges: true) {
      await Self.run(FollowedCrowd(callers: callers, pace: .steps))
    }
    #expect(report.isComplete)
  }

  @Test("Whenever callers come and leave, a single flight agrees with a pilot and a list, at each step")
  func sweep() throws {
    try simulate(seeds: 0..<1_000) { await Self.run(FollowedCrowd(callers: 6, pace: .times)) }
  }
}
