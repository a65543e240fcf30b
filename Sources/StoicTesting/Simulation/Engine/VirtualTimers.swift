/// The timers of a run: a binary heap by instant, and by age among those of one instant.
struct VirtualTimers {
  private struct Entry {
    let instant: Duration
    let id: Int
  }

  private var heap: [Entry] = []
  private var fires: [Int: @Sendable () -> Void] = [:]
  private var nextID = 0

  var isEmpty: Bool { fires.isEmpty }
  var count: Int { fires.count }

  mutating func add(at instant: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    nextID += 1
    fires[nextID] = fire
    heap.append(Entry(instant: instant, id: nextID))
    siftUp(heap.count - 1)
    return nextID
  }

  mutating func remove(_ id: Int) {
    fires[id] = nil
  }

  /// Takes out one of the timers that are due next.
  ///
  /// - Parameter choose: given their number, says which one in order of age; asked only where there are several.
  mutating func takeNext(
    _ choose: (Int) -> Int
  ) -> (instant: Duration, id: Int, fire: @Sendable () -> Void)? {
    guard let first = popAlive() else { return nil }
    var tied = [first]
    while let other = popAlive() {
      guard other.instant == first.instant else {
        push(other)
        break
      }
      tied.append(other)
    }
    let chosen = tied.remove(at: tied.count == 1 ? 0 : choose(tied.count))
    for other in tied { push(other) }
    guard let fire = fires.removeValue(forKey: chosen.id) else { return nil }
    return (chosen.instant, chosen.id, fire)
  }

  /// The earliest entry whose timer was not taken back.
  private mutating func popAlive() -> Entry? {
    while !heap.isEmpty {
      heap.swapAt(0, heap.count - 1)
      let entry = heap.removeLast()
      if !heap.isEmpty { siftDown(0) }
      if fires[entry.id] != nil { return entry }
    }
    return nil
  }

  private mutating func push(_ entry: Entry) {
    heap.append(entry)
    siftUp(heap.count - 1)
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    let (left, right) = (heap[left], heap[right])
    return left.instant != right.instant ? left.instant < right.instant : left.id < right.id
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
