/// Who waits for a turn, and when the next one comes.
///
/// Pure: instants are offsets on one clock.
package protocol TurnState: Sendable {
  /// When the first who waits may have its turn; nil when nobody waits.
  var nextTurn: Duration? { get }

  /// Lets through whose turn has come, to be woken outside the lock.
  mutating func settle(at now: Duration, _ woken: inout [WakeUp])
}

/// Keeps a state of turns under a lock, and one alarm for the next turn, whoever waits.
package final class TurnKeeper<State: TurnState>: Sendable {
  private struct Alarm {
    let instant: Duration
    let bell: WakeUp
  }

  private struct Shared {
    var state: State
    var alarm: Alarm?

    /// Brings the alarm in line with the state; returns the old and the new one where they differ.
    mutating func rearm() -> (old: WakeUp?, new: Alarm?) {
      let next = state.nextTurn
      guard next != alarm?.instant else { return (nil, nil) }
      let old = alarm?.bell
      alarm = next.map { Alarm(instant: $0, bell: WakeUp()) }
      return (old, alarm)
    }
  }

  private let shared: Lock<Shared>
  /// The clock of the first use.
  package let first = FirstClock()

  package init(_ state: State) {
    shared = Lock(Shared(state: state))
  }

  /// Looks at the state, or takes from it what wakes nobody.
  package func withState<Result>(_ body: (inout State) -> Result) -> Result {
    shared.withLock { body(&$0.state) }
  }

  /// Lets something happen to the state, wakes whose turn has come, and sets the alarm for the next one.
  @discardableResult
  package func change<Result: Sendable>(
    _ body: (inout State, Duration, inout [WakeUp]) -> Result
  ) -> Result {
    change(after: nil, body)
  }

  /// - Parameter bell: that of the alarm that has gone off.
  private func change<Result: Sendable>(
    after bell: WakeUp?, _ body: (inout State, Duration, inout [WakeUp]) -> Result
  ) -> Result {
    let clock = first.clock
    let now = clock.engine.elapsed
    var woken: [WakeUp] = []
    let (result, old, new) = shared.withLock { shared in
      if let bell, shared.alarm?.bell === bell { shared.alarm = nil }
      let result = body(&shared.state, now, &woken)
      let (old, new) = shared.rearm()
      return (result, old, new)
    }
    old?.ring()
    for waiter in woken { waiter.ring() }
    if let new {
      let timer = clock.schedule(at: AmbientClock.Instant(offset: new.instant)) { [self] in
        change(after: new.bell) { $0.settle(at: $1, &$2) }
      }
      new.bell.own(timer)
    }
    return result
  }
}
