import Stoic

/// One story of a call to a server that misbehaves, and how it has to end.
struct Scenario: Sendable {
  /// What the server does wrong.
  let title: String
  /// What the client is expected to do about it, and why.
  let expectation: String
  /// Plays it and checks what came of it.
  let play: @Sendable (Stage) async throws -> Void

  /// Every scenario, in the order in which they are shown.
  static let all = [
    overloaded, silent, throttled, disconnected, unkeyedOrder, keyedOrder, oversized, redirected, impatient,
    misshapen,
  ]
}

/// Plays scenarios one after another.
struct Program {
  /// Far beyond what a scenario takes on a busy machine; it is there so that none can hang.
  private static let timeLimit = Duration.seconds(20)

  private let scenarios: [Scenario]
  private let console: Console

  init(_ scenarios: [Scenario], on console: Console) {
    self.scenarios = scenarios
    self.console = console
  }

  /// Plays all; returns whether each of them ended as expected.
  func run() async -> Bool {
    console.line("\(scenarios.count) calls over real sockets, to servers on this machine that misbehave.\n")
    var unexpected = 0
    for (index, scenario) in scenarios.enumerated() {
      if await !play(scenario, number: index + 1) { unexpected += 1 }
      console.line()
    }
    let count = scenarios.count
    if unexpected == 0 {
      console.line("stoic-demo: all \(count) scenarios ended as expected", .good)
    } else {
      console.line("stoic-demo: \(unexpected) of \(count) scenarios did not end as expected", .bad)
    }
    return unexpected == 0
  }

  private func play(_ scenario: Scenario, number: Int) async -> Bool {
    console.line("\(number < 10 ? " " : "")\(number)  \(scenario.title)", .title)
    console.line("\(Stage.indent)Expected: \(scenario.expectation)")
    let stage = Stage(on: console)
    do {
      try await withDeadline(Self.timeLimit) { try await scenario.play(stage) }
    } catch {
      stage.fail("the scenario broke off: \(error)")
    }
    stage.close()
    return stage.isAsExpected
  }
}
