import Stoic

/// Tries every schedule of a body, depth first: after each run the last choice that has another value takes the next one.
struct Search {
  /// A choice point on the way to the current run.
  private struct Node {
    var value: UInt64
    let bound: Int
    let state: UInt64?
    /// How many schedules go on from here, as far as they are known.
    var schedules = 0.0
  }

  let sweep: Sweep
  let limit: Int
  /// The most preemptions in a run; nil for any number.
  let preemptions: Int?
  /// Whether a state that was met before is not gone on from again.
  let merges: Bool

  private var path: [Node] = []
  private var known: [UInt64: Double] = [:]
  private var runs = 0
  private var schedules = 0.0

  init(_ sweep: Sweep, limit: Int, preemptions: Int?, merges: Bool) {
    self.sweep = sweep
    self.limit = limit
    self.preemptions = preemptions
    self.merges = merges
  }

  /// Makes the runs up to the first that fails.
  mutating func run() -> Result<SimulationSearchReport, SimulationFailure> {
    GlobalEnqueueSensor.install
    let host = RunHost()
    defer { host.end() }
    repeat {
      var plan = SimulationRun.Plan(
        seed: 0, schedule: .replay(path.map(\.value)), hasEarlyTimers: false,
        stepLimit: sweep.settings.stepLimit)
      plan.isSearch = true
      if merges { plan.tracker = StateTracker(countsPreemptions: preemptions != nil) }
      let result = sweep.attempt(plan, on: host)
      runs += 1
      if result.verdict != .passed {
        (plan.tracker, plan.isSearch) = (nil, false)
        return .failure(sweep.failure(plan, result, on: host))
      }
      add(extend(by: result.course.choices))
    } while runs < limit && advance()
    return .success(SimulationSearchReport(runs: runs, schedules: schedules, isComplete: path.isEmpty))
  }

  /// Takes in the choices that a run made after those that were given; returns how many schedules it stands for.
  private mutating func extend(by choices: [Choice]) -> Double {
    var spent = 0
    for (place, choice) in choices.enumerated() {
      if place >= path.count {
        if let state = choice.state, let schedules = known[state] { return schedules }
        let isSpent = choice.kind == .preemption && preemptions.map { spent >= $0 } ?? false
        path.append(Node(value: choice.value, bound: isSpent ? 1 : choice.bound, state: choice.state))
      }
      if choice.kind == .preemption, choice.value > 0 { spent += 1 }
    }
    return 1
  }

  private mutating func add(_ count: Double) {
    if path.isEmpty { schedules += count } else { path[path.count - 1].schedules += count }
  }

  /// Goes on to the next schedule; false when there is none.
  private mutating func advance() -> Bool {
    while let last = path.last {
      if last.value + 1 < UInt64(last.bound) {
        path[path.count - 1].value += 1
        return true
      }
      path.removeLast()
      if let state = last.state { known[state] = last.schedules }
      add(last.schedules)
    }
    return false
  }
}
