import Stoic
import StoicTesting

/// What one client makes of a server that cannot do all that it is asked for, second by second.
///
/// The server does one piece of work after the other. It takes a call when less than half a second's work lies before it, and
/// turns it away otherwise; to turn a call away is work as well, a twentieth of what serving it is.
struct OverloadPlay: Sendable {
  /// Calls a second, and how many of them the server can serve.
  struct Traffic: Sendable {
    var load: Int
    var capacity: Int
  }

  /// Good times, an overload, and good times again.
  struct Scenario: Sendable {
    var well: Traffic
    var overload: Traffic
    /// In seconds.
    var overloaded: Range<Int>
    var length: Int

    /// A server loses all but a small part of its capacity.
    static let loss = Scenario(
      well: Traffic(load: 320, capacity: 640), overload: Traffic(load: 320, capacity: 20),
      overloaded: 60..<300, length: 480)
    /// A server of the same capacity throughout is asked for far more.
    static let rush = Scenario(
      well: Traffic(load: 20, capacity: 40), overload: Traffic(load: 640, capacity: 40), overloaded: 60..<240,
      length: 600)
  }

  let scenario: Scenario
  /// Calls that reached the server.
  private(set) var reached: [Int]
  /// Calls that it served.
  private(set) var served: [Int]

  /// Plays it once.
  ///
  /// - Parameter configuration: the throttle's numbers; nil for a client without one.
  init(_ scenario: Scenario, _ configuration: Throttle.Configuration?, seed: UInt64 = 1) async throws {
    self.scenario = scenario
    reached = [Int](repeating: 0, count: scenario.length)
    served = reached
    let throttle = try await withRandom(.seeded(seed)) { configuration.map { Throttle($0) } }
    let clock = TestClock()
    var counts = (reached: reached, served: served)
    try await withClock(clock) {
      var isBusyUntil = Duration.zero
      for second in 0..<scenario.length {
        let traffic = scenario.overloaded.contains(second) ? scenario.overload : scenario.well
        let work = Duration.seconds(1) / traffic.capacity
        for call in 0..<traffic.load {
          let now = Duration.seconds(second) + .seconds(1) * call / traffic.load
          clock.advance(to: TestClock.Instant(offset: now))
          if throttle?.refuse() != nil { continue }
          counts.reached[second] += 1
          let start = max(now, isBusyUntil)
          let isServed = start - now < .milliseconds(500)
          isBusyUntil = start + (isServed ? work : work / 20)
          if isServed { counts.served[second] += 1 }
          throttle?.record(isServed ? .success : .failure)
        }
      }
    }
    (reached, served) = counts
  }

  /// Calls served a second, a mean of ten seconds.
  func goodput(from second: Int) -> Double {
    Double(served[second..<(second + 10)].reduce(0, +)) / 10
  }

  /// Calls a second in the last minute of the overload: those that reached the server, and those that it served.
  var atTheEnd: (reached: Double, served: Double) {
    let minute = (scenario.overloaded.upperBound - 60)..<scenario.overloaded.upperBound
    return (Double(reached[minute].reduce(0, +)) / 60, Double(served[minute].reduce(0, +)) / 60)
  }

  /// How long the overload had lasted when all that the server can do was done, but for a tenth: no mean of ten seconds is
  /// less from then on to its end.
  var settledAfter: Int? {
    let least = 0.9 * Double(scenario.overload.capacity)
    let starts = scenario.overloaded.lowerBound...(scenario.overloaded.upperBound - 10)
    let late = starts.last { goodput(from: $0) < least }.map { $0 + 1 } ?? starts.lowerBound
    return late > starts.upperBound ? nil : late - starts.lowerBound
  }

  /// How long the overload was over when every call was served again.
  var recoveredAfter: Int? {
    let end = scenario.overloaded.upperBound
    let late = (end..<scenario.length).last { served[$0] < scenario.well.load }.map { $0 + 1 } ?? end
    return late == scenario.length ? nil : late - end
  }
}
