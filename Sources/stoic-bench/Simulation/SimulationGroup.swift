import Foundation
import StoicHTTP
import StoicTesting

/// How fast simulated runs are.
///
/// - `simulation.switches`: steps per second of two tasks that do nothing but yield, against the same on the system's
///   executor.
/// - `simulation.http17`: runs per second of seventeen callers of a client with deadlines, retries, shared requests and
///   cancellations, under the portfolio of schedules; against the 2,000 per second that are asked of it.
func simulationFigures() throws -> [Figure] {
  let yields = 10_000
  let speed = try race(
    [
      Contender(name: "simulation") {
        let figures = SimulationFigures(seeds: 0..<1, schedules: [.uniform], expectedSteps: 1) {
          await yielding(yields)
        }
        guard figures.failures == 0 else { throw Surprise(what: "a run that only yields has failed") }
      },
      Contender(name: "system") { waiting { await yielding(yields) } },
    ])
  let switches = speed.map { $0.map { $0 * Double(yields) } }

  let seeds = 200
  let runs = try race([
    Contender(name: "simulation") {
      let figures = SimulationFigures(seeds: 0..<seeds, schedules: .portfolio, seventeenCallers)
      guard figures.failures == 0 else { throw Surprise(what: "a run of seventeen callers has failed") }
    }
  ])
  let perSecond = runs[0].map { $0 * Double(seeds) }
  return [
    Figure("simulation.switches", unit: "1/s", switches[0], against: "the system's executor", switches[1]),
    Figure(
      "simulation.http17", unit: "seeds/s", perSecond, against: "2000 seeds/s",
      perSecond.map { _ in 2_000 }),
  ]
}

@Sendable private func yielding(_ count: Int) async {
  await withTaskGroup(of: Void.self) { group in
    for _ in 0..<2 {
      group.addTask { for _ in 0..<(count / 2) { await Task.yield() } }
    }
  }
}

/// Seventeen callers of a client whose server answers late, fails and is cut off: some with a deadline, some cancelled.
@Sendable private func seventeenCallers() async throws {
  let transport = ScriptedTransport()
  transport.on(.any, respond: [.status(200)])
  transport.faults = HTTPFaults(failure: 0.2, status: 0.1, delay: .zero ... .milliseconds(400))
  let api = HTTPClient(base: base, transport: transport, policy: .server)
  await withTaskGroup(of: Void.self) { group in
    for index in 0..<17 {
      group.addTask {
        guard index % 4 == 0 else {
          try? await oneCall(index, of: api)
          return
        }
        let call = Ambient.task { try await oneCall(index, of: api) }
        try? await Ambient.sleep(for: .milliseconds(Int64(Ambient.random.next() % 2_000)))
        call.cancel()
        _ = await call.result
      }
    }
  }
}

private func oneCall(_ index: Int, of api: HTTPClient) async throws {
  // Some ask for the same, and share.
  let request = index % 3 == 0 ? HTTPRequest.post("/orders") : .get("/items/\(index % 8)")
  if index % 2 == 0 {
    try await api.send(request)
  } else {
    _ = try await withDeadline(.seconds(1)) { try await api.send(request) }
  }
}

// A constant that is a URL.
// swift-format-ignore: NeverForceUnwrap
private let base = URL(string: "https://api.example.com/v1")!
