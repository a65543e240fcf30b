import Stoic
import Testing

/// A window as a list of entries; each knows the instant of the first one with which it leaves.
struct WindowModel: Hashable {
  struct Entry: Hashable {
    var filed: Int
    var leavesWith: Int
    var tally: Int
    var isTakenBack = false
  }

  let length: Int
  let capacity: Int?
  var entries: [Entry] = []
  var latest: Int?

  /// Whole hundredths of the length, in nanoseconds.
  var grain: Int { length / 100 }
  var sum: Int { entries.filter { !$0.isTakenBack }.map(\.tally).reduce(0, +) }

  mutating func advance(to now: Int) -> Int {
    let instant = max(latest ?? now, now)
    latest = instant
    entries = entries.filter { instant - $0.leavesWith < length }
    return instant
  }

  mutating func add(_ tally: Int, at now: Int) -> Int {
    let instant = advance(to: now)
    var first = instant
    if capacity == nil, let last = entries.last, instant - last.leavesWith < grain { first = last.leavesWith }
    entries.append(Entry(filed: instant, leavesWith: first, tally: tally))
    if let capacity, entries.count > capacity { entries.removeFirst() }
    return instant
  }

  mutating func takeBack(_ tally: Int, filedAt instant: Int) {
    let index = entries.firstIndex { $0.filed == instant && $0.tally == tally && !$0.isTakenBack }
    if let index { entries[index].isTakenBack = true }
  }
}

@Suite("Sliding window, explored")
struct SlidingWindowExplorationTests {
  // Both are Hashable, so a pair that was met is not continued again. Instants are absolute: one that lies
  // before the latest is a late caller's.
  private struct Scope: Explorable, Hashable {
    enum Event: Hashable { case add(at: Int), advance(to: Int), remove(Filed) }

    struct Filed: Hashable {
      var tally: Int
      var instant: Int
    }

    let instants: [Int]
    let mayRemove: Bool
    var window: SlidingWindow<Int>
    var model: WindowModel
    /// What was added and not taken back, whether it has left or not.
    var filed: Set<Filed> = []
    var added = 0

    init(length: Int, capacity: Int?, instants: [Int], mayRemove: Bool) {
      self.instants = instants
      self.mayRemove = mayRemove
      window = SlidingWindow(length: .nanoseconds(length), capacity: capacity)
      model = WindowModel(length: length, capacity: capacity)
    }

    var events: [Event] {
      instants.map(Event.add) + instants.map(Event.advance)
        + (mayRemove ? filed.sorted { $0.tally < $1.tally }.map(Event.remove) : [])
    }

    var mark: Scope { self }

    mutating func apply(_ event: Event) -> String? {
      switch event {
      case .add(let now):
        // Powers of two: each set of entries has a sum of its own.
        let tally = 1 << added
        added += 1
        let instant = window.add(tally, at: .nanoseconds(now))
        let expected = model.add(tally, at: now)
        filed.insert(Filed(tally: tally, instant: expected))
        return difference("the instant", instant, .nanoseconds(expected))
      case .advance(let now):
        window.advance(to: .nanoseconds(now))
        _ = model.advance(to: now)
        return nil
      case .remove(let entry):
        window.remove(entry.tally, filedAt: .nanoseconds(entry.instant))
        model.takeBack(entry.tally, filedAt: entry.instant)
        filed.remove(entry)
        return nil
      }
    }

    func checkInvariants() -> String? {
      difference("the sum", window.sum, model.sum)
        ?? difference("the latest", window.latest, model.latest.map { .nanoseconds($0) } ?? window.latest)
        ?? broken("a sum is never negative", unless: window.sum >= 0)
    }

    /// A window that many entries have left, so that a few events more make it clear up.
    static func worn() -> Scope {
      var scope = Scope(length: 400, capacity: nil, instants: [550, 553, 554, 560], mayRemove: true)
      for slot in 0..<40 { scope.wear(at: 4 * slot) }
      scope.window.advance(to: .nanoseconds(532))
      _ = scope.model.advance(to: 532)
      return scope
    }

    private mutating func wear(at now: Int) {
      window.add(1, at: .nanoseconds(now))
      _ = model.add(1, at: now)
      // Later tallies stay apart from the sum of these.
      added = 6
    }
  }

  @Test("Every sequence of eight events gives a window the sum of a filtered list")
  func exploration() {
    let start = Scope(length: 400, capacity: nil, instants: [0, 3, 4, 400], mayRemove: true)
    let result = Exploration(of: start, depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }

  // Without taking back: entries of one instant cannot be told apart here, and a breaker takes none back.
  @Test("Every sequence of eight events gives a window of a number of entries the sum of a filtered list")
  func explorationByNumber() {
    let start = Scope(length: 400, capacity: 3, instants: [0, 3, 399, 400, 403], mayRemove: false)
    let result = Exploration(of: start, depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }

  @Test("Every sequence of eight events gives a window that clears up the sum of a filtered list")
  func clearingUp() {
    let result = Exploration(of: Scope.worn(), depth: 8)
    #expect(result.fault == nil)
    #expect(result.steps > 5_000)
  }
}
