/// The timers of a clock that keeps none itself: one task sleeps until the earliest of them.
///
/// Setting a timer behind another one and taking one back cost a place in a heap and no task. A timer that was taken back
/// gives its place up when its time comes, or when such places are the most of all.
final class TaskTimers: TimerOwner {
  private struct Entry: Comparable {
    let offset: Duration
    let id: Int

    static func < (left: Entry, right: Entry) -> Bool {
      left.offset != right.offset ? left.offset < right.offset : left.id < right.id
    }
  }

  /// What a timer does; in a structure, since a collection of bare closures makes an object around each.
  private struct Action {
    let fire: @Sendable () -> Void
  }

  private struct State {
    var entries = Heap<Entry>()
    var actions: [Int: Action] = [:]
    var nextID = 0
    /// The task that sleeps until the earliest timer, and which one it is of all that there were.
    var sleeper: Task<Void, Never>?
    var sleeperNumber = 0
    var sleepsUntil: Duration?
  }

  private let state = Lock(State())
  private let elapsed: @Sendable () -> Duration
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - elapsed: the time on the clock, since its origin.
  ///   - sleep: waits until a time on it.
  init(
    elapsed: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    self.elapsed = elapsed
    self.sleep = sleep
  }

  deinit {
    state.withLock { $0.sleeper }?.cancel()
  }

  func add(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    let (id, number, replaced) = state.withLock { state in
      let id = state.nextID
      state.nextID += 1
      state.entries.insert(Entry(offset: offset, id: id))
      state.actions[id] = Action(fire: fire)
      if let until = state.sleepsUntil, until <= offset {
        return (id, nil as Int?, nil as Task<Void, Never>?)
      }
      let replaced = state.sleeper
      state.sleeper = nil
      state.sleeperNumber += 1
      state.sleepsUntil = offset
      return (id, state.sleeperNumber, replaced)
    }
    replaced?.cancel()
    if let number { startSleeper(number) }
    return id
  }

  func removeTimer(_ id: Int) {
    // The action leaves the lock before it is let go of: what it holds is its owner's.
    let action = state.withLock { state in
      let action = state.actions.removeValue(forKey: id)
      if action != nil, state.entries.count > 2 * state.actions.count + 32 {
        state.entries.filter { state.actions[$0.id] != nil }
      }
      return action
    }
    withExtendedLifetime(action) {}
  }

  private func startSleeper(_ number: Int) {
    // Detached: it serves all callers, and is to inherit the values and the executor of none.
    let task = Task.detached(name: "timers", priority: .high) { [weak self, sleep] in
      while !Task.isCancelled, let next = self?.fireDue(as: number) {
        do { try await sleep(next) } catch {
          if Task.isCancelled { return }
          // The clock cannot sleep, so its time is looked at now and then.
          try? await ContinuousClock().sleep(for: .milliseconds(10))
        }
      }
    }
    let isCurrent = state.withLock { state in
      guard state.sleeperNumber == number, state.sleepsUntil != nil else { return false }
      state.sleeper = task
      return true
    }
    if !isCurrent { task.cancel() }
  }

  /// Fires what is due; the time of the next timer, or nil when there is none or another task sleeps for it.
  private func fireDue(as number: Int) -> Duration? {
    let now = elapsed()
    var due: [Action] = []
    let next = state.withLock { state -> Duration? in
      guard state.sleeperNumber == number else { return nil }
      while let first = state.entries.first {
        let action = state.actions[first.id]
        guard action == nil || first.offset <= now else { break }
        state.entries.popFirst()
        state.actions[first.id] = nil
        if let action { due.append(action) }
      }
      state.sleepsUntil = state.entries.first?.offset
      if state.sleepsUntil == nil { state.sleeper = nil }
      return state.sleepsUntil
    }
    // Each in a task of its own: what a timer cancels runs its owner's handlers, and a slow one is not to hold up others.
    for action in due { Task.detached(name: "timer", priority: .high) { action.fire() } }
    return next
  }
}
