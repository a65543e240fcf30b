import Foundation
import Stoic
import StoicHTTP
import StoicTesting
import Testing

@Suite("Faults on the way to a script", .timeLimit(.minutes(30)))
struct ScriptedFaultTests {
  /// What became of so many requests: statuses, codes, and how long each took.
  private static func outcomes(
    _ faults: ScriptedTransport.Faults, count: Int, steps: [ScriptedTransport.Step] = [.status(200)]
  ) async -> [String] {
    let transport = ScriptedTransport(steps)
    transport.faults = faults
    var outcomes: [String] = []
    for _ in 0..<count {
      let start = Ambient.clock.now
      let outcome: String
      do {
        outcome = "\(try await transport.send(.scripted(timeout: .seconds(60))).status)"
      } catch { outcome = (error as? TransportError).map { "\($0.code.rawValue)" } ?? "\(error)" }
      let wait = start.duration(to: Ambient.clock.now)
      outcomes.append("\(outcome) \(wait)")
    }
    return outcomes
  }

  @Test("The same seed draws the same faults, another seed others")
  func determinism() throws {
    let faults = ScriptedTransport.Faults(
      failure: 0.2, codes: [.networkConnectionLost, .cannotConnectToHost, .badServerResponse],
      status: 0.2, hang: 0.1, delay: .milliseconds(1) ... .seconds(2))
    let seen = Lock<[Int: Set<[String]>]>([:])
    for seed in [1, 1, 2] {
      try simulate(seeds: seed..<seed + 1, schedules: [.uniform]) {
        let outcomes = await Self.outcomes(faults, count: 40)
        seen.withLock { _ = $0[seed, default: []].insert(outcomes) }
      }
    }
    let all = seen.withLock { $0 }
    #expect(all[1]?.count == 1 && all[2]?.count == 1 && all[1] != all[2])
  }

  @Test("Shares are those asked for, and a delay is within its range")
  func shares() throws {
    try simulate(seeds: 0..<1, stepLimit: 200_000) {
      let faults = ScriptedTransport.Faults(
        failure: 0.2, status: 0.1, hang: 0.05, delay: .seconds(1) ... .seconds(2))
      let transport = ScriptedTransport([.status(200)])
      transport.faults = faults
      var (counts, waits) = ([String: Int](), [Duration]())
      for _ in 0..<2_000 {
        let start = Ambient.clock.now
        do {
          counts["\(try await transport.send(.scripted(timeout: .seconds(60))).status)", default: 0] += 1
          waits.append(start.duration(to: Ambient.clock.now))
        } catch let error as TransportError { counts["\(error.code.rawValue)", default: 0] += 1 }
      }
      #expect((350...450).contains(counts["-1005"] ?? 0))
      #expect((160...240).contains(counts["503"] ?? 0))
      #expect((65...140).contains(counts["-1001"] ?? 0))
      #expect(counts.values.reduce(0, +) == 2_000)
      #expect(waits.allSatisfy { $0 >= .seconds(1) && $0 <= .seconds(2) })
      #expect((waits.min() ?? .zero) < .milliseconds(1_100) && (waits.max() ?? .zero) > .milliseconds(1_900))
    }
  }

  @Test(
    "A rate that is no share is brought into one",
    arguments: [(Double.nan, 0.0), (-1, 0), (-.infinity, 0), (1.5, 1), (.infinity, 1), (0.25, 0.25)])
  func clamped(_ rate: Double, to share: Double) {
    let made = ScriptedTransport.Faults(failure: rate, status: rate, hang: rate)
    var set = ScriptedTransport.Faults()
    (set.failure, set.status, set.hang) = (rate, rate, rate)
    for faults in [made, set] {
      #expect([faults.failure, faults.status, faults.hang] == [share, share, share])
    }
  }

  @Test("Certain faults happen to every request, in their order, and none to none")
  func certain() async throws {
    let clock = TestClock()
    try await withClock(clock) {
      #expect(
        await Self.outcomes(.init(failure: 1, status: 1), count: 3)
          == Array(repeating: "-1005 0.0 seconds", count: 3))
      #expect(await Self.outcomes(.init(failure: 1, codes: []), count: 1) == ["-1005 0.0 seconds"])
      #expect(await Self.outcomes(.init(status: 1, hang: 1), count: 1) == ["503 0.0 seconds"])
      #expect(await Self.outcomes(.init(), count: 1) == ["200 0.0 seconds"])
      let backwards = ScriptedTransport.Faults(delay: .seconds(-9) ... .seconds(-2))
      #expect(await Self.outcomes(backwards, count: 1) == ["200 0.0 seconds"])
    }
  }

  @Test("Choices of zero are no fault, and the earliest delay")
  func zero() throws {
    try simulate(seeds: 0..<1, schedules: [.uniform]) {
      try await withRandom(RandomSource { 0 }) {
        let faults = ScriptedTransport.Faults(
          failure: 0.3, status: 0.3, hang: 0.3, delay: .seconds(1) ... .seconds(2))
        #expect(await Self.outcomes(faults, count: 2) == ["200 1.0 seconds", "200 1.0 seconds"])
      }
    }
  }

  @Test("A lost answer uses the script's step up, a failure before the server does not")
  func steps() async throws {
    let transport = ScriptedTransport([.status(201), .status(202), .status(203)])
    func send(_ faults: ScriptedTransport.Faults?) async -> Int? {
      transport.faults = faults
      return try? await transport.send(.scripted()).status
    }
    #expect(await send(.init(failure: 1, codes: [.cannotConnectToHost])) == nil)
    #expect(await send(.init(status: 1)) == 503)
    #expect(await send(nil) == 201)
    #expect(await send(.init(failure: 1)) == nil)
    #expect(await send(nil) == 203)
    #expect(transport.faults == nil)
    #expect(transport.counts(5, aborted: 0) && transport.unscripted.isEmpty)
  }
}
