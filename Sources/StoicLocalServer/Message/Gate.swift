extension LocalServer {
  /// A door that holds handlers and bodies until a test opens it; once open it stays open.
  public final class Gate: Sendable {
    private struct State: Sendable {
      var isOpen = false
      var lastWaiter = 0
      var waiters: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Monitor(State())

    /// A closed gate.
    public init() {}

    /// Whether it is open.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// Lets everything through that waits, and everything that comes.
    public func open() {
      let waiters = state.withLock { state in
        state.isOpen = true
        defer { state.waiters = [:] }
        return state.waiters
      }
      for waiter in waiters.sorted(by: { $0.key < $1.key }) { waiter.value() }
    }

    /// Returns once it is open, or at once when the task is cancelled.
    ///
    /// A handler's task is cancelled when its client leaves and when the server stops.
    public func wait() async {
      let number = state.withLock { state in
        state.lastWaiter += 1
        return state.lastWaiter
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          // Asked under the lock: a cancellation before it shows here, one after it finds the waiter.
          let mustWait = state.withLock { state in
            guard !state.isOpen, !Task.isCancelled else { return false }
            state.waiters[number] = { continuation.resume() }
            return true
          }
          if !mustWait { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.waiters.removeValue(forKey: number) }?()
      }
    }

    /// Calls `body` once, when it is open: from `open()`, or before this returns.
    ///
    /// - Returns: what `forget(_:)` takes to let go of `body`.
    func whenOpen(_ body: @escaping @Sendable () -> Void) -> Int {
      let (isOpen, number) = state.withLock { state in
        state.lastWaiter += 1
        if !state.isOpen { state.waiters[state.lastWaiter] = body }
        return (state.isOpen, state.lastWaiter)
      }
      if isOpen { body() }
      return number
    }

    /// Lets go of who waits no more: a gate may stay closed for longer than any server lives.
    func forget(_ number: Int) {
      _ = state.withLock { $0.waiters.removeValue(forKey: number) }
    }

    /// How many wait at it.
    package var waiting: Int { state.withLock { $0.waiters.count } }
  }
}
