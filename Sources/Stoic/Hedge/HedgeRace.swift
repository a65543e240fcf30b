/// One call of a hedge while it runs: its attempts, each in a task of its own, and the caller, who waits for them.
final class HedgeRace<Value: Sendable>: Sendable {
  typealias Attempt = HedgeRaceState<Value>.Attempt

  private struct State {
    var race = HedgeRaceState<Value>()
    var tasks: [Task<Void, any Error>] = []
    var isCancelled = false
    var end: AmbientClock.Instant?
    /// Whether the second attempt reached what it calls.
    var hasReached = true
  }

  private let state = Lock(State())
  /// Rung when the second attempt is due, and when the race is over before.
  private let due = WakeUp()
  private let over = WakeUp()
  private let values: AmbientValues
  private let label: String
  private let body: @Sendable (Attempt) async throws -> Value

  init(in values: AmbientValues, label: String, _ body: @escaping @Sendable (Attempt) async throws -> Value) {
    self.body = body
    self.values = values
    self.label = label
  }

  /// Whether a second attempt may begin now.
  var mayHedge: Bool { state.withLock { $0.race.mayHedge && !$0.isCancelled } }

  /// Whether the second attempt reached what it calls.
  var hasReached: Bool { state.withLock { $0.hasReached } }

  /// Whose value the call ended with.
  var winner: Attempt? { state.withLock { $0.race.winner } }

  /// When the call was decided.
  var end: AmbientClock.Instant? { state.withLock { $0.end } }

  /// Begins the first attempt, and waits until the second one is due or the race is over.
  func begin(hedgeAt instant: AmbientClock.Instant) async {
    start(.first)
    let hold = values.hold(LedgerEntry("wait", "for the first attempt of \(label)"))
    defer { hold?.release() }
    await withUnsafeContinuation { continuation in
      guard due.park(continuation) else { return continuation.resume() }
      due.own(values.clock.schedule(at: instant) { [due] in due.ring() })
    }
  }

  /// Begins the second attempt; false where the race is over.
  func hedge() -> Bool {
    guard state.withLock({ !$0.isCancelled && $0.race.hedge() }) else { return false }
    start(.second)
    return true
  }

  /// Waits until the race is over, cancels who has lost, and waits for the end of all.
  func finish() async throws -> Value {
    let hold = values.hold(LedgerEntry("wait", "for an attempt of \(label)"))
    defer { hold?.release() }
    await withUnsafeContinuation { continuation in
      if !over.park(continuation) { continuation.resume() }
    }
    let (result, tasks) = state.withLock { ($0.race.result, $0.tasks) }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    return try (result ?? .failure(CancellationError())).get()
  }

  /// Cancels all attempts, those too that have not begun.
  func cancel() {
    let tasks = state.withLock { state in
      state.isCancelled = true
      return state.tasks
    }
    for task in tasks { task.cancel() }
  }

  private func start(_ attempt: Attempt) {
    let task = Ambient.task(name: attempt == .first ? label : "\(label), second") { [self] in
      // A second one that comes too late has no effect and no cost.
      if attempt == .second, Task.isCancelled {
        state.withLock { $0.hasReached = false }
        return end(attempt, .failure(CancellationError()))
      }
      let result: Result<Value, any Error>
      do { result = .success(try await body(attempt)) } catch { result = .failure(error) }
      end(attempt, result)
    }
    let isLate = state.withLock { state in
      state.tasks.append(task)
      return state.isCancelled || state.race.result != nil
    }
    if isLate { task.cancel() }
  }

  private func end(_ attempt: Attempt, _ result: Result<Value, any Error>) {
    let now = values.clock.now
    var (isRefused, isFinal) = (false, false)
    if case .failure(let error) = result {
      isRefused = attempt == .second && (error as? any RejectionCarrying)?.isRefusal == true
      isFinal = error.isFinalAnswer
    }
    // An error that gives way to another one is the body's: it is let go of outside of the lock.
    let (isOver, dropped) = state.withLock { state in
      if isRefused { state.hasReached = false }
      let dropped = state.race.failure
      let isOver = state.race.end(attempt, result, isFinal: isFinal)
      if isOver { state.end = now }
      return (isOver, dropped)
    }
    withExtendedLifetime(dropped) {}
    guard isOver else { return }
    due.ring()
    over.ring()
  }
}

extension Error {
  /// Whether the work has been told that another try would end the same way.
  ///
  /// What a policy refuses is none: the other attempt may be let through. Nor is what gives no advice of its own.
  fileprivate var isFinalAnswer: Bool {
    guard (self as? any RejectionCarrying)?.rejection == nil else { return false }
    return (self as? any Retryable)?.retryAdvice == .final
  }
}
