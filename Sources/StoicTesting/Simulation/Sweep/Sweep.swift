import Foundation
import Stoic

/// All runs of one `simulate`: a pilot, one run a seed, some of them twice, and on a failure the same case again with its
/// trace.
package struct Sweep {
  let settings: SweepSettings
  let body: @Sendable () async throws -> Void
  let expectations = Expectations()

  /// One of so many seeds is run twice.
  private static let sampleInterval = 64

  package init(_ settings: SweepSettings, _ body: @escaping @Sendable () async throws -> Void) {
    self.settings = settings
    self.body = body
  }

  /// Makes the runs up to the first that fails.
  ///
  /// - Throws: ``SimulationFailure``.
  package func run() throws -> SimulationReport {
    let outcome = Lock<Result<SimulationReport, SimulationFailure>?>(nil)
    expectations.collecting {
      var tally = SweepTally(declared: settings.marks)
      let failure = firstFailure(&tally) ?? missedMarks(tally)
      let found: Result<SimulationReport, SimulationFailure> =
        failure.map { .failure($0) } ?? .success(tally.report)
      outcome.withLock { $0 = found }
    }
    guard let outcome = outcome.withLock({ $0 }) else { return SweepTally(declared: settings.marks).report }
    return try outcome.get()
  }

  /// The failure of a sweep that passed without coming where it had to come.
  private func missedMarks(_ tally: SweepTally) -> SimulationFailure? {
    guard settings.areAsAsked, tally.seeds > 0, !tally.missed.isEmpty else { return nil }
    return failure(
      .markMissed,
      "no run reached " + tally.missed.map { "\"\($0)\"" }.joined(separator: ", ")
        + "; the sweep was: \(tally.report)")
  }

  /// The failure of a sweep that has nothing to run, and so would prove nothing.
  private var nothingRun: SimulationFailure? {
    guard settings.areAsAsked else { return nil }
    return failure(
      .nothingRun, "nothing was run, since there is no \(settings.seeds.isEmpty ? "seed" : "schedule") to run"
    )
  }

  /// A failure of the whole sweep, rather than of one of its runs.
  private func failure(_ reason: SimulationFailure.Reason, _ message: String) -> SimulationFailure {
    let plan = plan(
      seed: settings.seeds.lowerBound, schedule: settings.schedules.first ?? .uniform, expectedSteps: 1)
    return SimulationFailure(of: plan, reason: reason, message: message)
  }

  private func firstFailure(_ tally: inout SweepTally) -> SimulationFailure? {
    guard !settings.seeds.isEmpty, !settings.schedules.isEmpty else { return nothingRun }
    GlobalEnqueueSensor.install
    let host = RunHost()
    defer { host.end() }
    var expectedSteps = 1
    if settings.schedules.contains(where: \.needsPilot) {
      let plan = plan(seed: 0, schedule: .uniform, expectedSteps: 1)
      let pilot = attempt(plan, on: host)
      // A seed that the caller did not ask for is not the one to report, unless it has taken the thread with it.
      if host.isLost { return failure(plan, pilot, on: host) }
      expectedSteps = max(1, pilot.course.steps)
    }
    // More seeds than an Int counts are possible.
    let (low, high) = (settings.seeds.lowerBound, settings.seeds.upperBound)
    let (total, overflow) = high.subtractingReportingOverflow(low)
    var progress = ProgressLine(total: overflow ? .max : total)
    defer { progress.end() }
    var seed = low
    while seed < high {
      // Nothing else is run before what is run twice has been compared.
      let place = Int(UInt(bitPattern: seed &- low) % UInt(Self.sampleInterval))
      let most = place == 0 ? 1 : min(RunHost.batch, Self.sampleInterval - place)
      let (next, isBeyond) = seed.addingReportingOverflow(most)
      let end = isBeyond ? high : min(next, high)
      let plans = (seed..<end).map { seed in
        let schedule = settings.schedules[Int(seed.magnitude % UInt(settings.schedules.count))]
        return plan(seed: seed, schedule: schedule, expectedSteps: expectedSteps)
      }
      seed = end
      var results: [SimulationRun.Result] = []
      attempt(plans, on: host) { result in
        results.append(result)
        if result.verdict == .passed { tally.add(result) }
        progress.advance(to: tally.seeds)
      }
      guard let last = results.last else { return nil }
      if last.verdict != .passed { return failure(plans[results.count - 1], last, on: host) }
      if place == 0, let difference = difference(plans[0], last, on: host) { return difference }
    }
    return nil
  }

  private func plan(seed: Int, schedule: SimulationSchedule, expectedSteps: Int) -> SimulationRun.Plan {
    SimulationRun.Plan(
      seed: seed, schedule: schedule, hasEarlyTimers: settings.earlyTimers, expectedSteps: expectedSteps,
      stepLimit: settings.stepLimit, marks: Set(settings.marks))
  }

  /// Makes one run.
  func attempt(_ plan: SimulationRun.Plan, on host: RunHost) -> SimulationRun.Result {
    var result = SimulationRun.Result.blocked
    attempt([plan], on: host) { result = $0 }
    return result
  }

  /// Makes runs up to the first that fails; a failed expectation in one is a failure of its body.
  private func attempt(
    _ plans: [SimulationRun.Plan], on host: RunHost, _ take: (SimulationRun.Result) -> Void
  ) {
    let runs = plans.map { plan in
      let run = SimulationRun(plan) { [expectations] in expectations.failed.count }
      if plan.isTry {
        run.start { [expectations, body] in try await expectations.silencing(body) }
      } else {
        run.start(body)
      }
      return run
    }
    let before = Lock(expectations.failed.count)
    host.perform(runs) { [expectations] result in
      let all = expectations.failed
      let failed = before.withLock { before in
        defer { before = all.count }
        // What fails in a clean-up fails since the run has failed.
        return all.prefix(result.failedExpectations).dropFirst(before)
      }
      guard let first = failed.first else { return result }
      var result = result
      let others = failed.count > 1 ? "\nand \(failed.count - 1) more" : ""
      result.verdict = .failed(.bodyFailed, first + others)
      return result
    } _: {
      take($0)
    }
  }

  /// The failure of a run, which is made once more, with its trace, to see that it repeats.
  func failure(
    _ plan: SimulationRun.Plan, _ result: SimulationRun.Result, on host: RunHost
  ) -> SimulationFailure {
    guard case .failed(let reason, let message) = result.verdict, reason != .blocked else {
      return report(plan, result, .blocked, SimulationRun.Result.blockedMessage)
    }
    // Its clean-up has taken the thread with it, so that there is no second run to draw.
    if host.isLost { return report(plan, result, reason, message) }
    var traced = plan
    traced.isTraced = true
    let again = attempt(traced, on: host)
    if again.verdict.isBlocked { return report(plan, again, .blocked, SimulationRun.Result.blockedMessage) }
    // What escaped goes on at its own pace, so its second run may differ.
    if reason != .escaped, !again.isRepetition(of: result) {
      let other = again.hash == result.hash ? "\(again.verdict)" : "took another course"
      return report(
        traced, again, .diverged,
        "the run \(result.verdict), and the same run again \(other): \(Self.usualCauses)")
    }
    return shrunk(report(traced, again, reason, message), traced, again, on: host)
  }

  /// What makes runs of one seed differ.
  private static let usualCauses =
    "the code draws on something that is not simulated, such as real time, another thread, or the order of a Set or "
    + "Dictionary, or on what was made outside of the body and remembers the run before, such as a client"

  /// A failure with a smaller case that fails for the same reason.
  private func shrunk(
    _ failure: SimulationFailure, _ plan: SimulationRun.Plan, _ result: SimulationRun.Result, on host: RunHost
  ) -> SimulationFailure {
    var shrinker = Shrinker(result.course, budget: settings.shrinkBudget) { guide in
      var plan = plan
      plan.schedule = .replay([])
      plan.guide = guide
      plan.isTry = true
      let result = attempt(plan, on: host)
      // A body that blocks takes the thread with it.
      guard !result.verdict.isBlocked else { return .over }
      guard case .failed(failure.reason, let message) = result.verdict else {
        return .passes(result.course.steps)
      }
      return .fails(result.course, message)
    }
    // Whoever repeats choices wants these; what escaped does not repeat itself to the letter; and a run that gets
    // nowhere gets nowhere in as many steps.
    if case .replay = plan.schedule { return failure }
    guard failure.reason != .escaped, failure.reason != .stepLimit, shrinker.shrink() else { return failure }
    return report(
      plan, shrinker.best, failure.reason, shrinker.message ?? failure.message, from: failure.size)
  }

  /// Makes a run that passed once more, and compares.
  func difference(
    _ plan: SimulationRun.Plan, _ result: SimulationRun.Result, on host: RunHost
  ) -> SimulationFailure? {
    let again = attempt(plan, on: host)
    guard !again.isRepetition(of: result) else { return nil }
    if again.verdict.isBlocked { return failure(plan, again, on: host) }
    guard again.hash == result.hash else { return divergence(of: plan, on: host) }
    var traced = plan
    traced.isTraced = true
    return report(
      traced, attempt(traced, on: host), .diverged,
      "the run \(result.verdict), and the same run again \(again.verdict): \(Self.usualCauses)")
  }

  /// The failure of a run that took another course than before.
  func divergence(of plan: SimulationRun.Plan, on host: RunHost) -> SimulationFailure {
    var traced = plan
    traced.isTraced = true
    let (first, second) = (attempt(traced, on: host), attempt(traced, on: host))
    let step = zip(first.course.trace, second.course.trace).enumerated().first {
      $0.element.0 != $0.element.1
    }
    let place =
      step.map { "first at step \($0.offset): once \"\($0.element.0)\", once \"\($0.element.1)\"" }
      ?? "in two further runs they did not differ step by step"
    return report(
      traced, first, .diverged,
      "two runs of one seed and schedule differed, \(place); \(Self.usualCauses)")
  }

  private func report(
    _ plan: SimulationRun.Plan, _ result: SimulationRun.Result, _ reason: SimulationFailure.Reason,
    _ message: String
  ) -> SimulationFailure {
    report(plan, result.course, reason, message, from: result.course.size)
  }

  private func report(
    _ plan: SimulationRun.Plan, _ course: SimulationRun.Course, _ reason: SimulationFailure.Reason,
    _ message: String, from size: SimulationFailure.Size
  ) -> SimulationFailure {
    let timeline = SimulationTimeline(course, end: "\(reason): \(message)")
    return SimulationFailure(
      of: plan, reason: reason, message: message, choices: course.plainChoices, size: course.size,
      originalSize: size,
      timeline: course.trace.isEmpty ? SimulationTimeline() : timeline)
  }
}

extension SimulationSchedule {
  fileprivate var needsPilot: Bool {
    if case .pct = self { true } else { false }
  }
}
