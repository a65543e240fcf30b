// The protocol by which the runtime asks an executor for a real sleep is not public yet; on other systems and compilers a
// real sleep is noticed when it ends on another thread.
#if os(Linux) && compiler(>=6.3) && compiler(<6.4)
@_spi(ExperimentalScheduling) import _Concurrency

/// Sees every real sleep: `Task.sleep` and the sleep of the system's clocks.
extension SimulationExecutor: SchedulingExecutor {
  private static let realSleep =
    "a real sleep (Task.sleep or a system clock); use Ambient.sleep, which runs on the simulated clock"

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    noteEscape(Self.realSleep)
    globalConcurrentExecutor.enqueue(job)
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    noteEscape(Self.realSleep)
    globalConcurrentExecutor.enqueue(job)
  }
}
#endif
