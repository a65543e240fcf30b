/// One parked task that somebody or a cancellation wakes, whichever comes first.
///
/// Ringing and parking may come in either order, from any thread; the continuation is resumed exactly once, and the
/// timer behind it is taken back when it was not the one that rang.
package final class WakeUp: Sendable {
  private struct State {
    var rung = false
    var continuation: UnsafeContinuation<Void, Never>?
    var timer: ScheduledTimer?
  }

  private let state = Lock(State())

  package init() {}

  /// Parks the calling task until somebody rings or the task is cancelled.
  package func wait() async {
    await cancellable {
      await withUnsafeContinuation { continuation in
        if !park(continuation) { continuation.resume() }
      }
    } onCancel: {
      ring()
    }
  }

  /// Parks a task; false when it has been rung already, and the caller resumes the continuation itself.
  package func park(_ continuation: UnsafeContinuation<Void, Never>) -> Bool {
    state.withLock { state in
      guard !state.rung else { return false }
      state.continuation = continuation
      return true
    }
  }

  /// Takes charge of the timer that will ring; takes it back at once when somebody else has rung.
  package func own(_ timer: ScheduledTimer) {
    let late = state.withLock { state in
      if state.rung { return true }
      state.timer = timer
      return false
    }
    if late { timer.cancel() }
  }

  /// Wakes the parked task, now or as soon as it parks.
  package func ring() {
    let (continuation, timer) = state.withLock { state in
      state.rung = true
      let parked = (state.continuation, state.timer)
      state.continuation = nil
      state.timer = nil
      return parked
    }
    timer?.cancel()
    continuation?.resume()
  }
}
