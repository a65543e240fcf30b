#if os(Linux) || os(macOS)
/// What the engine's thread is told to do, and whether it has to be woken for it.
struct CurlInbox {
  enum Command: Sendable {
    case start(CurlCall)
    /// The call has ended: let go of what it holds.
    case drop(CurlCall)
    /// There is room again in the call's stream.
    case resume(CurlCall)
  }

  /// Ends the thread's wait; nil when there is nothing to be woken any more.
  private var waker: MultiHandle.Waker?
  private var commands: [Command] = []
  private var isAsleep = false
  private(set) var isStopped = false
  private var hasEnded = false
  /// Who waits for the thread's end.
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(waker: MultiHandle.Waker?) { self.waker = waker }

  /// Adds a command; false when nobody will obey it.
  mutating func add(_ command: Command) -> Bool {
    guard !isStopped else { return false }
    commands.append(command)
    wake()
    return true
  }

  mutating func stop() {
    isStopped = true
    wake()
  }

  /// Wakes the thread if it sleeps.
  ///
  /// In here, under the lock: the thread frees what is woken only after it has said so, under the lock too.
  private mutating func wake() {
    guard isAsleep else { return }
    isAsleep = false
    waker?.wake()
  }

  /// What has come since the last time; `isStopped` then says whether it was the last.
  mutating func take() -> [Command] {
    isAsleep = false
    defer { commands = [] }
    return commands
  }

  /// Whether the thread may wait: there is nothing to do.
  mutating func fallAsleep() -> Bool {
    isAsleep = commands.isEmpty && !isStopped
    return isAsleep
  }

  mutating func replace(waker: MultiHandle.Waker?) { self.waker = waker }

  /// Has somebody wait for the thread's end; false when it has ended.
  mutating func wait(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
    guard !hasEnded else { return false }
    waiting.append(continuation)
    return true
  }

  /// The thread ends; returns who waits for it.
  mutating func close() -> [CheckedContinuation<Void, Never>] {
    hasEnded = true
    defer { waiting = [] }
    return waiting
  }
}
#endif
