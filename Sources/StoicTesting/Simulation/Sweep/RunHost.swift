import Foundation
import Stoic

/// A thread of its own for the runs of a sweep, so that a body that blocks takes only that thread with it.
///
/// It makes several runs one after the other before it wakes who waits for them: to hand over each alone costs as much as a tenth
/// of a short run.
final class RunHost: Sendable {
  /// How many runs are handed over at once.
  static let batch = 16

  /// Started runs, and what to do with them.
  private struct Batch {
    let runs: [SimulationRun]
    let goesOnAfterFailure: Bool
    let judge: @Sendable (SimulationRun.Result) -> SimulationRun.Result
  }

  private struct State {
    var batch: Batch?
    /// The run under way.
    var run: SimulationRun?
    /// The results that nobody has taken yet.
    var results: [SimulationRun.Result] = []
    var thread: ThreadState?
    var isEnding = false
    /// Whether a body blocks the thread.
    var isLost = false
  }

  private let state = Lock(State())
  private let work = DispatchSemaphore(value: 0)
  private let done = DispatchSemaphore(value: 0)

  /// How often the host looks whether a run still gets on.
  private static let glance = DispatchTimeInterval.milliseconds(100)
  /// So many looks in a row at a sleeping thread without a step, and the body is blocked: three seconds, as it may wait for a
  /// lock of the system's whose holder waits for the disk.
  private static let asleepLooks = 30
  /// So many looks without a step at a thread that computes or cannot be looked at: half a minute.
  private static let busyLooks = 300
  /// The same where the run is over but for its clean-up, in which nothing of weight is left to compute.
  private static let cleaningLooks = 30

  /// The host that serves on the current thread, which lives as long.
  private static let own: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The run of which the current thread makes a step; nil on a thread that makes none.
  static var currentRun: SimulationRun? {
    guard let own = pthread_getspecific(own) else { return nil }
    let run = Unmanaged<RunHost>.fromOpaque(own).takeUnretainedValue().state.withLock { $0.run }
    return run?.executor.running == nil ? nil : run
  }

  init() {
    let thread = Thread { self.serve() }
    thread.name = "stoic.simulation"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Whether a body has taken the thread with it: nothing is run any more.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Lets the thread end once it has nothing to do.
  func end() {
    state.withLock { $0.isEnding = true }
    work.signal()
  }

  /// Performs a started run; where the body blocks the thread, this is lost with it.
  func perform(_ run: SimulationRun) -> SimulationRun.Result {
    var result = SimulationRun.Result.blocked
    perform([run]) { result = $0 }
    return result
  }

  /// Performs started runs in their order, up to the first that does not pass; the bodies of the others are not run.
  ///
  /// - Parameters:
  ///   - runs: the runs.
  ///   - goesOnAfterFailure: whether all are made.
  ///   - judge: has the last word on a result; called on the host's thread, at once.
  ///   - take: takes each result, on the caller's thread, not much later; a body that blocks the thread has the last one.
  func perform(
    _ runs: [SimulationRun], goesOnAfterFailure: Bool = false,
    judge: @escaping @Sendable (SimulationRun.Result) -> SimulationRun.Result = { $0 },
    _ take: (SimulationRun.Result) -> Void
  ) {
    let batch = Batch(runs: runs, goesOnAfterFailure: goesOnAfterFailure, judge: judge)
    OutsideWorld.holdingThread { perform(batch, take) }
  }

  private func perform(_ batch: Batch, _ take: (SimulationRun.Result) -> Void) {
    // A simulation inside another one is no reason to call the outer one blocked.
    SimulationRun.current?.executor.pulse()
    let isLost = state.withLock { state in
      state.batch = batch
      return state.isLost
    }
    guard !isLost else { return take(.blocked) }
    work.signal()
    var last = (run: ObjectIdentifier?.none, progress: -1, asleep: 0, busy: 0)
    while done.wait(timeout: .now() + Self.glance) == .timedOut {
      SimulationRun.current?.executor.pulse()
      takeResults(take)
      let (current, thread) = state.withLock { ($0.run, $0.thread) }
      guard let run = current else { continue }
      let (id, progress) = (ObjectIdentifier(run), run.executor.progressCount)
      if id != last.run || progress != last.progress { last = (id, progress, 0, 0) }
      if thread?.isAsleep ?? false { last.asleep += 1 } else { (last.asleep, last.busy) = (0, last.busy + 1) }
      let busyLooks = run.failed == nil ? Self.busyLooks : Self.cleaningLooks
      guard last.asleep >= Self.asleepLooks || last.busy >= busyLooks else { continue }
      // Unless it has come to its end in this very moment.
      let isBlocked = state.withLock { state in
        if state.run === run { state.isLost = true }
        return state.isLost
      }
      guard isBlocked else { continue }
      run.executor.abandon()
      takeResults(take)
      return take(run.failed ?? .blocked)
    }
    takeResults(take)
  }

  private func takeResults(_ take: (SimulationRun.Result) -> Void) {
    let results = state.withLock { state in
      defer { state.results = [] }
      return state.results
    }
    for result in results { take(result) }
  }

  private func serve() {
    pthread_setspecific(Self.own, Unmanaged.passUnretained(self).toOpaque())
    let own = ThreadState()
    state.withLock { $0.thread = own }
    while true {
      work.wait()
      let (batch, isEnding) = state.withLock { state in
        defer { state.batch = nil }
        return (state.batch, state.isEnding)
      }
      if let batch {
        guard serve(batch) else { return }
        done.signal()
      } else if isEnding {
        return
      }
    }
  }

  /// Makes the runs; false where nobody waits for them any more.
  private func serve(_ batch: Batch) -> Bool {
    var goesOn = true
    for run in batch.runs {
      guard goesOn else {
        run.drop()
        continue
      }
      state.withLock { $0.run = run }
      let result = batch.judge(run.drain())
      goesOn = state.withLock { state in
        state.run = nil
        guard !state.isLost else { return false }
        state.results.append(result)
        return batch.goesOnAfterFailure || result.verdict == .passed
      }
    }
    return state.withLock { !$0.isLost }
  }
}
