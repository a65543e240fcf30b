/// What a server, its loop, its handlers and its waiters share.
final class Hub: Sendable {
  /// What the loop is told from other threads.
  enum Message: Sendable {
    case respond(connection: Int, LocalServer.Response)
    case admit(connection: Int, LocalServer.Admission)
    case gateOpened(connection: Int)
  }

  private enum Life {
    case running
    case stopping
    case ended
  }

  private struct Waiter: Sendable {
    let condition: @Sendable (LocalServer.Counts) -> Bool
    let resume: @Sendable (Bool) -> Void
  }

  private struct State: Sendable {
    var life = Life.running
    var loopThread: UInt?
    var isAsleep = false
    var inbox: [Message] = []
    var counts = LocalServer.Counts()
    var requests: [LocalServer.Request] = []
    var recordedBytes = 0
    var lastWaiter = 0
    var waiters: [Int: Waiter] = [:]

    /// Takes out the waiters whose condition holds.
    mutating func takeSatisfied() -> [Waiter] {
      guard !waiters.isEmpty else { return [] }
      let satisfied = waiters.filter { $0.value.condition(counts) }
      for key in satisfied.keys { waiters[key] = nil }
      return Array(satisfied.values)
    }
  }

  /// What a kept request costs besides its bytes, roughly.
  private static let recordBytes = 512

  private let state = Monitor(State())
  private let wakePipe: WakePipe
  private let recordLimit: Int

  init(recordLimit: Int) throws(LocalServer.StartError) {
    wakePipe = try WakePipe()
    self.recordLimit = recordLimit
  }

  var wakeDescriptor: Descriptor { wakePipe.reading }
  var counts: LocalServer.Counts { state.withLock { $0.counts } }
  var requests: [LocalServer.Request] { state.withLock { $0.requests } }

  /// Tells the loop something; nothing once the server stops.
  func post(_ message: Message) {
    state.withLock { state in
      guard state.life == .running else { return }
      state.inbox.append(message)
      wake(&state)
    }
  }

  /// Ends the loop and returns when it has closed everything.
  ///
  /// On the loop's own thread, where it cancels handlers, it returns at once: it would wait for itself.
  func stop() {
    let isLoop = state.withLock { state in
      if state.life == .running {
        state.life = .stopping
        wake(&state)
      }
      return state.loopThread == SystemThread.current
    }
    if !isLoop { state.wait { $0.life == .ended } }
  }

  /// Waits until the condition holds; false when the server stopped or the task was cancelled before it did.
  ///
  /// - Parameter condition: runs with the lock held.
  func wait(until condition: @escaping @Sendable (LocalServer.Counts) -> Bool) async -> Bool {
    let number = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Asked under the lock: a cancellation before it shows here, one after it finds the waiter.
        let answer: Bool? = state.withLock { state in
          if condition(state.counts) { return true }
          if state.life == .ended || Task.isCancelled { return false }
          state.waiters[number] = Waiter(condition: condition) { continuation.resume(returning: $0) }
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(false)
    }
  }

  /// The messages since the last time; nil when the loop is to end.
  ///
  /// When there are none the loop goes to sleep next, and has to be woken.
  func takeMessages() -> [Message]? {
    state.withLock { state in
      guard state.life == .running else { return nil }
      state.loopThread = SystemThread.current
      state.isAsleep = state.inbox.isEmpty
      defer { state.inbox.removeAll() }
      return state.inbox
    }
  }

  func drainWakePipe() { wakePipe.drain() }

  /// Changes the counts and wakes those who waited for it.
  func count(_ change: (inout LocalServer.Counts) -> Void) {
    resume(
      state.withLock { state in
        change(&state.counts)
        return state.takeSatisfied()
      })
  }

  func record(_ request: LocalServer.Request) {
    let trailers = request.trailers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
    let cost = request.headBytes.count + request.body.count + trailers + Self.recordBytes
    resume(
      state.withLock { state in
        state.counts.requests += 1
        if cost <= recordLimit - state.recordedBytes {
          state.recordedBytes += cost
          state.requests.append(request)
        }
        return state.takeSatisfied()
      })
  }

  /// Sends what it can of the outbox.
  ///
  /// The bytes are sent and counted under one lock, so that a client that has read them finds them counted.
  func send(_ outbox: inout Outbox, to descriptor: Descriptor) -> Transfer {
    let (transfer, satisfied) = state.withLock { state in
      let transfer = outbox.withUnsentBytes { descriptor.write($0) }
      guard case .moved(let count) = transfer else { return (transfer, [Waiter]()) }
      state.counts.bytesSent += outbox.markSent(count)
      return (transfer, state.takeSatisfied())
    }
    resume(satisfied)
    return transfer
  }

  /// Called by the loop as its last act, once its own descriptors are closed.
  func end() {
    let waiters = state.announce { state in
      state.life = .ended
      state.inbox.removeAll()
      wakePipe.close()
      defer { state.waiters = [:] }
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume(false) }
  }

  private func resume(_ waiters: [Waiter]) {
    for waiter in waiters { waiter.resume(true) }
  }

  /// Under the lock, so that the pipe is not closed meanwhile.
  private func wake(_ state: inout State) {
    guard state.isAsleep else { return }
    state.isAsleep = false
    wakePipe.wake()
  }
}
