import Stoic
import StoicTesting
import Testing

@Suite("Numbers of a breaker")
struct BreakerNumbersTests {
  @Test("Any numbers, each on its own and set one by one, give a breaker that refuses or lets through")
  func hostileFields() throws {
    try simulate(seeds: 0..<1_000) {
      func draw<Value>(_ values: [Value]) -> Value {
        values[Int(Ambient.random.next() % UInt64(values.count))]
      }
      let numbers = [Double.nan, -.infinity, -1, 0, .leastNonzeroMagnitude, 0.5, 1, 1e300, .infinity]
      let counts = [Int.min, -1, 0, 1, 2, .max]
      var numbered = CircuitBreaker.Configuration()
      numbered.failureRatio = draw(numbers)
      numbered.slowCallRatio = draw(numbers)
      numbered.growth = draw(numbers)
      numbered.openJitter = draw(numbers)
      numbered.minimumCalls = draw(counts)
      numbered.lastCalls = draw(counts)
      numbered.probes = draw(counts)
      numbered.successesToClose = draw(counts)
      numbered.window = draw(hostileDurations)
      numbered.slowCallDuration = draw(hostileDurations)
      numbered.openFor = draw(hostileDurations)
      numbered.maxOpenFor = draw(hostileDurations)
      numbered.probeTimeout = draw(hostileDurations)
      let breaker = CircuitBreaker(numbered)
      for number in 0..<6 {
        let ending = await word {
          try await breaker.run {
            if number % 2 == 0 { throw Fault() }
          }
        }
        #expect(["fault", "breaker_open"].contains(ending) || number % 2 == 1)
        try await Ambient.sleep(
          for: draw([.zero, .nanoseconds(1), .seconds(1), .seconds(600), .seconds(Int64.max)]))
      }
      _ = (breaker.state, breaker.description)
    }
  }
}
