import Stoic
import Testing

@Suite("The mean of latencies")
struct LatencyMeanTests {
  private static func mean(of latencies: [Double]) -> LatencyMean {
    var mean = LatencyMean()
    for latency in latencies { mean.add(latency) }
    return mean
  }

  private static func isClose(_ one: Double, _ other: Double) -> Bool {
    abs(one - other) <= 1e-9 * abs(other)
  }

  @Test("Mean and standard error are those of the list, and of both lists where two are joined")
  func lists() {
    var random = SplitMix(seed: 1)
    for count in 2..<40 {
      let list = (0..<count).map { _ in 0.01 + 9 * random.fraction() }
      let average = list.reduce(0, +) / Double(count)
      let squares = list.reduce(0) { $0 + ($1 - average) * ($1 - average) }
      let error = (squares / Double(count - 1) / Double(count)).squareRoot()
      for split in [0, 1, count / 2, count] {
        let mean = Self.mean(of: Array(list[..<split])).joined(Self.mean(of: Array(list[split...])))
        #expect(mean.count == count && Self.isClose(mean.value, average) && Self.isClose(mean.error, error))
      }
    }
  }

  @Test("Of what is all the same the error is exactly zero, and of a single latency or none as well")
  func constant() {
    for count in [0, 1, 2, 50, 1_000] {
      let mean = Self.mean(of: Array(repeating: 0.1, count: count))
      #expect(mean.error == 0 && mean.value == (count > 0 ? 0.1 : 0))
    }
  }

  @Test("A mean is above another one by more than two standard errors of the difference")
  func above() {
    // Mean 3, error 1.
    let wide = Self.mean(of: [2, 4])
    #expect(wide.isAbove(Self.mean(of: [0.99, 0.99]), times: 1))
    #expect(!wide.isAbove(Self.mean(of: [1.01, 1.01]), times: 1))
    #expect(!wide.isAbove(Self.mean(of: [0.99, 0.99]), times: 1.1))
    // Errors add up as squares do: 2.83 in place of 2.
    #expect(!wide.isAbove(Self.mean(of: [-0.8, 1.2]), times: 1))
    #expect(wide.isAbove(Self.mean(of: [-0.9, 1.1]), times: 1))
  }
}
