import Stoic

/// A server of known capacity: so many workers, each of whom takes the same time for a request; who comes too many waits.
final class Workers: Sendable {
  private struct State {
    /// When each worker is free.
    var free: [AmbientClock.Instant]
    var time: Duration
    var answered = 0
  }

  private let state: Lock<State>

  init(_ count: Int, time: Duration) {
    let free = Array(repeating: Ambient.clock.now, count: count)
    state = Lock(State(free: free, time: time))
  }

  /// How many requests have been answered.
  var answered: Int { state.withLock { $0.answered } }

  /// How long a worker takes for a request from now on.
  func setTime(_ time: Duration) { state.withLock { $0.time = time } }

  /// How many work from now on; what they have begun they finish.
  func setCount(_ count: Int) {
    let now = Ambient.clock.now
    state.withLock { state in
      state.free.sort()
      while state.free.count > count { state.free.removeLast() }
      while state.free.count < count { state.free.append(now) }
    }
  }

  /// Has a request answered; each takes `share` of the time.
  func answer(share: Double = 1) async throws {
    let now = Ambient.clock.now
    let end = state.withLock { state in
      let first = state.free.indices.min { state.free[$0] < state.free[$1] } ?? 0
      let begin = max(now, state.free[first])
      state.free[first] = begin.advanced(by: state.time * share)
      return state.free[first]
    }
    try await Ambient.sleep(until: end)
    state.withLock { $0.answered += 1 }
  }
}
