/// The mean of latencies that were seen, and how far off it may be by chance.
///
/// Pure. Of latencies that are all the same the error is exactly zero. (Welford, Technometrics, 1962.)
package struct LatencyMean: Hashable, Sendable {
  private var squares = 0.0

  /// How many were seen.
  package private(set) var count = 0
  /// Their mean, in seconds; 0 where there is none.
  package private(set) var value = 0.0

  package init() {}

  package mutating func add(_ latency: Double) {
    count += 1
    let distance = latency - value
    value += distance / Double(count)
    squares += distance * (latency - value)
  }

  /// The standard error of the mean; 0 for a single latency, of whose spread nothing is known.
  package var error: Double {
    guard count > 1 else { return 0 }
    return (squares / Double(count - 1) / Double(count)).squareRoot()
  }

  /// The mean of both samples together.
  package func joined(_ other: LatencyMean) -> LatencyMean {
    var joined = self
    joined.count += other.count
    guard joined.count > 0 else { return self }
    let distance = other.value - value
    let share = Double(other.count) / Double(joined.count)
    joined.value += distance * share
    joined.squares += other.squares + distance * distance * Double(count) * share
    return joined
  }

  /// Whether this is above so many times another mean, by more than chance explains: by two standard errors of the difference.
  package func isAbove(_ other: LatencyMean, times factor: Double) -> Bool {
    let other = (value: factor * other.value, error: factor * other.error)
    return value - other.value > 2 * (error * error + other.error * other.error).squareRoot()
  }
}
