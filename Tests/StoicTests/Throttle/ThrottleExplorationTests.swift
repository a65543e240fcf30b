import Stoic
import Testing

@Suite("Throttle, explored")
struct ThrottleExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again. Instants are absolute: one that lies
  // before the latest is a late caller's. A window of 400 ns has a grain of 4.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable {
      case ask(at: Int, fraction: Double)
      case record(isAccepted: Bool, at: Int)
    }

    struct Entry: Hashable {
      var leavesWith: Int
      var isAccepted: Bool
    }

    static let instants = [0, 3, 4, 400]

    let numbers: Case
    var state: ThrottleState
    var entries: [Entry] = []
    var latest = 0

    init(_ numbers: Case) {
      self.numbers = numbers
      state = ThrottleState(
        Throttle.Configuration(
          multiplier: Double(numbers.multiplier), window: .nanoseconds(400),
          maxRejection: Double(numbers.maxHundredths) / 100,
          minimumRate: Double(numbers.minimumCalls) / 400e-9))
    }

    var events: [Event] {
      Self.instants.flatMap { instant in
        [0, 0.3, 0.6].map { .ask(at: instant, fraction: $0) }
          + [true, false].map { .record(isAccepted: $0, at: instant) }
      }
    }

    var mark: Scope { self }

    /// The share in whole numbers: so many of so many.
    var share: (of: Int, all: Int) {
      let accepts = entries.filter(\.isAccepted).count
      guard entries.count >= numbers.minimumCalls else { return (0, 1) }
      let excess = max(0, entries.count - numbers.multiplier * accepts)
      let all = entries.count + 1
      return excess * 100 > numbers.maxHundredths * all ? (numbers.maxHundredths, 100) : (excess, all)
    }

    private mutating func move(to now: Int) {
      latest = max(latest, now)
      let instant = latest
      entries = entries.filter { instant - $0.leavesWith < 400 }
    }

    private mutating func add(isAccepted: Bool) {
      let last = entries.last?.leavesWith
      let first = last.map { latest - $0 < 4 ? $0 : latest } ?? latest
      entries.append(Entry(leavesWith: first, isAccepted: isAccepted))
    }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .ask(let now, let fraction):
        move(to: now)
        let (part, all) = share
        let isRefused = Int(fraction * 10) * all < part * 10
        if isRefused { add(isAccepted: false) }
        let refused = state.refuse(at: .nanoseconds(now), fraction: fraction)
        return difference("whether it is refused", refused != nil, isRefused)
      case .record(let isAccepted, let now):
        move(to: now)
        add(isAccepted: isAccepted)
        state.record(isAccepted: isAccepted, at: .nanoseconds(now))
        return nil
      }
    }

    func checkInvariants() -> String? {
      var copy = state
      let probability = copy.rejectionProbability(at: .zero)
      let (part, all) = share
      let isMost = probability <= Double(numbers.maxHundredths) / 100
      return difference("the calls", state.tally.requests, entries.count)
        ?? difference("those accepted", state.tally.accepts, entries.filter(\.isAccepted).count)
        ?? broken("the share is the formula's", unless: abs(probability - Double(part) / Double(all)) < 1e-12)
        ?? broken("the share is bounded", unless: probability >= 0 && isMost)
    }
  }

  struct Case: Sendable, Hashable, CustomTestStringConvertible {
    var multiplier: Int
    var maxHundredths: Int
    var minimumCalls: Int

    var testDescription: String {
      "\(multiplier) to one, at most \(maxHundredths) %, from \(minimumCalls) calls on"
    }
  }

  @Test(
    "Every sequence of eight events gives a throttle the share that the formula gives for a filtered list",
    arguments: [
      Case(multiplier: 2, maxHundredths: 90, minimumCalls: 0),
      Case(multiplier: 1, maxHundredths: 50, minimumCalls: 2),
      Case(multiplier: 3, maxHundredths: 75, minimumCalls: 4),
    ])
  func exploration(numbers: Case) {
    let result = Exploration(of: Scope(numbers), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 170_000)
  }
}
