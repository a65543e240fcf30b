import Foundation
import Stoic

/// Shows what a budget and a breaker do in an outage: in figures, and in a picture.
struct OutageShow {
  private let scenario = OutageScenario()
  private let console: Console

  private static let seed = 1

  init(on console: Console) {
    self.console = console
  }

  /// Plays the outage with and without protection, and writes the picture where one is wanted.
  ///
  /// - Returns: whether the load stayed within what was computed and came back, and the picture was written.
  func run(svg path: String?) -> Bool {
    introduce()
    let (protected, unprotected): (OutageRun, OutageRun)
    do {
      protected = try OutagePlay(scenario, .budgetAndBreaker).run(seed: Self.seed)
      unprotected = try OutagePlay(scenario, .nothing).run(seed: Self.seed)
    } catch {
      console.line("stoic-demo: \(error)", .bad)
      return false
    }
    report(protected, unprotected)
    if let path {
      let picture = OutagePicture(scenario, protected: protected, unprotected: unprotected)
      guard write(picture, to: path) else { return false }
    }
    return conclude(protected)
  }

  private func write(_ picture: OutagePicture, to path: String) -> Bool {
    do {
      try picture.svg.write(toFile: path, atomically: true, encoding: .utf8)
      console.line("Both curves are in \(path).\n")
      return true
    } catch {
      console.line("stoic-demo: the picture cannot be written: \(error.localizedDescription)", .bad)
      return false
    }
  }

  private func introduce() {
    let (bound, scenario) = (AmplificationBound(scenario), scenario)
    console.line(
      """
      \(scenario.clients.grouped) clients, each with \(scenario.rate) calls a second, and a server that can answer \
      \(scenario.capacity) requests
      a second. It hangs for \(scenario.outage) seconds, in virtual time. A call makes up to \
      \(scenario.attempts) attempts of \(scenario.attemptTimeout.inSeconds) s.

      Computed beforehand, with a retry budget for each client (floor \(scenario.floor), ratio \
      \(scenario.ratio), window \(scenario.window) s):
      \(bound.calls) calls of a client in a window and \(scenario.floor) + \(scenario.ratio) × \(bound.calls) = \
      \(bound.retries) retries at most, so \(scenario.clients.grouped) clients make
      at most \(Int(bound.load.rounded()).grouped) requests a second out of \
      \(Int(scenario.baseline.rounded()).grouped) calls: a factor of \(bound.factor.twoDigits).

      Playing it with and without budget and breaker takes some seconds.

      """)
  }

  private func report(_ protected: OutageRun, _ unprotected: OutageRun) {
    row("", "budget and breaker", "neither")
    row("computed factor, at most", AmplificationBound(scenario).factor.twoDigits, "—")
    row("measured, any \(scenario.window) s, at most", protected.worst.twoDigits, unprotected.worst.twoDigits)
    row(
      "measured, the whole outage", protected.duringOutage.twoDigits, unprotected.duringOutage.twoDigits)
    row("load at the end, of the baseline", protected.atTheEnd.twoDigits, unprotected.atTheEnd.twoDigits)
    row("back at the baseline", time(protected), time(unprotected))
    row("calls answered at the end", protected.answeredAtTheEnd.percent, unprotected.answeredAtTheEnd.percent)
    console.line()
  }

  private func row(_ cells: String...) {
    let widths = [34, 22, 0]
    console.line(
      zip(cells, widths).map { cell, width in
        cell + String(repeating: " ", count: max(0, width - cell.count))
      }.joined())
  }

  private func time(_ run: OutageRun) -> String {
    run.secondsToBaseline.map { "\($0) s after it" } ?? "not within \(scenario.after) s"
  }

  private func conclude(_ protected: OutageRun) -> Bool {
    guard protected.worst <= AmplificationBound(scenario).factor else {
      console.line("stoic-demo: the load did not stay within what was computed", .bad)
      return false
    }
    guard protected.secondsToBaseline != nil else {
      console.line("stoic-demo: the load did not come back", .bad)
      return false
    }
    console.line("stoic-demo: the load stayed within what was computed, and came back", .good)
    return true
  }
}
