/// What cancels a task from its first step on, which is before anybody holds the task: it starts on its maker's thread.
///
/// Unchecked because of `current`, which is written once before the lock says that there is one, and read after that; and
/// of `isLate`, which the task writes as it ends and its maker reads after that.
final class Interruption: @unchecked Sendable {
  typealias Work = Task<Void, any Error>

  private struct State {
    var isInterrupted = false
    var hasBegun = false
    var task: Work?
  }

  /// What is in force for the task.
  let values: AmbientValues

  private let state = Lock(State())

  /// The task while it has no holder yet; only used to cancel it, which any thread may do.
  ///
  /// It stays good to use: the task's maker hands the task to ``hold(_:)``, which keeps it as long as this object, and who
  /// cancels keeps this object. Not within the lock's state, since the size of this type is only known as the program
  /// runs, and every copy of the state would have to ask.
  private var current: UnsafeCurrentTask?

  /// Whether the work ended when its time was over.
  private(set) var isLate = false

  init(_ values: AmbientValues) {
    self.values = values
  }

  /// Makes the current task the one that is cancelled.
  func begin() {
    withUnsafeCurrentTask { task in
      current = task
      let isInterrupted = state.withLock { state in
        state.hasBegun = true
        return state.isInterrupted
      }
      if isInterrupted { task?.cancel() }
    }
  }

  /// Notes when the work ends.
  func end(_ instant: AmbientClock.Instant) { isLate = values.clock.now >= instant }

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
    let (task, hasBegun) = state.withLock { state in
      state.isInterrupted = true
      return (state.task, state.hasBegun)
    }
    // The task's handlers are called here: they find what is in force in it, whoever cancels, and be it a timer.
    Ambient.$values.withValue(values) {
      if let task { task.cancel() } else if hasBegun { current?.cancel() }
    }
  }
}
