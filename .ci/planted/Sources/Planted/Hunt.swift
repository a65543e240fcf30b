import Foundation
import Stoic
import StoicTesting

/// What looks for bugs.
struct Scenario {
  let name: String
  let body: @Sendable () async throws -> Void

  static let all = [
    Scenario(name: "bulkhead", body: bulkheadScenario), Scenario(name: "queue", body: queueScenario),
    Scenario(name: "breaker", body: breakerScenario),
    Scenario(name: "cancelled probe", body: cancelledProbeScenario),
    Scenario(name: "late result", body: lateResultScenario),
    Scenario(name: "budget", body: budgetScenario), Scenario(name: "flight", body: flightScenario),
    Scenario(name: "http", body: httpScenario), Scenario(name: "retry after", body: retryAfterScenario),
    Scenario(name: "shared faults", body: sharedFaultsScenario), Scenario(name: "crowd", body: crowdScenario),
    Scenario(name: "rate limiter", body: rateLimiterScenario),
    Scenario(name: "token given back", body: tokenGivenBackScenario),
    Scenario(name: "adaptive bulkhead") { try await adaptiveBulkheadScenario(calls: 3, tenths: 3) },
    Scenario(name: "falling limit") { try await adaptiveBulkheadScenario(calls: 2, tenths: 3) },
    Scenario(name: "rising limit") { try await adaptiveBulkheadScenario(calls: 3, tenths: 1) },
    Scenario(name: "hedge", body: hedgeScenario), Scenario(name: "throttle", body: throttleScenario),
  ]

  static func named(_ name: String) -> Scenario? { all.first { $0.name == name } }
}

/// Looks for each planted bug under each schedule.
enum Hunt {
  /// Where each bug is looked for.
  static let bugs: [(name: String, scenario: String)] = [
    ("leaked-permit", "bulkhead"), ("permit-kept-on-cancel", "bulkhead"), ("lost-wake-up", "bulkhead"),
    ("queue-one-too-long", "queue"), ("withdrawn-waiter-served", "bulkhead"),
    ("deadline-ignored-in-queue", "bulkhead"), ("timer-left", "bulkhead"), ("wrong-probe-count", "breaker"),
    ("probe-lost-on-cancel", "cancelled probe"), ("late-result-heard", "late result"),
    ("opens-too-early", "breaker"),
    ("budget-not-returned", "budget"), ("budget-overdrawn", "budget"), ("failure-earns", "budget"),
    ("one-attempt-too-many", "budget"), ("joiner-poisoned", "flight"), ("heir-without-rest", "flight"),
    ("failed-flight-never-lands", "flight"), ("unkeyed-post-repeated", "http"), ("key-changed", "http"),
    ("retry-after-ignored", "retry after"), ("another-answer-shared", "http"),
    ("token-lost-on-cancel", "token given back"), ("token-not-taken", "rate limiter"),
    ("limit-never-falls", "falling limit"), ("raised-limit-wakes-nobody", "rising limit"),
    ("adaptive-permit-leaked", "falling limit"), ("loser-not-cancelled", "hedge"),
    ("hedge-not-refunded", "hedge"), ("own-refusals-not-counted", "throttle"),
    ("cancelled-call-counted", "throttle"),
  ]

  private static let schedules: [[SimulationSchedule]] = [
    [.uniform], [.pct(depth: 2)], [.pct(depth: 3)], .portfolio,
  ]

  /// The first failure of a scenario.
  static func failure(_ scenario: Scenario, _ seeds: Int, _ schedules: [SimulationSchedule] = .portfolio)
    -> SimulationFailure?
  {
    do {
      try simulate(seeds: 0..<seeds, schedules: schedules, scenario.body)
      return nil
    } catch { return error as? SimulationFailure }
  }

  /// The portfolio's failure with a bug.
  static func failure(
    of bug: (name: String, scenario: String), _ schedules: [SimulationSchedule] = .portfolio
  )
    -> SimulationFailure?
  {
    Planted.bug = bug.name
    defer { Planted.bug = "" }
    return Scenario.named(bug.scenario).flatMap { failure($0, 1_000, schedules) }
  }

  /// Prints a table of what was found; returns how many problems there are.
  static func run() -> Int {
    var problems = 0
    print("| bug | uniform | pct:2 | pct:3 | portfolio | found as | preemptions | lines |")
    print("|-|-|-|-|-|-|-|-|")
    for bug in bugs {
      let found = schedules.map { failure(of: bug, $0) }
      let seeds = found.map { $0.map { "\($0.seed + 1)" } ?? "—" }.joined(separator: " | ")
      guard let failure = found.last.flatMap({ $0 }) else {
        print("| \(bug.name) | \(seeds) | NOT FOUND | | |")
        problems += 1
        continue
      }
      let lines = failure.timeline.split(separator: "\n").count
      let isWhole = !failure.timeline.contains("rows left out")
      let (from, to) = (failure.originalSize.preemptions, failure.size.preemptions)
      print(
        "| \(bug.name) | \(seeds) | `\(failure.reason)` | \(from) → \(to) | \(lines)\(isWhole ? "" : ", cut") |"
      )
      if 3 * to > from || lines > 40 {
        print("FAILED: \(bug.name) is not shrunk to a third of its preemptions, or its timeline is too long")
        problems += 1
      }
    }
    print("planted: \(bugs.count) bugs, \(problems) problems")
    return problems
  }
}
