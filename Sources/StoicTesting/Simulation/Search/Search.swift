import Stoic

/// Tries every schedule of a body, depth first: after each run the last choice that has another value takes the next one.
struct Search {
  /// A choice point on the way to the current run.
  private struct Node {
    var value: UInt64
    let kind: Choice.Kind
    /// How many values are tried.
    let bound: Int
    /// How many values there are.
    let all: Int
    let state: UInt64?
    /// How many schedules go on from here, as far as they are known.
    var schedules = 0.0
  }

  /// The first one of so many runs is made twice.
  private static let sampleInterval = 64

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
      let plan = plan(merges: merges)
      let result = sweep.attempt(plan, on: host)
      runs += 1
      if result.verdict != .passed {
        var plan = plan
        plan.tracker = nil
        return .failure(sweep.failure(plan, result, on: host))
      }
      // What does not repeat itself is not searched, whatever the runs come to.
      guard repeats(result.course.choices) else {
        return .failure(sweep.divergence(of: self.plan(merges: false), on: host))
      }
      if runs % Self.sampleInterval == 1,
        let difference = sweep.difference(self.plan(merges: false), result, on: host)
      {
        return .failure(difference)
      }
      add(extend(by: result.course.choices))
    } while advance() && runs < limit
    // Of what is not gone through yet, what is known so far.
    let schedules = path.reduce(schedules) { $0 + $1.schedules }
    return .success(SimulationSearchReport(runs: runs, schedules: schedules, isComplete: path.isEmpty))
  }

  /// The run that takes the path, and goes on with zeros.
  private func plan(merges: Bool) -> SimulationRun.Plan {
    var plan = SimulationRun.Plan(
      seed: 0, schedule: .replay(path.map(\.value)), hasEarlyTimers: false,
      stepLimit: sweep.settings.stepLimit)
    plan.isSearch = true
    if merges { plan.tracker = StateTracker(countsPreemptions: preemptions != nil) }
    return plan
  }

  /// Whether a run was asked the same questions as those before it, as far as it took their path.
  private func repeats(_ choices: [Choice]) -> Bool {
    choices.count >= path.count
      && zip(path, choices).allSatisfy { $0.value == $1.value && $0.kind == $1.kind && $0.all == $1.bound }
  }

  /// Takes in the choices that a run made after those that were given; returns how many schedules it stands for.
  private mutating func extend(by choices: [Choice]) -> Double {
    var spent = 0
    for (place, choice) in choices.enumerated() {
      if place >= path.count {
        if let state = choice.state, let schedules = known[state] { return schedules }
        let isSpent = choice.kind == .preemption && preemptions.map { spent >= $0 } ?? false
        let bound = isSpent ? 1 : choice.bound
        path.append(
          Node(value: choice.value, kind: choice.kind, bound: bound, all: choice.bound, state: choice.state))
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
