import Stoic

/// Gives each state of a run a number, by which a search sees that it has been there before.
///
/// A state is known by how it came about. A step either touches something shared (a hold of Stoic's, the clock, a timer, a random
/// number, a task that it wakes or starts, or whatever it says with `touch()`), or it has to do with nothing but its own
/// task. Each touching step gets the next number of the run; a task's past is the list of its steps, a touching one by its
/// number, another one by no number. Two runs that made the same touching steps in the same order, and of the other steps as
/// many in each task, and picked the same numbers, are in the same state: the others commute with all steps of other tasks (Mazurkiewicz, "Trace Theory",
/// 1987). So the state's number is a hash of the pasts of all tasks, of which of them can run, of the timers and of the time.
/// Tasks that were started as alike have the same past to begin with, and pasts are added up without their tasks: states
/// that differ by a change of such tasks' places are the same.
final class StateTracker: Sendable {
  private struct State {
    /// A hash of each task's past.
    var pasts: [Int: UInt64] = [:]
    var timers: [Int: UInt64] = [:]
    var now = Duration.zero
    /// How many touching steps there were.
    var version: UInt64 = 0
    var hasTouched = false
    var started: UInt64 = 0
    var set: UInt64 = 0
    var running = -1
    var isStartingAlike = false
  }

  private let state = Lock(State())
  private let countsPreemptions: Bool

  /// - Parameter countsPreemptions: whether states differ by the preemptions up to them, as where these are bounded.
  init(countsPreemptions: Bool) {
    self.countsPreemptions = countsPreemptions
  }

  var isStartingAlike: Bool {
    get { state.withLock { $0.isStartingAlike } }
    set { state.withLock { $0.isStartingAlike = newValue } }
  }

  func touch() {
    state.withLock { $0.hasTouched = true }
  }

  /// The running task goes on with a number of its choice, on which all that follows may depend.
  func pick(_ number: Int) {
    state.withLock { state in
      let past = state.pasts[state.running] ?? 0
      state.pasts[state.running] = Self.mix(past, UInt64(number) &+ 1 << 48)
    }
  }

  func begin(_ task: Int) {
    state.withLock { state in
      state.running = task
      state.hasTouched = false
      (state.started, state.set) = (0, 0)
    }
  }

  func end(_ task: Int) {
    state.withLock { state in
      let past = state.pasts[task] ?? 0
      state.pasts[task] = Self.mix(past, state.hasTouched ? state.version &+ 1 : 0)
      if state.hasTouched { state.version &+= 1 }
      state.running = -1
    }
  }

  /// A task can run; by another one, by itself, or by nobody (a timer).
  func ready(_ task: Int, by current: Int) {
    state.withLock { state in
      if task != current { state.hasTouched = true }
      guard state.pasts[task] == nil else { return }
      state.started &+= state.isStartingAlike ? 0 : 1
      let parent = Self.mix(state.pasts[current] ?? 1, state.version)
      state.pasts[task] = Self.mix(parent, state.started &+ (state.isStartingAlike ? 1 << 32 : 0))
    }
  }

  func addTimer(_ id: Int, at instant: Duration) {
    state.withLock { state in
      state.hasTouched = true
      state.set &+= 1
      let owner = Self.mix(state.pasts[state.running] ?? 2, state.version)
      state.timers[id] = Self.mix(Self.mix(owner, state.set), Self.bits(instant))
    }
  }

  func removeTimer(_ id: Int) {
    state.withLock { state in
      state.hasTouched = true
      state.timers[id] = nil
    }
  }

  /// A timer has fired, and time may have moved: every touching step sees it.
  func fire(_ id: Int, at now: Duration) {
    state.withLock { state in
      state.version = Self.mix(state.version, state.timers.removeValue(forKey: id) ?? 0)
      state.now = now
      (state.started, state.set) = (0, 0)
    }
  }

  /// The number of the state in which one of several jobs is to be chosen, or first whether a timer fires before them.
  func state(ready: [Int], last: Int, preemptions: Int, offersTimer: Bool) -> UInt64 {
    state.withLock { state in
      var counts: [Int: UInt64] = [:]
      for task in ready { counts[task, default: 0] += 1 }
      var sum: UInt64 = 0
      for (task, past) in state.pasts { sum &+= Self.mix(past, counts[task] ?? 0) }
      for timer in state.timers.values { sum &+= Self.mix(timer, 3) }
      sum = Self.mix(Self.mix(sum, state.version), Self.bits(state.now))
      // From where the timer has been passed over fewer schedules go on.
      if offersTimer { sum = Self.mix(sum, 5) }
      guard countsPreemptions else { return sum }
      return Self.mix(Self.mix(sum, state.pasts[last] ?? 4), UInt64(preemptions))
    }
  }

  private static func bits(_ time: Duration) -> UInt64 { UInt64(truncatingIfNeeded: time.attoseconds >> 20) }

  private static func mix(_ left: UInt64, _ right: UInt64) -> UInt64 {
    var generator = SplitMix(seed: left ^ (right &+ 1) &* 0xD134_2543_DE82_EF95)
    return generator.next()
  }
}
