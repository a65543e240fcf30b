import Stoic

/// The timers of a test clock and those who wait for timers to be set.
///
/// Pure: it calls nobody.
struct TimerQueue {
  private struct Timer {
    let offset: Duration
    let id: Int
    let fire: @Sendable () -> Void
  }

  private(set) var now = Duration.zero
  /// Where the clock is going: beyond ``now`` while timers on the way are being fired.
  private var goal = Duration.zero
  /// Earliest first; equal instants in the order in which they were added.
  private var timers: [Timer] = []
  private var watches: [(count: Int, bell: WakeUp)] = []
  private var nextID = 0

  /// The instants of all timers, earliest first.
  var pending: [Duration] { timers.map(\.offset) }

  /// Adds a timer, unless it is due already, which the caller then fires; and hands out the bells that are satisfied.
  mutating func add(
    at offset: Duration, _ fire: @escaping @Sendable () -> Void
  ) -> (id: Int, isDue: Bool, woken: [WakeUp]) {
    nextID += 1
    guard offset > now else { return (nextID, true, []) }
    timers.insert(Timer(offset: offset, id: nextID, fire: fire), at: firstIndex(after: offset))
    let satisfied = watches.filter { $0.count <= timers.count }.map(\.bell)
    watches.removeAll { $0.count <= timers.count }
    return (nextID, false, satisfied)
  }

  mutating func remove(_ id: Int) {
    timers.removeAll { $0.id == id }
  }

  /// Where the clock has to go to be later by a time than it is, or is already going.
  mutating func raiseGoal(by duration: Duration) -> Duration {
    goal = max(goal, now).saturatingAdd(max(.zero, duration))
    return goal
  }

  /// Moves to the earliest timer up to an instant and takes it out; moves to the instant when there is none.
  mutating func nextDue(by offset: Duration) -> (@Sendable () -> Void)? {
    guard let first = timers.first, first.offset <= offset else {
      now = max(now, offset)
      return nil
    }
    now = max(now, first.offset)
    return timers.removeFirst().fire
  }

  /// Whether there are enough timers now; else the bell is rung when there are.
  mutating func watch(_ count: Int, _ bell: WakeUp) -> Bool {
    guard timers.count < count else { return true }
    watches.append((count, bell))
    return false
  }

  /// Forgets who waits no longer.
  mutating func unwatch(_ bell: WakeUp) {
    watches.removeAll { $0.bell === bell }
  }

  private func firstIndex(after offset: Duration) -> Int {
    var (low, high) = (0, timers.count)
    while low < high {
      let middle = (low + high) / 2
      if timers[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
