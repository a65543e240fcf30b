/// The clock that was in force when something was first used, for state that many callers share.
///
/// Instants never cross clocks: a breaker that opened on one clock cannot tell on another how long ago that was. So what
/// is shared keeps one clock for all its life.
package final class FirstClock: Sendable {
  private let kept = Lock<AmbientClock?>(nil)

  /// The clock; the one in force now when there was no use before.
  package var clock: AmbientClock {
    if let known = kept.withLock({ $0 }) { return known }
    // Read outside the lock: a task-local is the caller's.
    let current = Ambient.clock
    return kept.withLock { kept in
      if let kept { return kept }
      kept = current
      return current
    }
  }

  /// The time on the clock, for those who only look: where there was no use yet, the clock in force now is not kept.
  package var peek: Duration {
    let current = Ambient.clock
    return (kept.withLock { $0 } ?? current).engine.elapsed
  }

  package init() {}

  /// The time on that clock, since its origin.
  package var now: Duration { clock.engine.elapsed }

  /// The time on that clock at a moment that was read already; read anew where there is none, or it is another clock's.
  package func time(at moment: Moment?) -> Duration {
    guard let moment else { return now }
    let other: AmbientClock? = kept.withLock { kept in
      guard let known = kept else {
        kept = moment.clock
        return nil
      }
      return known.engine === moment.clock.engine ? nil : known
    }
    return other?.engine.elapsed ?? moment.instant.offset
  }
}
