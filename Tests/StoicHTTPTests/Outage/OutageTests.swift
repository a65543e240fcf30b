import Testing
import stoic_demo

@Suite("An outage")
struct OutageTests {
  /// The demo's numbers, looked at for a quarter of a minute less.
  private static var large: OutageScenario {
    var scenario = OutageScenario()
    scenario.after = 75
    return scenario
  }

  /// A server that is half busy, with ten seconds' work of queue, and a moment's look at what comes after.
  static func small(
    clients: Int, rate: Double, floor: Int, ratio: Double, window: Int,
    fault: OutageScenario.Fault = .hangs
  ) -> OutageScenario {
    var scenario = OutageScenario()
    (scenario.clients, scenario.rate) = (clients, rate)
    (scenario.floor, scenario.ratio, scenario.window) = (floor, ratio, window)
    scenario.fault = fault
    scenario.capacity = Int(2 * scenario.baseline)
    scenario.queueLimit = 10 * scenario.capacity
    scenario.after = 30
    return scenario
  }

  @Test("A thousand clients load a server in an outage no more than was computed, and the load comes back")
  func protected() throws {
    let scenario = Self.large
    let run = try OutagePlay(scenario, .budgetAndBreaker).run(seed: 1)
    #expect(run.calls.reduce(0, +) == 33_000)
    #expect(run.factor(in: 0..<30) == 1)
    #expect(run.worst <= AmplificationBound(scenario).factor)
    // They do retry, and the budget holds: breakers alone would let 1.4 through before they open.
    #expect((1.15..<1.25).contains(run.worst))
    // The breakers take load off the server, which gets less than it has on a good day.
    #expect(run.duringOutage < 0.6)
    #expect(try #require(run.secondsToBaseline) <= 50)
    // A few clients stay away for up to a minute, as long as a breaker is open at most.
    #expect(run.answeredAtTheEnd > 0.95)
  }

  @Test("The same without budget and breaker is a storm that outlives its cause")
  func unprotected() throws {
    let run = try OutagePlay(Self.large, .nothing).run(seed: 1)
    #expect(run.calls.reduce(0, +) == 33_000)
    #expect(run.factor(in: 0..<30) == 1)
    #expect(run.worst > 3)
    #expect(run.duringOutage > 2.8)
    // The server has been well for 75 seconds, and is as busy as before, for callers who have left.
    #expect(run.secondsToBaseline == nil)
    #expect(run.lowestAfterwards > 2)
    #expect(run.atTheEnd > 2.8)
    #expect(run.answeredAtTheEnd == 0)
  }

  @Test(
    "Whatever floor, ratio and rate, hanging or refusing: no window has more load than was computed",
    arguments: [
      small(clients: 50, rate: 0.2, floor: 1, ratio: 0.2, window: 25),
      small(clients: 50, rate: 0.2, floor: 0, ratio: 0.2, window: 25),
      // The standard numbers, at the rate that they are made for.
      small(clients: 2, rate: 5, floor: 10, ratio: 0.2, window: 10),
      small(clients: 2, rate: 5, floor: 10, ratio: 0.2, window: 10, fault: .refuses),
      small(clients: 5, rate: 2, floor: 4, ratio: 0.5, window: 10, fault: .refuses),
      small(clients: 20, rate: 0.5, floor: 3, ratio: 0.1, window: 20, fault: .refuses),
    ])
  func bound(scenario: OutageScenario) throws {
    var scenario = scenario
    // So many that no call waits for its turn.
    scenario.permits = 64
    let bound = AmplificationBound(scenario)
    let run = try OutagePlay(scenario, .budget).run(seed: 2)
    #expect(run.worst <= bound.factor)
    #expect(run.duringOutage <= bound.factor)
    // The floor is used up in every window of the outage.
    #expect(run.duringOutage >= 1 + 0.95 * Double(scenario.floor) / bound.calls)
  }

  @Test("With a budget alone the load is what the floor allows, and is back when the queue is worked off")
  func budgetAlone() throws {
    let scenario = Self.small(clients: 50, rate: 0.2, floor: 1, ratio: 0.2, window: 25)
    let run = try OutagePlay(scenario, .budget).run(seed: 1)
    #expect((1.19...1.22).contains(run.duringOutage))
    #expect(try #require(run.secondsToBaseline) <= 10)
    // Ten seconds' work waits at the end of the outage, and half as much comes as is done: that makes twenty seconds.
    #expect(run.answered[90..<100].allSatisfy { $0 == 0 })
    #expect(run.answered[115..<118].allSatisfy { $0 == 10 })
  }

  @Test("Calls that a full bulkhead keeps back load the server later: by no more than its queue")
  func fullBulkhead() throws {
    let scenario = Self.small(clients: 2, rate: 5, floor: 10, ratio: 0.2, window: 10)
    let bound = AmplificationBound(scenario)
    let run = try OutagePlay(scenario, .budget).run(seed: 2)
    // Eight attempts of two seconds are four a second, and five are called for: the rest waits, and then comes at once.
    #expect(run.worst > bound.factor)
    #expect(run.worst <= bound.factor + Double(scenario.queueLimitPerClient) / bound.calls)
  }

  @Test("A seed gives the same outage every time, and another seed another")
  func seeds() throws {
    let scenario = Self.small(clients: 20, rate: 0.2, floor: 1, ratio: 0.2, window: 25)
    let first = try OutagePlay(scenario, .nothing).run(seed: 1)
    #expect(try OutagePlay(scenario, .nothing).run(seed: 1) == first)
    #expect(try OutagePlay(scenario, .nothing).run(seed: 2) != first)
  }
}
