/// The timers of a run: a binary heap by instant, and by age among those of one instant.
struct VirtualTimers {
  private struct Entry {
    let instant: Duration
    let id: Int
    /// The instant, to be compared: `Duration`'s own comparison is a call to the runtime's library, at each step.
    let time: Int128
  }

  /// What a timer does; in a structure, since a collection of bare closures makes an object around each.
  private struct Action {
    let fire: @Sendable () -> Void
  }

  private var heap: [Entry] = []
  private var actions: [Int: Action] = [:]
  private var nextID = 0
  /// The instant of the last timer that was taken out.
  private var now: Int128 = 0

  var isEmpty: Bool { actions.isEmpty }
  var count: Int { actions.count }

  mutating func add(at instant: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    nextID += 1
    actions[nextID] = Action(fire: fire)
    heap.append(Entry(instant: instant, id: nextID, time: instant.attoseconds))
    siftUp(heap.count - 1)
    return nextID
  }

  mutating func remove(_ id: Int) {
    actions[id] = nil
  }

  /// Whether a timer is left of those of the present instant.
  mutating func areDue() -> Bool {
    while let first = heap.first, first.time <= now {
      if actions[first.id] != nil { return true }
      pop()
    }
    return false
  }

  /// Takes out one of the timers that are due next.
  ///
  /// - Parameter choose: given their number, says which one in order of age; asked only where there are several.
  mutating func takeNext(
    _ choose: (Int) -> Int
  ) -> (instant: Duration, id: Int, fire: @Sendable () -> Void)? {
    dropDead()
    guard let first = heap.first else { return nil }
    pop()
    dropDead()
    guard heap.first?.time == first.time else { return due(first) }
    var tied = [first]
    while let other = heap.first, other.time == first.time {
      tied.append(other)
      pop()
      dropDead()
    }
    let chosen = tied.remove(at: choose(tied.count))
    for other in tied { push(other) }
    return due(chosen)
  }

  private mutating func due(_ entry: Entry) -> (instant: Duration, id: Int, fire: @Sendable () -> Void)? {
    guard let action = actions.removeValue(forKey: entry.id) else { return nil }
    now = entry.time
    return (entry.instant, entry.id, action.fire)
  }

  /// Takes out the earliest entries as long as their timers were taken back.
  private mutating func dropDead() {
    while let first = heap.first, actions[first.id] == nil { pop() }
  }

  /// Takes out the earliest entry of some.
  private mutating func pop() {
    heap.swapAt(0, heap.count - 1)
    heap.removeLast()
    if !heap.isEmpty { siftDown(0) }
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    siftUp(heap.count - 1)
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (heap[left], heap[right])
    return left.time != right.time ? left.time < right.time : left.id < right.id
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, isBefore(index, (index - 1) / 2) {
      heap.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var smallest = index
      for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isBefore(child, smallest) {
        smallest = child
      }
      guard smallest != index else { return }
      heap.swapAt(index, smallest)
      index = smallest
    }
  }
}
