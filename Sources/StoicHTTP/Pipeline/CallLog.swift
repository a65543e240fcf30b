import Stoic

/// What a call has done so far; becomes the ``CallRecord`` of its answer or error.
struct CallLog {
  private let request: PreparedRequest
  private let clock: AmbientClock
  private let start: AmbientClock.Instant
  private var history: [CallRecord.Attempt] = []
  private var attempts = 0
  /// Whether the server may have acted in any attempt so far.
  private(set) var mayHaveActed = false
  private var mayHaveActedBefore = false

  init(of request: PreparedRequest, on clock: AmbientClock, since start: AmbientClock.Instant) {
    self.request = request
    self.clock = clock
    self.start = start
  }

  mutating func add(_ verdict: Verdict, waitBefore: Duration) {
    attempts += 1
    mayHaveActedBefore = mayHaveActed
    mayHaveActed = mayHaveActed || verdict.mayHaveActed
    // A call may make attempts for days; their number is exact, and of the attempts the first and the last are kept.
    if history.count == CallRecord.historyLimit { history.remove(at: CallRecord.historyLimit / 2) }
    history.append(
      CallRecord.Attempt(outcome: verdict.word, waitBefore: waitBefore, mayHaveActed: verdict.mayHaveActed))
  }

  /// The record of the call as it stands now.
  var record: CallRecord {
    CallRecord(
      method: request.method, mayRepeat: request.mayRepeat, history: history,
      elapsed: start.duration(to: clock.now), attempts: attempts, mayHaveActed: mayHaveActed,
      mayHaveActedBefore: mayHaveActedBefore)
  }
}
