import Stoic

/// What a call has done so far; becomes the ``CallRecord`` of its answer or error.
struct CallLog {
  private let clock: AmbientClock
  private let start: AmbientClock.Instant
  private var stop: AmbientClock.Instant?
  /// Kept apart, so that a call of one attempt needs no list.
  private var first: CallRecord.Attempt?
  private var others: [CallRecord.Attempt] = []
  /// How many attempts there were so far.
  private(set) var attempts = 0
  /// The wait before the next attempt.
  var waited = Duration.zero
  /// Whether the server may have acted in any attempt so far.
  private(set) var mayHaveActed = false
  private var mayHaveActedBefore = false

  init(since start: AmbientClock.Instant, on clock: AmbientClock) {
    self.start = start
    self.clock = clock
  }

  /// Ends the time that the call has taken.
  mutating func end(at instant: AmbientClock.Instant) { stop = instant }

  /// Adds an attempt.
  ///
  /// - Parameter repeats: how many times the transport sent its request again: what a server may have seen is counted.
  mutating func add(_ verdict: Verdict, repeats: Int) {
    attempts += 1 + repeats
    mayHaveActedBefore = mayHaveActed
    mayHaveActed = mayHaveActed || verdict.mayHaveActed
    // A call may make attempts for days; their number is exact, and of the attempts the first and the last are kept.
    let attempt = CallRecord.Attempt(
      outcome: verdict.word, waitBefore: waited, mayHaveActed: verdict.mayHaveActed)
    guard first != nil else { return first = attempt }
    if others.count + 1 == CallRecord.historyLimit { others.remove(at: CallRecord.historyLimit / 2 - 1) }
    others.append(attempt)
  }

  /// The record of the call as it stands now.
  @inline(never) func record(of call: Call) -> CallRecord {
    CallRecord(
      method: call.request.method, mayRepeat: call.request.mayRepeat,
      history: (first.map { [$0] } ?? []) + others,
      elapsed: start.duration(to: stop ?? clock.now), attempts: attempts, mayHaveActed: mayHaveActed,
      mayHaveActedBefore: mayHaveActedBefore)
  }
}
