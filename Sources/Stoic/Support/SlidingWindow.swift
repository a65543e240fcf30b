/// Sums of what happened lately: entries count until they are as old as the window is long.
///
/// Memory is bounded whatever the rate: entries that come within a hundredth of the window of one another share a slot
/// and leave together with the slot's first one, so that an entry counts for 99 to 100 hundredths of the window. Where a
/// number of entries is given, each has a slot of its own, and the oldest leaves when there are more.
///
/// Instants are offsets on one clock. One that lies before the latest seen is taken for the latest: a caller who read the
/// clock and was late to arrive moves no time back.
package struct SlidingWindow<Tally: AdditiveArithmetic & Hashable & Sendable>: Hashable, Sendable {
  private struct Slot: Hashable {
    var start: Duration
    var tally: Tally
  }

  private let length: Duration
  private let grain: Duration
  private let capacity: Int?
  private var slots: [Slot] = []
  /// The slots before this one have left; they are removed when they are half of all.
  private var first = 0

  /// The sum of all entries that have not left.
  package private(set) var sum = Tally.zero
  /// The latest instant seen.
  package private(set) var latest = Duration.zero - .longest

  /// - Parameters:
  ///   - length: how long an entry counts; at least a nanosecond.
  ///   - capacity: at most so many entries, each in a slot of its own; nil for any number.
  package init(length: Duration, capacity: Int? = nil) {
    self.length = max(.nanoseconds(1), length.clamped)
    self.capacity = capacity.map { max(1, $0) }
    grain = capacity == nil ? self.length / 100 : .zero
  }

  /// Lets go of what has become too old.
  package mutating func advance(to now: Duration) {
    if latest.isBelow(now) { latest = now }
    while first < slots.count, !latest.isBelow(slots[first].start.saturatingAdd(length)) { dropFirst() }
    if first > 32, first > slots.count / 2 {
      slots.removeFirst(first)
      first = 0
    }
  }

  /// Adds an entry, and returns the instant it is filed under.
  @discardableResult
  package mutating func add(_ tally: Tally, at now: Duration) -> Duration {
    advance(to: now)
    sum += tally
    if capacity == nil, first < slots.count,
      latest.isBelow(slots[slots.count - 1].start.saturatingAdd(grain))
    {
      slots[slots.count - 1].tally += tally
    } else {
      slots.append(Slot(start: latest, tally: tally))
      if let capacity, slots.count - first > capacity { dropFirst() }
    }
    return latest
  }

  /// Takes an entry back; without effect when it has left.
  ///
  /// Only for windows without a capacity: entries of one instant share a slot there, and cannot be told apart here.
  ///
  /// - Parameter instant: what ``add(_:at:)`` returned for it.
  package mutating func remove(_ tally: Tally, filedAt instant: Duration) {
    guard let index = slots[first...].lastIndex(where: { $0.start <= instant }) else { return }
    slots[index].tally -= tally
    sum -= tally
  }

  private mutating func dropFirst() {
    sum -= slots[first].tally
    first += 1
  }
}
