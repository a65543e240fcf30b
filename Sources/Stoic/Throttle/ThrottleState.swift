/// What a throttle remembers: calls that were asked for, and those among them that were accepted, of a window of time.
///
/// Pure: it knows no clock and draws no numbers.
package struct ThrottleState: Hashable, Sendable {
  private let multiplier: Double
  private let maxRejection: Double
  /// So many calls in the window are the least rate.
  private let minimumRequests: Double
  private var window: SlidingWindow<ThrottleTally>

  package init(_ configuration: Throttle.Configuration) {
    multiplier = configuration.multiplier
    maxRejection = configuration.maxRejection
    minimumRequests = configuration.minimumRate * configuration.window.inSeconds
    window = SlidingWindow(length: configuration.window)
  }

  /// The calls of the window.
  package var tally: ThrottleTally { window.sum }

  /// The share of calls that is to be refused at an instant.
  package mutating func rejectionProbability(at now: Duration) -> Double {
    window.advance(to: now)
    let requests = Double(window.sum.requests)
    guard requests >= minimumRequests else { return 0 }
    let excess = requests - multiplier * Double(window.sum.accepts)
    return min(maxRejection, max(0, excess / (requests + 1)))
  }

  /// Whether a call may be made; one that may not is counted at once.
  ///
  /// - Parameter fraction: a random number in `0..<1`.
  /// - Returns: the share that is refused, where this call is.
  package mutating func refuse(at now: Duration, fraction: Double) -> Double? {
    let probability = rejectionProbability(at: now)
    guard fraction < probability else { return nil }
    window.add(ThrottleTally(requests: 1), at: now)
    return probability
  }

  /// Counts a call that was made.
  package mutating func record(isAccepted: Bool, at now: Duration) {
    window.add(ThrottleTally(requests: 1, accepts: isAccepted ? 1 : 0), at: now)
  }
}

/// Calls, and those among them that were accepted.
package struct ThrottleTally: AdditiveArithmetic, Hashable, Sendable {
  package var requests = 0
  package var accepts = 0

  package static let zero = ThrottleTally()

  package static func + (left: ThrottleTally, right: ThrottleTally) -> ThrottleTally {
    ThrottleTally(requests: left.requests + right.requests, accepts: left.accepts + right.accepts)
  }

  package static func - (left: ThrottleTally, right: ThrottleTally) -> ThrottleTally {
    ThrottleTally(requests: left.requests - right.requests, accepts: left.accepts - right.accepts)
  }
}
