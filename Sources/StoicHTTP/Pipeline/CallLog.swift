import Stoic

/// What a call has done so far; becomes the ``CallRecord`` of its answer or error.
struct CallLog {
  private let request: PreparedRequest
  private let clock: AmbientClock
  private let start: AmbientClock.Instant
  private var history: [CallRecord.Attempt] = []

  init(of request: PreparedRequest, on clock: AmbientClock) {
    self.request = request
    self.clock = clock
    start = clock.now
  }

  mutating func add(_ verdict: Verdict, waitBefore: Duration) {
    history.append(
      CallRecord.Attempt(outcome: verdict.word, waitBefore: waitBefore, mayHaveActed: verdict.mayHaveActed))
  }

  /// The record of the call as it stands now.
  var record: CallRecord {
    CallRecord(
      method: request.method, mayRepeat: request.mayRepeat, history: history,
      elapsed: start.duration(to: clock.now))
  }
}
