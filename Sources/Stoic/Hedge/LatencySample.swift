/// The last latencies, kept in order, so that a quantile of them is one look.
///
/// Pure. A latency costs a search and a move within a small array.
package struct LatencySample: Hashable, Sendable {
  private let capacity: Int
  private let minimum: Int
  /// In the order in which they came; the oldest is at `oldest` once there are as many as fit.
  private var arrivals: [Duration] = []
  private var oldest = 0
  private var sorted: [Duration] = []

  /// - Parameters:
  ///   - capacity: how many are kept; at least `minimum`.
  ///   - minimum: how many there have to be for a quantile; at least 1.
  package init(capacity: Int, minimum: Int) {
    self.minimum = max(1, minimum)
    self.capacity = max(self.minimum, capacity)
  }

  /// How many are kept now.
  package var count: Int { sorted.count }

  /// Adds a latency, in the place of the oldest one where there is no other.
  package mutating func add(_ latency: Duration) {
    if arrivals.count < capacity {
      arrivals.append(latency)
    } else {
      sorted.remove(at: place(of: arrivals[oldest]))
      arrivals[oldest] = latency
      oldest = (oldest + 1) % capacity
    }
    sorted.insert(latency, at: place(of: latency))
  }

  /// The least latency that a share of all do not exceed; nil while there are too few.
  ///
  /// - Parameter share: from 0 to 1.
  package func quantile(_ share: Double) -> Duration? {
    guard sorted.count >= minimum else { return nil }
    let rank = Int((share * Double(sorted.count)).rounded(.up))
    return sorted[min(max(rank, 1), sorted.count) - 1]
  }

  /// The place of the first one that is not less.
  private func place(of latency: Duration) -> Int {
    var (low, high) = (0, sorted.count)
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < latency { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
