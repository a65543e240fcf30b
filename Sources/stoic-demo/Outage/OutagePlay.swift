import Foundation
import Stoic
import StoicHTTP
import StoicTesting

/// Plays an outage in virtual time.
///
/// Every client is a client of its own. It begins its calls at a steady rate, whatever becomes of those before: people do
/// not wait for one another.
package struct OutagePlay: Sendable {
  /// What the clients note, each call in the second in which it began.
  private final class Notes: Sendable {
    private let state: Lock<(begun: [Int], answered: [Int])>

    init(seconds: Int) {
      let zeros = Array(repeating: 0, count: seconds)
      state = Lock((zeros, zeros))
    }

    var counts: (begun: [Int], answered: [Int]) { state.withLock { $0 } }

    func begin(in second: Int) { state.withLock { $0.begun[second] += 1 } }
    func answer(in second: Int) { state.withLock { $0.answered[second] += 1 } }
  }

  private struct Client: Sendable {
    let api: HTTPClient
    /// When it makes its first call, as a share of the time between two calls.
    let phase: Double
  }

  private let scenario: OutageScenario
  private let protection: OutageScenario.Protection

  package init(_ scenario: OutageScenario, _ protection: OutageScenario.Protection) {
    self.scenario = scenario
    self.protection = protection
  }

  /// Plays it; the seed decides the clients' phases, the jitter, and the order of what comes at the same time.
  ///
  /// - Throws: `SimulationFailure` where something is left over at the end.
  package func run(seed: Int) throws -> OutageRun {
    let result = Lock<OutageRun?>(nil)
    let body: @Sendable () async -> Void = {
      let run = await play()
      result.withLock { $0 = run }
    }
    let seeds = seed..<(seed + 1)
    // `simulate` makes a run of one seed twice. A run takes seconds in a debug build, so it is only asked when it has
    // something to tell.
    let figures = SimulationFigures(seeds: seeds, schedules: [.uniform], expectedSteps: 1, body)
    if figures.runs == 0 || figures.failures > 0 {
      try simulate(seeds: seeds, schedules: [.uniform], stepLimit: .max, body)
    }
    return result.withLock { $0 } ?? OutageRun(scenario, requests: [], calls: [], answered: [])
  }

  private func play() async -> OutageRun {
    let server = ModelServer(scenario)
    let notes = Notes(seconds: scenario.length)
    let clients = clients(of: server)
    let start = Ambient.clock.now
    await withDiscardingTaskGroup { group in
      for number in 0..<Int((Double(scenario.length) * scenario.rate).rounded(.up)) {
        for client in clients {
          let time = (Double(number) + client.phase) / scenario.rate
          let second = Int(time)
          guard second < scenario.length else { break }
          try? await Ambient.sleep(until: start.advanced(by: .seconds(time)))
          notes.begin(in: second)
          group.addTask {
            // A call without an answer is told by its absence.
            if (try? await client.api.send(.get("/items/\(number)"))) != nil { notes.answer(in: second) }
          }
        }
      }
      group.cancelAll()
    }
    let counts = notes.counts
    return OutageRun(scenario, requests: server.requests, calls: counts.begun, answered: counts.answered)
  }

  /// The clients in the order of their phases, which are random and leave no gaps.
  private func clients(of server: ModelServer) -> [Client] {
    guard let base = URL(string: "https://api.example.com") else { return [] }
    return (0..<scenario.clients).map { index in
      Client(
        api: HTTPClient(base: base, transport: server, policy: scenario.policy(protection)),
        phase: (Double(index) + Ambient.random.fraction()) / Double(scenario.clients))
    }
  }
}
