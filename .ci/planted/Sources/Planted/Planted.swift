import Foundation
import Stoic
import StoicTesting

/// `Planted [SEEDS]` runs each scenario without a bug, and then looks for each bug.
///
/// `Planted clean SEEDS` does the first alone, each run made `Planted twice SEEDS` twice; `Planted show BUG` tells how
/// one bug is found, `Planted puzzle NUMBER` the timeline of one without its name.
@main
struct Program {
  static func main() {
    let words = Array(CommandLine.arguments.dropFirst())
    let number = words.last.flatMap { Int($0) } ?? 2_000
    let problems =
      switch words.first {
      case "clean": clean(number)
      case "twice": twice(number)
      case "show": show(Hunt.bugs.filter { $0.name == words.last }, timelineOnly: false)
      case "puzzle": show([Hunt.bugs[abs(number) % Hunt.bugs.count]], timelineOnly: true)
      default: clean(number) + Hunt.run()
      }
    if problems > 0 { exit(1) }
  }

  /// Runs each scenario without a bug.
  private static func clean(_ seeds: Int) -> Int {
    var problems = 0
    for scenario in Scenario.all {
      do {
        print("without a bug, \(scenario.name): \(try simulate(seeds: 0..<seeds, scenario.body))")
      } catch {
        print("FAILED: without a bug, \(scenario.name): \(error)")
        problems += 1
      }
    }
    let all = Scenario.all.count
    print("without a bug: \(all - problems) of \(all) scenarios pass \(seeds) seeds each")
    return problems
  }

  /// Runs all seeds of each scenario, and all again: the hashes of both are to be the same.
  private static func twice(_ seeds: Int) -> Int {
    var problems = 0
    for scenario in Scenario.all {
      let start = ContinuousClock.now
      let (one, two) = (figures(scenario, seeds), figures(scenario, seeds))
      let time = start.duration(to: .now)
      let isSame = one == two && one.failures == 0
      print(
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
