import Foundation
import Stoic
import StoicTesting

/// Looks for each planted bug under each schedule, and for any in the code without one.
///
/// `Planted [CLEAN_SEEDS]`: how many seeds of each scenario have to pass without a bug, 2,000 unless given.
@main
struct Hunt {
  typealias Body = @Sendable () async throws -> Void

  static let scenarios: [(name: String, body: Body)] = [
    ("bulkhead", bulkheadScenario), ("queue", queueScenario), ("breaker", breakerScenario),
    ("late result", lateResultScenario),
    ("budget", budgetScenario), ("flight", flightScenario), ("http", httpScenario),
    ("retry after", retryAfterScenario), ("shared faults", sharedFaultsScenario),
  ]

  /// Where each bug is looked for.
  static let bugs: [(name: String, scenario: String)] = [
    ("leaked-permit", "bulkhead"), ("permit-kept-on-cancel", "bulkhead"), ("lost-wake-up", "bulkhead"),
    ("queue-one-too-long", "queue"), ("withdrawn-waiter-served", "bulkhead"),
    ("deadline-ignored-in-queue", "bulkhead"), ("timer-left", "bulkhead"), ("wrong-probe-count", "breaker"),
    ("probe-lost-on-cancel", "breaker"), ("late-result-heard", "late result"), ("opens-too-early", "breaker"),
    ("budget-not-returned", "budget"), ("budget-overdrawn", "budget"), ("failure-earns", "budget"),
    ("one-attempt-too-many", "budget"), ("joiner-poisoned", "flight"), ("heir-without-rest", "flight"),
    ("failed-flight-never-lands", "flight"), ("unkeyed-post-repeated", "http"), ("key-changed", "http"),
    ("retry-after-ignored", "retry after"), ("another-answer-shared", "http"),
  ]

  static let schedules: [(name: String, schedules: [SimulationSchedule])] = [
    ("uniform", [.uniform]), ("pct:2", [.pct(depth: 2)]), ("pct:3", [.pct(depth: 3)]),
    ("portfolio", .portfolio),
  ]

  static func failure(_ body: @escaping Body, _ seeds: Int, _ schedules: [SimulationSchedule])
    -> SimulationFailure?
  {
    do {
      try simulate(seeds: 0..<seeds, schedules: schedules, body)
      return nil
    } catch { return error as? SimulationFailure }
  }

  static func main() {
    let clean = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_000
    var problems = 0
    for (name, body) in scenarios {
      guard let failure = failure(body, clean, .portfolio) else { continue }
      print("FAILED: without a bug, \(name): \(failure)")
      problems += 1
    }
    print(
      "without a bug: \(scenarios.count - problems) of \(scenarios.count) scenarios pass \(clean) seeds each")
    print("| bug | uniform | pct:2 | pct:3 | portfolio | found as | preemptions | lines |")
    print("|-|-|-|-|-|-|-|-|")
    for (bug, place) in bugs {
      guard let body = scenarios.first(where: { $0.name == place })?.body else { continue }
      Planted.bug = bug
      let found = schedules.map { failure(body, 1_000, $0.schedules) }
      Planted.bug = ""
      let seeds = found.map { $0.map { "\($0.seed + 1)" } ?? "—" }.joined(separator: " | ")
      guard let failure = found.last.flatMap({ $0 }) else {
        print("| \(bug) | \(seeds) | NOT FOUND | | |")
        problems += 1
        continue
      }
      let lines = failure.timeline.split(separator: "\n").count
      let (from, to) = (failure.originalSize.preemptions, failure.size.preemptions)
      print("| \(bug) | \(seeds) | `\(failure.reason)` | \(from) → \(to) | \(lines) |")
      // One preemption has no third.
      if to > max(1, from / 3) || lines > 40 {
        print("FAILED: \(bug) is not shrunk to a third of its preemptions, or its timeline is too long")
        problems += 1
      }
      if ProcessInfo.processInfo.environment["PLANTED_SHOW"] == bug { print(failure) }
    }
    print("planted: \(bugs.count) bugs, \(problems) problems")
    if problems > 0 { exit(1) }
  }
}
