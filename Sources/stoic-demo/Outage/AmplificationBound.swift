/// How much more than their calls the clients can load the server with, computed from their numbers alone.
///
/// In each window of the budget a client begins `rate * window` calls. At most so many succeed, so it makes at most
/// `floor + ratio * rate * window` retries, whatever the server does. A breaker makes it less.
///
/// Neither of two other numbers enters. The number of attempts bounds the retries of a call, and a window may hold retries
/// of calls that began before it. The bulkhead's queue is taken to be empty: a client whose permits are all in use keeps
/// calls back, and lets them go together later.
package struct AmplificationBound: Sendable {
  private let scenario: OutageScenario

  package init(_ scenario: OutageScenario) {
    self.scenario = scenario
  }

  /// The calls that one client begins in a window.
  package var calls: Double { scenario.rate * Double(scenario.window) }

  /// The retries that one client makes in a window, at most.
  package var retries: Double { Double(scenario.floor) + scenario.ratio * calls }

  /// The requests of all clients in a second, at most, as the mean of a window.
  package var load: Double { Double(scenario.clients) * (calls + retries) / Double(scenario.window) }

  /// The same as a multiple of the load without failures.
  package var factor: Double { load / scenario.baseline }
}
