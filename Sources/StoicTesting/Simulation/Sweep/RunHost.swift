import Foundation
import Stoic

/// A thread of its own for the runs of a sweep, so that a body that blocks takes only that thread with it.
final class RunHost: Sendable {
  private struct State {
    var run: SimulationRun?
    var result: SimulationRun.Result?
    var thread: ThreadState?
    var isEnding = false
  }

  private let state = Lock(State())
  private let work = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// How often the host looks whether a run still gets on.
  private static let glance = DispatchTimeInterval.milliseconds(100)
  /// So many looks at a sleeping thread without a step, and the body is blocked.
  private static let asleepLooks = 8
  /// So many looks without a step at a thread that computes or cannot be looked at: half a minute.
  private static let busyLooks = 300

  init() {
    let thread = Thread { self.serve() }
    thread.name = "stoic.simulation"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Lets the thread end once it has nothing to do.
  func end() {
    state.withLock { $0.isEnding = true }
    work.signal()
  }

  /// Performs a started run.
  ///
  /// - Returns: its result; nil when the body blocks the thread, which is then lost with it.
  func perform(_ run: SimulationRun) -> SimulationRun.Result? {
    OutsideWorld.holdingThread { result(of: run) }
  }

  private func result(of run: SimulationRun) -> SimulationRun.Result? {
    // A simulation inside another one is no reason to call the outer one blocked.
    SimulationRun.current?.executor.pulse()
    state.withLock { $0.run = run }
    work.signal()
    var last = (progress: -1, asleep: 0, busy: 0)
    while done.wait(timeout: .now() + Self.glance) == .timedOut {
      SimulationRun.current?.executor.pulse()
      let progress = run.executor.progressCount
      let isAsleep = state.withLock { $0.thread }?.isAsleep ?? false
      if progress != last.progress { last = (progress, 0, 0) }
      if isAsleep { last.asleep += 1 } else { last.busy += 1 }
      if last.asleep >= Self.asleepLooks || last.busy >= Self.busyLooks {
        run.executor.abandon()
        return nil
      }
    }
    return state.withLock { state in
      defer { state.result = nil }
      return state.result
    }
  }

  private func serve() {
    let own = ThreadState()
    state.withLock { $0.thread = own }
    while true {
      work.wait()
      let (run, isEnding) = state.withLock { state in
        defer { state.run = nil }
        return (state.run, state.isEnding)
      }
      if let run {
        let result = run.drain()
        state.withLock { $0.result = result }
        done.signal()
      } else if isEnding {
        return
      }
    }
  }
}
