import Foundation
import Stoic
import StoicTesting
import Testing

@Suite("Throttle in an overload")
struct OverloadTests {
  struct Figures: Sendable, CustomTestStringConvertible {
    var name: String
    var scenario: OverloadPlay.Scenario
    /// Of the throttle, in seconds.
    var window: Int
    /// All in seconds.
    var settledAfter: Int
    var recoveredAfter: Int

    var testDescription: String { "\(name), \(window) seconds" }
  }

  static let figures = [
    Figures(name: "loss", scenario: .loss, window: 120, settledAfter: 107, recoveredAfter: 175),
    Figures(name: "loss", scenario: .loss, window: 30, settledAfter: 25, recoveredAfter: 46),
    Figures(name: "rush", scenario: .rush, window: 120, settledAfter: 36, recoveredAfter: 228),
    Figures(name: "rush", scenario: .rush, window: 30, settledAfter: 8, recoveredAfter: 54),
  ]

  @Test(
    "An overloaded server does nine tenths of what it can within the window, and serves all within two afterwards",
    arguments: figures)
  func overload(figures: Figures) async throws {
    let numbers = Throttle.Configuration(window: .seconds(figures.window))
    let play = try await OverloadPlay(figures.scenario, numbers)
    #expect(play.settledAfter == figures.settledAfter && figures.settledAfter <= figures.window)
    #expect(play.recoveredAfter == figures.recoveredAfter && figures.recoveredAfter <= 2 * figures.window)
    let (reached, served) = play.atTheEnd
    let capacity = Double(figures.scenario.overload.capacity)
    #expect((0.95...0.96).contains(served / capacity))
    // Two for each accepted one, by the formula.
    #expect((1.9...2.05).contains(reached / served))
  }

  @Test("Without a throttle it does a fifth of what it can, since it is busy turning calls away")
  func unprotected() async throws {
    for scenario in [OverloadPlay.Scenario.loss, .rush] {
      let play = try await OverloadPlay(scenario, nil)
      #expect((0.2...0.22).contains(play.atTheEnd.served / Double(scenario.overload.capacity)))
      #expect(play.settledAfter == nil)
    }
  }

  private static let page = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../design/throttle.svg").standardizedFileURL

  // Where STOIC_PICTURES is set it is drawn anew.
  @Test("The picture of an overload is the one beside the contract")
  func picture() async throws {
    let scenario = OverloadPlay.Scenario.rush
    let curves = [
      ("a throttle of two minutes", "#1558a6", Throttle.Configuration()),
      ("of thirty seconds", "#2e7d32", Throttle.Configuration(window: .seconds(30))),
      ("none", "#b3261e", nil),
    ]
    var drawn = OverloadPicture(scenario: scenario, curves: [])
    for (name, color, numbers) in curves {
      let play = try await OverloadPlay(scenario, numbers)
      drawn = OverloadPicture(
        scenario: scenario,
        curves: drawn.curves + [OverloadPicture.Curve(name: name, color: color, play: play)])
    }
    if ProcessInfo.processInfo.environment["STOIC_PICTURES"] != nil {
      try Data(drawn.svg.utf8).write(to: Self.page)
    }
    #expect(try String(contentsOf: Self.page, encoding: .utf8) == drawn.svg)
  }
}
