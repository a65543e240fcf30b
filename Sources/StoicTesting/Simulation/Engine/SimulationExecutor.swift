import Foundation
import Stoic
import Synchronization

/// Runs the jobs of one simulated run, one at a time, on one thread, in the order that a schedule picks.
///
/// `@unchecked Sendable`: everything but `outside` and the flags is only touched on the owner's thread, from which calls
/// of other threads are told apart.
final class SimulationExecutor: TaskExecutor, @unchecked Sendable {
  /// What other threads may touch.
  private struct Outside {
    var escape: String?
    var jobs: [UnownedJob] = []
  }

  // One thread, and no access that lasts across a call to the outside: the runtime's check of each access would cost
  // more than the rest of a step.
  @exclusivity(unchecked) private var ready: ReadyQueue
  @exclusivity(unchecked) private var choices: ChoiceStream
  @exclusivity(unchecked) private var timers = VirtualTimers()
  @exclusivity(unchecked) private var identity = JobIdentity()
  @exclusivity(unchecked) private var now = Duration.zero
  @exclusivity(unchecked) private var current = 0
  /// Whether a task runs now; else it is a timer, or nothing.
  @exclusivity(unchecked) private var isInStep = false
  /// The name of the task that is started next, where it is known before it does something.
  @exclusivity(unchecked) private var nextName: String?
  @exclusivity(unchecked) private var tracker: StateTracker?
  private let earlyTimerChance: Int
  private var owner: pthread_t

  private let outside = Lock(Outside())
  /// Flags beside the lock, for the look at every step.
  private let isClosed = Atomic(false)
  private let hasEscaped = Atomic(false)
  private let bodyIsDone = Atomic(false)
  private let progress = Atomic(0)
  private let pulses = Atomic(0)
  private let outsideArrived = DispatchSemaphore(value: 0)

  /// The tasks that became runnable since the clean-up of a stuck run began.
  private(set) var wokenByCleanUp: Set<Int> = []
  private var isCleaningUp = false

  /// Puts what is in force in the run in force for what a timer does, which no task does.
  @exclusivity(unchecked) private var surround: ((() -> Void) -> Void)?

  /// The tasks of which the trace has told that they are cancelled.
  @exclusivity(unchecked) private var cancelled: Set<Int> = []

  @exclusivity(unchecked) private(set) var trace: RunTrace
  @exclusivity(unchecked) private(set) var steps = 0
  @exclusivity(unchecked) private var firings = 0

  /// - Parameters:
  ///   - steps: how many steps the scenario takes, for PCT.
  ///   - hasEarlyTimers: whether time may pass while work is still runnable.
  init(
    _ schedule: SimulationSchedule, _ choices: consuming ChoiceStream, steps: Int, hasEarlyTimers: Bool,
    isTraced: Bool
  ) {
    ready = ReadyQueue(schedule, steps: steps, &choices)
    earlyTimerChance = Self.earlyTimerChance(hasEarlyTimers, &choices)
    self.choices = choices
    trace = RunTrace(isDetailed: isTraced)
    owner = pthread_self()
  }

  /// How often in a hundred time passes while work is runnable.
  ///
  /// It differs from run to run: some bugs need time to pass once, others again and again.
  private static func earlyTimerChance(_ hasEarlyTimers: Bool, _ choices: inout ChoiceStream) -> Int {
    guard hasEarlyTimers else { return 0 }
    // Of a repeated list, each early timer is a choice of its own; this one says whether there are any.
    if choices.isRepeating { return Int(choices.repeated(.early, below: 2)) }
    let chance = [0, 2, 8, 25][choices.draw(below: 4)]
    choices.note(chance > 0 ? 1 : 0, .early)
    return chance
  }

  /// The choices made so far, where they are recorded.
  var madeChoices: [Choice] { choices.made }

  /// How often a task had to wait that could have gone on.
  var preemptions: Int { ready.preemptions }

  /// The task that runs now; nil between steps, and on another thread.
  var running: Int? { isOwner && isInStep ? current : nil }

  /// How many timers are set.
  var timerCount: Int { timers.count }

  /// The virtual time since the start.
  var elapsed: Duration {
    guard isOwner else {
      noteEscape("the clock was read on another thread")
      return .zero
    }
    touch()
    return now
  }

  /// Makes the calling thread the owner.
  ///
  /// Only before the first step, and only while nobody else uses the executor.
  func adoptThread() { owner = pthread_self() }

  private var isOwner: Bool { pthread_equal(pthread_self(), owner) != 0 }

  // MARK: What the runtime and the ambient values call

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    guard isOwner else { return arriveFromOutside(job) }
    add(job)
  }

  /// 64 bits of the run's choices.
  func drawBits() -> UInt64 {
    guard isOwner else {
      noteEscape("a random number was drawn on another thread")
      return 0
    }
    touch()
    let bits = choices.bits()
    if bits > 0 { tell("draws \(bits)") }
    return bits
  }

  func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int {
    guard isOwner else {
      // Never fires: the run is over, or fails with the escape.
      noteEscape("a timer was set on another thread")
      return 0
    }
    guard offset > now else {
      fire()
      return 0
    }
    let timer = timers.add(at: offset, fire)
    tracker?.addTimer(timer, at: offset)
    tell("sets timer \(timer), due at \(offset.text)")
    return timer
  }

  func removeTimer(_ id: Int) {
    guard isOwner else { return noteEscape("a timer was taken back on another thread") }
    timers.remove(id)
    tracker?.removeTimer(id)
  }

  /// Notes that work left the simulation; the first note counts.
  func noteEscape(_ what: String) {
    guard !isClosed.load(ordering: .acquiring) else { return }
    outside.withLock { $0.escape = $0.escape ?? what }
    hasEscaped.store(true, ordering: .releasing)
    outsideArrived.signal()
  }

  private func arriveFromOutside(_ job: UnownedJob) {
    let isLate = outside.withLock { outside in
      if isClosed.load(ordering: .acquiring) { return true }
      outside.jobs.append(job)
      return false
    }
    if isLate { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    noteEscape("a task was resumed on another thread")
  }

  /// Has timers fire inside a function; only before the first step.
  func fireTimers(inside surround: @escaping (() -> Void) -> Void) { self.surround = surround }

  /// Tells states apart, for a search; only before the first step.
  func track(with tracker: StateTracker) {
    self.tracker = tracker
    ready.tracker = tracker
  }

  /// Notes that the running step has to do with more than its own task.
  func touch() {
    if let tracker, isOwner { tracker.touch() }
  }

  /// Runs what starts tasks that nobody can tell from each other.
  func starting(alike start: () -> Void) {
    tracker?.isStartingAlike = true
    start()
    tracker?.isStartingAlike = false
  }

  /// A number below a bound of at least 1, of the run's choices.
  ///
  /// - Parameter place: where it is picked, which may tell a reader what it decides.
  func pick(below bound: Int, at place: @autoclosure () -> String) -> Int {
    guard isOwner else {
      noteEscape("a number was picked on another thread")
      return 0
    }
    touch()
    let number = choices.below(bound, .pick)
    tracker?.pick(number)
    tell("picks \(number) of \(bound) (\(place()))")
    return number
  }

  /// Notes for the timeline what the running task does; from another thread, nothing.
  func tell(_ what: @autoclosure () -> String) {
    touch()
    guard trace.isDetailed, isOwner, !isClosed.load(ordering: .relaxed) else { return }
    if isInStep {
      trace.name(current, Task.name)
      if let attempt = Ambient.values.attempt { trace.note(.attempted(task: current, attempt.number)) }
      // The runtime does not tell when a task is cancelled, so it comes out when the task does something.
      if Task.isCancelled, cancelled.insert(current).inserted {
        trace.note(.did(task: current, "is cancelled"))
      }
    }
    trace.note(.did(task: isInStep ? current : -1, what()))
  }

  /// Notes for the timeline the state of a breaker; from another thread, nothing.
  func tell(_ breaker: String, is state: CircuitBreaker.State) {
    guard trace.isDetailed, isOwner, !isClosed.load(ordering: .relaxed) else { return }
    trace.note(.turned(label: breaker, state))
  }

  /// Notes for the timeline the name of the task that is started next; from another thread, nothing.
  func nameNext(_ name: String) {
    if isOwner, trace.isDetailed { nextName = name }
  }

  private func add(_ job: UnownedJob) {
    if isClosed.load(ordering: .relaxed) { return globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
    if isInStep { trace.name(current, Task.name) }
    let task = identity.task(of: job, causedBy: current)
    if let name = nextName {
      trace.name(task, name)
      nextName = nil
    }
    tracker?.ready(task, by: isInStep ? current : -1)
    trace.note(.readied(task: task))
    if isCleaningUp { wokenByCleanUp.insert(task) }
    ready.add(ReadyQueue.Entry(job: job, task: task))
  }
}

// MARK: - What the run calls, on the owner's thread

extension SimulationExecutor {
  /// Why the running stopped.
  enum Stop: Equatable {
    /// The body has ended.
    case done
    /// Nothing can run, and no timer is set.
    case idle
    /// Work left the simulation.
    case escaped(String)
    /// The step limit was reached.
    case stepLimit
  }

  /// Notes that the body has ended.
  func noteBodyDone() { bodyIsDone.store(true, ordering: .releasing) }

  /// Gives the run up while its thread is stuck in a job; the thread closes it when it comes back.
  ///
  /// From any thread.
  func abandon() { isClosed.store(true, ordering: .releasing) }

  /// A sign of life from a job that waits for something of its own, such as a simulation inside it.
  ///
  /// From any thread.
  func pulse() { pulses.add(1, ordering: .relaxed) }

  /// Grows with every step and sign of life; may be read from other threads.
  var progressCount: Int { progress.load(ordering: .relaxed) + pulses.load(ordering: .relaxed) }

  /// Runs jobs, and moves the clock when there are none, until the body has ended.
  func run(stepLimit: Int) -> Stop {
    while true {
      if let escape { return .escaped(escape) }
      if bodyIsDone.load(ordering: .acquiring) { return .done }
      guard steps + firings < stepLimit, !isClosed.load(ordering: .relaxed) else { return .stepLimit }
      if ready.isEmpty {
        guard fireTimer(.idle) else { return .idle }
      } else if timers.areDue() {
        step(orTimer: true)
      } else if earlyTimerChance > 0, !timers.isEmpty, isTimeEarly() {
        _ = fireTimer(.early)
      } else {
        step(orTimer: false)
      }
    }
  }

  /// Runs jobs, without letting time pass, until none is left.
  func runReady(stepLimit: Int) -> Stop {
    while !ready.isEmpty {
      if let escape { return .escaped(escape) }
      guard steps < stepLimit, !isClosed.load(ordering: .relaxed) else { return .stepLimit }
      step(orTimer: false)
    }
    return .idle
  }

  /// Waits, in real time, whether another thread brings work back.
  ///
  /// - Returns: what escaped; nil when nothing came within the time.
  func waitForOutside(_ time: DispatchTimeInterval) -> String? {
    _ = outsideArrived.wait(timeout: .now() + time)
    return escape
  }

  /// Watches from now on which tasks are still alive enough to be woken.
  func beginCleanUp() { isCleaningUp = true }

  private var escape: String? {
    guard hasEscaped.load(ordering: .acquiring) else { return nil }
    return outside.withLock { $0.escape }
  }

  /// Ends the run: whatever becomes runnable later goes to the system's threads, so that it can end by itself.
  ///
  /// - Parameter keepsWork: whether so does what is runnable now; else it is never run, since it had its time and would
  ///   perhaps never end.
  func close(keepingWork keepsWork: Bool) {
    let late = outside.withLock { outside in
      isClosed.store(true, ordering: .releasing)
      defer { outside.jobs = [] }
      return outside.jobs
    }
    surround = nil
    let left = ready.takeAll().map(\.job)
    for job in (keepsWork ? left : []) + late { globalConcurrentExecutor.enqueue(ExecutorJob(job)) }
  }

  private func isTimeEarly() -> Bool {
    if choices.isRepeating { return choices.repeated(.early, below: 2) == 1 }
    let isEarly = choices.draw(below: 100) < earlyTimerChance
    choices.note(isEarly ? 1 : 0, .early)
    return isEarly
  }

  /// Has a task run, or a timer fire that is due.
  private func step(orTimer isDue: Bool) {
    let count = ready.count
    guard let entry = ready.take(step: steps + 1, orTimer: isDue, &choices) else {
      _ = fireTimer(.amid)
      return
    }
    steps += 1
    progress.store(steps, ordering: .relaxed)
    trace.note(.ran(task: entry.task, of: count))
    current = entry.task
    isInStep = true
    choices.task = current
    tracker?.begin(entry.task)
    entry.job.runSynchronously(on: asUnownedTaskExecutor())
    tracker?.end(entry.task)
    choices.task = -1
    isInStep = false
  }

  private func fireTimer(_ firing: RunTrace.Firing) -> Bool {
    guard let timer = timers.takeNext({ choices.below($0, .tie) }) else { return false }
    now = max(now, timer.instant)
    firings += 1
    trace.note(.fired(timer: timer.id, at: now, firing))
    tracker?.fire(timer.id, at: now)
    // It may cancel a task, whose handlers are then called here.
    if let surround { surround(timer.fire) } else { timer.fire() }
    return true
  }
}
