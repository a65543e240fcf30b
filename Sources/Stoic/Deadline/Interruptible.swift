/// Runs a body in a task of its own, which an instant or the caller's cancellation cancels, and waits for its end.
///
/// A task cannot be uncancelled, so work that has to be interrupted from outside needs a second one. It starts
/// at once on the caller's actor and stays there; the caller is suspended until it ends, so the body never runs beside
/// it.
func interruptible<Value>(
  at instant: AmbientClock.Instant, on clock: AmbientClock, isolation: isolated (any Actor)?,
  _ body: () async throws -> Value
) async -> Result<Value, any Error> {
  await withoutActuallyEscaping(body) { body in
    let work = InterruptibleWork(body)
    await interruptible(at: instant, on: clock, isolation: isolation, work)
    return work.takeResult()
  }
}

/// Runs work in a task of its own, as above; not generic, so that its closures carry little.
private func interruptible(
  at instant: AmbientClock.Instant, on clock: AmbientClock, isolation: isolated (any Actor)?,
  _ work: Interruption
) async {
  let executor = Ambient.values.executor
  let timer = clock.schedule(at: instant, work.interrupt)
  await withTaskCancellationHandler {
    let task: Task<Void, Never>
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task = Task.immediate(executorPreference: executor) {
        _ = isolation
        work.begin()
        await work.run()
      }
    } else {
      task = Task(executorPreference: executor) {
        _ = isolation
        work.begin()
        await work.run()
      }
    }
    work.hold(task)
    await task.value
  } onCancel: {
    work.interrupt()
  }
  timer.cancel()
}

/// A body, and what it ended with.
private final class InterruptibleWork<Value>: Interruption, @unchecked Sendable {
  // Unchecked because neither the body nor its result crosses an isolation boundary, which the compiler cannot see: the
  // task that runs the body does so where its caller is, and the caller looks at the result after that task's end.
  private var body: (() async throws -> Value)?
  private var result: Result<Value, any Error>?

  init(_ body: @escaping () async throws -> Value) {
    self.body = body
  }

  override func run() async {
    guard let body else { return }
    do { result = .success(try await body()) } catch { result = .failure(error) }
    // A timer that is still cancelling may keep this object for longer than the body may live.
    self.body = nil
  }

  /// What the body ended with, which is the caller's from then on.
  func takeResult() -> Result<Value, any Error> {
    defer { result = nil }
    return result ?? .failure(CancellationError())
  }
}
