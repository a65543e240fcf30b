import Stoic
import StoicTesting
import Testing

@Suite("Rate limiter")
struct RateLimiterTests {
  @Test("Calls begin at once as long as there are tokens, then at the rate, in the order in which they came")
  func pace() throws {
    try simulate(seeds: 0..<100) {
      let limiter = RateLimiter(RateLimiter.Configuration(calls: 4, per: .seconds(1), burst: 3))
      let begun = Served()
      let order = Served()
      var calls: [Task<Void, any Error>] = []
      for number in 0..<10 {
        calls.append(
          Ambient.task {
            try await limiter.run {
              begun.add(Int(milliseconds))
              order.add(number)
            }
          })
        try await settle()
      }
      #expect(limiter.waiting == 7)
      for call in calls { try await call.value }
      #expect(begun.all == [0, 0, 0, 250, 500, 750, 1_000, 1_250, 1_500, 1_750])
      #expect(order.all == Array(0..<10))
      #expect(limiter.waiting == 0 && limiter.available == 0)
    }
  }
}
