import Foundation
import Stoic

/// One run of a simulated body: by one schedule, from one stream of choices, from start to verdict.
final class SimulationRun: Sendable {
  /// What a run needs to be the same run again.
  struct Plan {
    var seed: Int
    var schedule: SimulationSchedule
    var hasEarlyTimers: Bool
    /// How many steps the scenario takes, for PCT.
    var expectedSteps = 1
    var stepLimit: Int
    var isTraced = false
    /// Whether it is one of the tries of a shrinking, where nothing is waited for in real time.
    var isTry = false
    /// What a try follows, in place of the schedule.
    var guide: ScheduleGuide?
    /// Whether the run is one of all schedules: no seed gives it, and its choices are kept.
    var isSearch = false
    /// Tells states apart, for a search.
    var tracker: StateTracker?
    /// The names of events that are marks.
    var marks: Set<String> = []
  }

  /// How a run ended.
  struct Result: Sendable {
    var verdict: Verdict
    var hash: UInt64
    var course = Course()
    /// The marks that were reached.
    var marks: Set<String> = []
    /// How many expectations had failed when the verdict was known, in this run and before.
    var failedExpectations = 0

    /// Whether it went and ended as another one of the same plan; what exactly an error says may differ.
    func isRepetition(of other: Result) -> Bool {
      hash == other.hash && verdict.reason == other.verdict.reason
    }

    /// That of a run whose body blocks its thread.
    static let blocked = Result(verdict: .failed(.blocked, blockedMessage), hash: 0)
    static let blockedMessage =
      "the body holds on to its thread: it waits, or computes for half a minute, without suspending"
  }

  /// What a run did; the choices and the trace only where it was traced.
  struct Course: Sendable {
    var steps = 0
    var preemptions = 0
    var choices: [Choice] = []
    var trace: [RunTrace.Entry] = []
    var names: [Int: String] = [:]
    /// The tasks that wait for ever.
    var stuck: Set<Int> = []
  }

  /// What came of a run.
  enum Verdict: Sendable, Equatable, CustomStringConvertible {
    case passed
    case failed(SimulationFailure.Reason, String)

    /// What sort of failure; nil where it passed.
    var reason: SimulationFailure.Reason? {
      if case .failed(let reason, _) = self { reason } else { nil }
    }

    var isBlocked: Bool { reason == .blocked }

    var description: String {
      switch self {
      case .passed: "passed"
      case .failed(let reason, let message): "failed (\(reason): \(message))"
      }
    }
  }

  /// Is alive as long as any unstructured task of the run is: tasks copy their task-local values.
  private final class LifeSign: Sendable {}

  @TaskLocal static var current: SimulationRun?
  @TaskLocal private static var lifeSign: LifeSign?

  let executor: SimulationExecutor
  private let plan: Plan
  private let failedExpectations: @Sendable () -> Int
  private let ledger: SimulationLedger
  private let state = Lock(State())

  private struct State {
    var root: Task<Void, Never>?
    var outcome: Swift.Result<Void, any Error>?
    weak var lifeSign: LifeSign?
    var isDropped = false
    var marks: Set<String> = []
    /// What has come of a failed run that now cleans up.
    var failed: Result?
  }

  /// Steps that a run gets to clean up.
  private static let cleanUpSteps = 10_000

  /// - Parameter failedExpectations: counts those so far.
  init(_ plan: Plan, failedExpectations: @escaping @Sendable () -> Int = { 0 }) {
    self.plan = plan
    self.failedExpectations = failedExpectations
    let choices =
      if let guide = plan.guide {
        ChoiceStream(guide: guide)
      } else if case .replay(let list) = plan.schedule {
        ChoiceStream(repeating: list, isRecording: plan.isTraced || plan.isSearch)
      } else {
        ChoiceStream(seed: UInt64(bitPattern: Int64(plan.seed)), isRecording: plan.isTraced)
      }
    executor = SimulationExecutor(
      plan.schedule, choices, steps: plan.expectedSteps, hasEarlyTimers: plan.hasEarlyTimers,
      isTraced: plan.isTraced)
    ledger = SimulationLedger(executor: executor)
    if let tracker = plan.tracker { executor.track(with: tracker) }
  }

  /// Makes the body a task of the simulation, with the caller's task-local values; it runs in ``drain()``.
  func start(_ body: @escaping @Sendable () async throws -> Void) {
    let around = Ambient.values
    let values = around.simulated(
      clock: AmbientClock(SimulationClock(executor: executor)),
      random: RandomSource { [executor] in executor.drawBits() }, executor: executor,
      events: watching(around.events), ledger: ledger)
    let sign = LifeSign()
    state.withLock { $0.lifeSign = sign }
    executor.fireTimers { [unowned self, weak sign] fire in
      if let sign { self.inside(values, sign, fire) } else { fire() }
    }
    inside(values, sign) {
      let root = Task(name: "body", executorPreference: executor) {
        guard !self.state.withLock({ $0.isDropped }) else { return }
        let outcome: Swift.Result<Void, any Error>
        do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
        self.state.withLock { $0.outcome = outcome }
        self.executor.noteBodyDone()
      }
      state.withLock { $0.root = root }
    }
  }

  /// Does something of the run.
  private func inside(_ values: AmbientValues, _ sign: LifeSign, _ work: () -> Void) {
    Ambient.$values.withValue(values) {
      Self.$current.withValue(self) { Self.$lifeSign.withValue(sign, operation: work) }
    }
  }

  /// Runs the body to its verdict, on the calling thread.
  func drain() -> Result {
    executor.adoptThread()
    let stop = executor.run(stepLimit: plan.stepLimit)
    // What a stuck run takes to clean up is no part of its course; what is left after a body is.
    var course = Course(executor)
    let (waits, holders) = (ledger.outstanding.map(\.description), ledger.holders)
    let verdict = verdict(after: stop, waits)
    if stop == .done { course = Course(executor) }
    var result = Result(
      verdict: verdict, hash: executor.trace.hash, course: course, marks: state.withLock { $0.marks },
      failedExpectations: failedExpectations())
    if verdict != .passed {
      state.withLock { $0.failed = result }
      cleanUp(after: stop)
      if verdict.reason == .deadlock {
        result.verdict = .failed(.deadlock, stuckMessage(waits, woken: executor.wokenByCleanUp))
        result.course.stuck = executor.wokenByCleanUp.union(holders).union([0])
      }
    }
    executor.close(keepingWork: verdict == .passed || verdict.reason == .escaped)
    return result
  }

  /// What has come of the run, where it is over but for its clean-up.
  var failed: Result? { state.withLock { $0.failed } }

  /// Ends a started run without its body, on the calling thread.
  func drop() {
    state.withLock { $0.isDropped = true }
    executor.adoptThread()
    _ = executor.run(stepLimit: 1)
    executor.close(keepingWork: true)
  }

  /// The sink that sees what comes to another one, where events are marks or are shown.
  func watching(_ sink: any EventSink) -> any EventSink {
    plan.marks.isEmpty && !plan.isTraced ? sink : RunEvents(run: self, outer: sink)
  }

  /// Whether the timeline shows all events.
  var wantsAllEvents: Bool { plan.isTraced }

  /// Whether an event of this name is a mark.
  func watches(_ name: String) -> Bool { plan.marks.contains(name) }

  /// Notes that a mark was reached; from any thread.
  func reach(_ name: String) {
    let isNew = state.withLock { $0.marks.insert(name).inserted }
    if isNew { executor.tell("reaches \"\(name)\"") }
  }

  /// - Parameter waits: what those who wait wait for, as far as the ledger knows.
  private func verdict(after stop: SimulationExecutor.Stop, _ waits: [String]) -> Verdict {
    switch stop {
    case .done: return verdictAfterBody()
    case .escaped(let what): return .failed(.escaped, what)
    case .stepLimit: return .failed(.stepLimit, "the body has not ended after \(plan.stepLimit) steps")
    case .idle:
      if !plan.isTry, let what = OutsideWorld.bringsBack(to: executor, isRepeated: plan.isTraced) {
        return .failed(.escaped, what)
      }
      return .failed(
        .deadlock, stuckMessage(waits, end: "; cancelled, it goes on without ever suspending"))
    }
  }

  private func verdictAfterBody() -> Verdict {
    let rest = executor.runReady(stepLimit: executor.steps + Self.cleanUpSteps)
    if case .escaped(let what) = rest { return .failed(.escaped, what) }
    if case .failure(let error)? = state.withLock({ $0.outcome }) { return .failed(.bodyFailed, "\(error)") }
    let held = ledger.outstanding.map(\.description)
    if state.withLock({ $0.lifeSign != nil }) {
      return .failed(.outlived, list("a task was still alive when the body had ended", held))
    }
    if !held.isEmpty { return .failed(.leaked, list("taken and not given back", held)) }
    let timers = executor.timerCount
    if timers > 0 { return .failed(.leaked, "\(timers) timer\(timers == 1 ? " was" : "s were") left behind") }
    return .passed
  }

  /// Cancels what is left and lets it end, so that a stuck run does not keep its tasks for ever; and learns thereby who
  /// was stuck.
  private func cleanUp(after stop: SimulationExecutor.Stop) {
    // What never ends is not cancelled: a loop that swallows errors would take the thread with it.
    guard stop != .stepLimit else { return }
    executor.beginCleanUp()
    state.withLock { $0.root }?.cancel()
    _ = executor.run(stepLimit: executor.steps + Self.cleanUpSteps)
    _ = executor.runReady(stepLimit: executor.steps + Self.cleanUpSteps)
  }

  /// - Parameters:
  ///   - waits: what is waited for, as far as the ledger knows.
  ///   - woken: the tasks that the body's cancellation has woken.
  ///   - end: what else is known of the body.
  private func stuckMessage(_ waits: [String], woken: Set<Int> = [], end: String = "") -> String {
    var waits = waits
    let others = woken.subtracting([0]).sorted()
    if !others.isEmpty {
      waits.append(
        "tasks woken by cancelling the body: " + others.map(String.init).joined(separator: ", "))
    }
    if waits.isEmpty {
      waits.append(
        "the body, or a task that it waits for, in something that the simulation does not know: a continuation, a "
          + "stream, or the main actor while the test itself holds it")
    }
    return list("nothing can run, no timer is set, and the body has not ended\(end); waiting", waits)
  }

  private func list(_ title: String, _ items: [String]) -> String {
    title + (items.isEmpty ? "" : ":") + items.map { "\n  - \($0)" }.joined()
  }
}

extension SimulationRun.Course {
  init(_ executor: SimulationExecutor) {
    self.init(
      steps: executor.steps, preemptions: executor.preemptions, choices: executor.madeChoices,
      trace: executor.trace.entries, names: executor.trace.names)
  }

  /// What makes a failure hard to read, the worst first.
  var size: SimulationFailure.Size {
    SimulationFailure.Size(
      preemptions: preemptions, steps: steps,
      faults: choices.count { $0.value > 0 && $0.kind != .order && $0.kind != .preemption })
  }

  /// The choices without the zeros at the end, which a repetition makes by itself.
  var plainChoices: [UInt64] {
    let end = choices.lastIndex { $0.value > 0 }.map { $0 + 1 } ?? 0
    return choices[..<end].map(\.value)
  }

  /// All choices but those that the stretches tell.
  var otherChoices: [ScheduleGuide.Value] {
    choices.filter { $0.kind != .order && $0.kind != .preemption && $0.kind != .due }
      .map { ScheduleGuide.Value(task: $0.task, value: $0.value) }
  }

  /// Who ran when, and where timers of the present instant fired amid.
  var stretches: [ScheduleGuide.Stretch] {
    var stretches: [ScheduleGuide.Stretch] = []
    for entry in trace {
      let task: Int
      switch entry {
      case .ran(let runner, _): task = runner
      case .fired(_, _, .amid): task = ScheduleGuide.clock
      default: continue
      }
      if let last = stretches.indices.last, stretches[last].task == task {
        stretches[last].steps += 1
      } else {
        stretches.append(ScheduleGuide.Stretch(task: task, steps: 1))
      }
    }
    return stretches
  }
}
