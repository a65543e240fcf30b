import Foundation
import Stoic

/// Runs a body under every schedule there is, and throws what goes wrong in one of them: a proof, for a small scope.
///
/// Every job that can run is tried at every point where there are several, and every number that ``pick(below:)`` can give. Time
/// stands still while anything can run; of the timers that are due at one instant each is tried as the first, and at every point of
/// the work that the first ones have begun the next one. `Ambient.random` gives zero. The number of schedules grows
/// faster than exponentially: a task that yields takes two steps for it, and whoever waits for tasks takes one as each ends, so
/// that three tasks of a group that yield once each have 11,130. Bound the preemptions where that is too much: most bugs need one
/// or two (Musuvathi and Qadeer, "Iterative Context Bounding for Systematic Testing of Multithreaded Programs", 2007), but then the
/// proof is one for so many.
///
/// What waits for an actor is the runtime's to order: all that has been sent to one is served in one step, so that with several actors
/// there are orders on several threads that are not among these.
///
/// Otherwise the rules are those of ``simulate(seeds:schedules:earlyTimers:stepLimit:marks:_:)``.
///
/// ```swift
/// import Stoic
/// import StoicTesting
/// import Testing
///
/// @Test("Whoever comes first, two callers of one permit are never inside together")
/// func permit() throws {
///   let report = try simulateAll {
///     let bulkhead = Bulkhead(maxConcurrent: 1)
///     async let one: Void = bulkhead.run { await Task.yield() }
///     async let two: Void = bulkhead.run { #expect(bulkhead.inUse == 1) }
///     _ = try await (one, two)
///   }
///   #expect(report.isComplete)
/// }
/// ```
///
/// - Parameters:
///   - preemptions: how often in a run a task may have to wait that could go on; nil for any number. A timer that fires in between
///     is none.
///   - limit: the most runs to be made.
///   - stepLimit: how many steps and timers a run may take.
///   - body: the work.
/// - Returns: how many runs were made; ``SimulationSearchReport/isComplete`` is false where the limit came first. On a terminal it
///   is shown as well.
/// - Throws: ``SimulationFailure`` for the first run that fails.
@discardableResult
public func simulateAll(
  preemptions: Int? = nil, limit: Int = 100_000, stepLimit: Int = 50_000,
  _ body: @escaping @Sendable () async throws -> Void
) throws -> SimulationSearchReport {
  try searchAll(preemptions: preemptions, limit: limit, stepLimit: stepLimit, merges: false, body)
}

/// The same, where a state that was met before is not gone on from again.
///
/// That is only sound for a body whose tasks share nothing but what is Stoic's and what they `touch()`, that looks at its
/// cancellation and cancels others only in a step that touches something, and that does not depend on the order of a group's
/// results.
package func searchAll(
  preemptions: Int? = nil, limit: Int = 100_000, stepLimit: Int = 50_000, merges: Bool,
  _ body: @escaping @Sendable () async throws -> Void
) throws -> SimulationSearchReport {
  let settings = SweepSettings(seeds: 0..<1, schedules: [], earlyTimers: false, stepLimit: max(1, stepLimit))
  let sweep = Sweep(settings, body)
  let outcome = Lock<Result<SimulationSearchReport, SimulationFailure>?>(nil)
  sweep.expectations.collecting {
    var search = Search(
      sweep, limit: max(1, limit), preemptions: preemptions.map { max(0, $0) }, merges: merges)
    let found = search.run()
    outcome.withLock { $0 = found }
  }
  guard let outcome = outcome.withLock({ $0 }) else {
    return SimulationSearchReport(runs: 0, schedules: 0, isComplete: false)
  }
  let report = try outcome.get()
  if isatty(STDERR_FILENO) == 1 {
    // A terminal that has gone away is no reason to fail a test.
    try? FileHandle.standardError.write(contentsOf: Data("simulateAll: \(report)\n".utf8))
  }
  return report
}

/// Notes in a search that the running step has to do with something that tasks share.
package func touch() { SimulationRun.current?.executor.touch() }

/// Starts tasks that nobody can tell from each other: the same code, the same values, no names that matter.
package func startingAlike(_ start: () -> Void) {
  guard let executor = SimulationRun.current?.executor else { return start() }
  executor.starting(alike: start)
}
