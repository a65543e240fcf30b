/// Runs a body in a task of its own, which an instant or the caller's cancellation cancels, and waits for its end.
///
/// A task cannot be uncancelled, so work that has to be interrupted from outside needs a second one. It starts
/// at once on the caller's actor and stays there; the caller is suspended until it ends, so the body never runs beside
/// it.
///
/// - Parameters:
///   - instant: when to cancel it, on the clock of the values.
///   - values: what is in force for the body. They are bound in the new task, which so has less to copy than one that inherits
///     them.
///   - isolation: where the caller is.
///   - body: the work.
/// - Returns: the body's error, nil where it ended without one; and whether it ended at the instant or later, however much later
///   the caller goes on.
@inline(__always)
func interruptible(
  at instant: AmbientClock.Instant, in values: AmbientValues, isolation: isolated (any Actor)?,
  _ body: () async throws -> Void
) async -> (failure: (any Error)?, isLate: Bool) {
  // The values are read from the one object that closures hold, which is cheaper than a copy for each of them.
  let interruption = Interruption(values)
  let timer = values.clock.schedule(at: instant, interruption.interrupt)
  defer { timer.cancel() }
  return await withoutActuallyEscaping(body) { body in
    let carried = Carried(run: body)
    return await withTaskCancellationHandler {
      let task: Interruption.Work
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        task = Task.immediate(executorPreference: interruption.values.executor ?? callersExecutor) {
          _ = isolation
          interruption.begin()
          defer { interruption.end(instant) }
          return try await interruption.values.inForce(isolation: isolation, carried.run)
        }
      } else {
        task = Task(executorPreference: interruption.values.executor) {
          _ = isolation
          interruption.begin()
          defer { interruption.end(instant) }
          return try await interruption.values.inForce(isolation: isolation, carried.run)
        }
      }
      interruption.hold(task)
      do { try await task.value } catch { return (error, interruption.isLate) }
      return (nil, interruption.isLate)
    } onCancel: {
      interruption.interrupt()
    }
  }
}

/// The task executor that the caller's task prefers, which a new task would not inherit.
private var callersExecutor: (any TaskExecutor)? {
  guard #available(macOS 26.4, iOS 26.4, tvOS 26.4, watchOS 26.4, visionOS 26.4, *) else { return nil }
  return withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
}

/// A body on its way into another task.
///
/// Unchecked because it crosses no isolation boundary, which the compiler cannot see: the task that runs it does so where
/// its caller is, and the caller waits for that task's end.
private struct Carried: @unchecked Sendable {
  let run: () async throws -> Void
}
