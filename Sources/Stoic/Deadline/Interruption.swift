/// What cancels a task from its first step on, which is before anybody holds the task: it starts on its maker's thread.
final class Interruption: Sendable {
  typealias Work = Task<Void, any Error>

  private struct State {
    var isInterrupted = false
    /// The task while it has no holder yet.
    var starting: Starting?
    var task: Work?
  }

  /// A task that nobody holds yet.
  ///
  /// Unchecked because it is only used to cancel the task, which any thread may do. It stays good to use: the task's maker
  /// hands the task to ``Interruption/hold(_:)``, which keeps it as long as this object, and who cancels keeps this object.
  private struct Starting: @unchecked Sendable {
    let task: UnsafeCurrentTask
  }

  private let state = Lock(State())

  /// Makes the current task the one that is cancelled.
  func begin() {
    withUnsafeCurrentTask { current in
      let starting = current.map(Starting.init)
      let isInterrupted = state.withLock { state in
        state.starting = starting
        return state.isInterrupted
      }
      if isInterrupted { current?.cancel() }
    }
  }

  /// Keeps the task that calls ``begin()``.
  func hold(_ task: Work) {
    let isInterrupted = state.withLock { state in
      state.task = task
      return state.isInterrupted
    }
    if isInterrupted { task.cancel() }
  }

  /// Cancels the task, now or as soon as there is one.
  @Sendable func interrupt() {
    let (task, starting) = state.withLock { state in
      state.isInterrupted = true
      return (state.task, state.starting)
    }
    if let task { task.cancel() } else { starting?.task.cancel() }
  }
}
