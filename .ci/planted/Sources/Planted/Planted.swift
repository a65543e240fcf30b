import Foundation
import Stoic
import StoicTesting

/// `Planted [SEEDS]` runs each scenario without a bug, and then looks for each bug.
///
/// `Planted clean SEEDS [SCENARIO]` does the first alone, and `Planted twice SEEDS [SCENARIO]` makes each run twice;
/// `Planted show BUG` tells how one bug is found, `Planted puzzle NUMBER` the timeline of one without its name.
@main
struct Program {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let number = words.lazy.compactMap { Int($0) }.first ?? 2_000
    let scenarios = Scenario.named(words.dropFirst(2).first ?? "").map { [$0] } ?? Scenario.all
    let problems =
      switch words.first {
      case "clean": clean(scenarios, number)
      case "twice": twice(scenarios, number)
      case "show": show(Hunt.bugs.filter { $0.name == words.last }, timelineOnly: false)
      case "puzzle": show([Hunt.bugs[abs(number) % Hunt.bugs.count]], timelineOnly: true)
      default: clean(scenarios, number) + Hunt.run()
      }
    if problems > 0 { exit(1) }
  }

  /// Prints a line at once: a long log is read while it grows.
  private static func say(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Runs each scenario without a bug.
  private static func clean(_ scenarios: [Scenario], _ seeds: Int) -> Int {
    var problems = 0
    for scenario in scenarios {
      do {
        say("without a bug, \(scenario.name): \(try simulate(seeds: 0..<seeds, scenario.body))")
      } catch {
        say("FAILED: without a bug, \(scenario.name): \(error)")
        problems += 1
      }
    }
    let all = scenarios.count
    say("without a bug: \(all - problems) of \(all) scenarios pass \(seeds) seeds each")
    return problems
  }

  /// Runs all seeds of each scenario, and all again: the hashes of both are to be the same.
  private static func twice(_ scenarios: [Scenario], _ seeds: Int) -> Int {
    var problems = 0
    for scenario in scenarios {
      let start = ContinuousClock.now
      let (one, two) = (figures(scenario, seeds), figures(scenario, seeds))
      let time = start.duration(to: .now)
      let isSame = one == two && one.failures == 0
      say(
        "\(isSame ? "twice the same" : "FAILED"), \(scenario.name): \(one.runs) runs, \(one.distinct) courses, "
          + "\(one.steps) steps, \(one.failures) failures, \(time.text) for both")
      if !isSame { problems += 1 }
    }
    return problems
  }

  private static func figures(_ scenario: Scenario, _ seeds: Int) -> SimulationFigures {
    SimulationFigures(seeds: 0..<seeds, schedules: .portfolio, scenario.body)
  }

  private static func show(_ bugs: [(name: String, scenario: String)], timelineOnly: Bool) -> Int {
    for bug in bugs {
      guard let failure = Hunt.failure(of: bug) else { return 1 }
      print(timelineOnly ? failure.timeline : "\(failure)")
    }
    return bugs.isEmpty ? 1 : 0
  }
}
