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
    // Neither the body nor its result crosses an isolation boundary: the task below runs where the caller does, and
    // the caller waits for it.
    nonisolated(unsafe) let body = body
    nonisolated(unsafe) var result: Result<Value, any Error> = .failure(CancellationError())
    let executor = Ambient.values.executor
    // A new task knows nothing of its caller's cancellation, and begins before anybody can cancel it.
    let isLate = Task.isCancelled
    let work: Task<Void, Never>
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      work = Task.immediate(executorPreference: executor) {
        _ = isolation
        if isLate { withUnsafeCurrentTask { $0?.cancel() } }
        do { result = .success(try await body()) } catch { result = .failure(error) }
      }
    } else {
      work = Task(executorPreference: executor) {
        _ = isolation
        if isLate { withUnsafeCurrentTask { $0?.cancel() } }
        do { result = .success(try await body()) } catch { result = .failure(error) }
      }
    }
    let timer = clock.schedule(at: instant) { work.cancel() }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    timer.cancel()
    return result
  }
}
