/// How many calls may run at once, found out from how long they take.
///
/// Pure: it knows no clock; instants are offsets on one clock. Latencies are collected in windows; at the end of one the
/// limit changes, or stays as it is.
package struct AdaptiveLimitState: Hashable, Sendable {
  /// A change of the limit.
  package struct Change: Hashable, Sendable {
    package let limit: Int
    package let before: Int
    /// Which change it is, from 1.
    package let number: Int
    /// The mean latency that led to it.
    package let latency: Double
    package let cause: Cause
  }

  package enum Cause: String, Hashable, Sendable {
    /// It follows the latency.
    case latency
    /// It is lowered to see how fast calls are with little load.
    case measuring
    /// That is known, and it goes to where it belongs.
    case measured
  }

  /// A window at a limit.
  private struct Step: Hashable {
    let limit: Int
    let latency: LatencyMean

    /// How many calls end in a second, by Little's law.
    var rate: Double { Double(limit) / latency.value }
  }

  /// A measurement of the baseline: the limit is halved until calls get no faster, or the server has time to spare.
  private struct Measurement: Hashable {
    /// The limit before it.
    let limit: Double
    /// The latency at that limit; nil until a window has ended there.
    var latency: LatencyMean?
    /// The step before; nil at the first one.
    var last: Step?
    /// When the limit was first lowered; nil until then.
    var start: Duration?
  }

  private let configuration: AdaptiveBulkhead.Configuration
  private var random: SplitMix
  private var exact: Double
  private var changes = 0
  /// The greatest limit since the baseline was measured.
  private var peak: Double
  private var measurement: Measurement?
  private var measureAt = Duration.zero

  /// Calls that began before are not of this window.
  private var opened = Duration.zero - .longest
  /// When the first of those that are began.
  private var start = Duration.longest
  private var mean = LatencyMean()
  /// The longest of all successes that have ended in the window, whenever they began.
  private var longest = 0.0
  private var isReached = false
  private var least: LatencyMean?

  /// The seconds that a call takes with little load; nil before the first measurement.
  package var baseline: Double? { least?.value }

  package init(_ configuration: AdaptiveBulkhead.Configuration, seed: UInt64) {
    self.configuration = configuration
    random = SplitMix(seed: seed)
    let limits = configuration.limits
    exact = Double(min(max(configuration.initialLimit, limits.lowerBound), limits.upperBound))
    peak = exact
    measurement = Measurement(limit: exact)
  }

  /// The limit, in whole calls.
  package var limit: Int { Int(exact) }

  /// Whether the limit is lowered to measure the baseline.
  package var isMeasuring: Bool { measurement != nil }

  /// Takes the end of a call.
  ///
  /// - Parameters:
  ///   - outcome: what it says; nil where it says nothing.
  ///   - start: when it began.
  ///   - inUse: how many ran when it ended, itself among them.
  /// - Returns: the change of the limit; nil where it stays.
  package mutating func record(
    _ outcome: AdaptiveBulkhead.Outcome?, from start: Duration, to now: Duration, inUse: Int
  ) -> Change? {
    if inUse >= limit { isReached = true }
    let latency = max(0, (now - start).inSeconds)
    if outcome == .success { longest = max(longest, latency) }
    // What began under another limit tells about that one.
    guard let outcome, start >= opened else { return nil }
    switch outcome {
    case .success: mean.add(latency)
    case .overload:
      // It would have taken longer, and nobody knows how much: nothing to measure a baseline by.
      guard let baseline, measurement == nil else { return nil }
      mean.add(max(latency, 2 * baseline))
    }
    self.start = min(self.start, start)
    let elapsed = now - self.start
    guard mean.count >= configuration.samples, elapsed >= configuration.window else { return nil }
    guard elapsed.inSeconds >= 3 * mean.value, isKnown(after: elapsed.inSeconds) else { return nil }
    return endWindow(mean, at: now)
  }

  /// Whether there are latencies enough to go by.
  ///
  /// Chance moves their mean by no more than a twentieth, or they are many, or much too slow, whatever the mean is exactly.
  private func isKnown(after elapsed: Double) -> Bool {
    if let least, measurement == nil, mean.isAbove(least, times: 1.5 * configuration.tolerance) {
      return true
    }
    // In a window that is short beside its calls only the fast ones end.
    guard elapsed >= 2 * longest else { return false }
    // Few calls of which none happens to be long look as if they all took the same time.
    var guarded = mean
    guarded.add(longest)
    return guarded.error <= 0.05 * guarded.value || mean.count >= configuration.mostSamples
  }

  private mutating func endWindow(_ mean: LatencyMean, at now: Duration) -> Change? {
    let wasReached = isReached
    (opened, start, self.mean, longest, isReached) = (now, .longest, LatencyMean(), 0, false)
    if let measurement { return measure(measurement, mean, at: now) }
    // Who does not use what there is learns nothing about more of it.
    guard wasReached else { return nil }
    let isOutdone = least.map { $0.isAbove(mean, times: 1.25) } ?? true
    if now >= measureAt || exact <= peak / 2 || isOutdone {
      return step(Measurement(limit: exact), mean, at: now)
    }
    let gradient = gradient(mean)
    // A few more, so that there is a queue to be seen; more of them where there is no sign of one.
    let more = max(1, exact.squareRoot() / (gradient < 1 ? 2 : 1))
    return turn(to: exact * max(0.5, gradient) + more, mean, .latency)
  }

  private mutating func measure(
    _ measurement: Measurement, _ mean: LatencyMean, at now: Duration
  ) -> Change? {
    let here = Step(limit: limit, latency: mean)
    // Calls that get faster and as many as before have queued; where fewer end, the server waits for them by now.
    let hasQueued =
      measurement.last.map {
        mean.value < 0.9 * $0.latency.value && $0.latency.isAbove(mean, times: 1)
          && 3 * here.rate >= 2 * $0.rate
      } ?? true
    if hasQueued, limit > configuration.limits.lowerBound { return step(measurement, mean, at: now) }
    least = measurement.last.map { leastLatency($0.latency, mean) } ?? mean
    self.measurement = nil
    // While it measures a part of the server is idle, the longer the slower calls are: so at most a tenth of the time.
    let taken = measurement.start.map { (now - $0).clamped } ?? .zero
    let lifetime = max(configuration.baselineLifetime, (taken * 12).clamped)
    measureAt = now.saturatingAdd(lifetime - lifetime.scaled(by: 0.25 * random.fraction()))
    peak = 0
    return turn(to: measurement.limit * gradient(measurement.latency ?? mean), mean, .measured)
  }

  /// The smaller one of two means, or both together where they differ by chance: the smaller of those would be too small.
  private func leastLatency(_ one: LatencyMean, _ other: LatencyMean) -> LatencyMean {
    if one.isAbove(other, times: 1) { return other }
    return other.isAbove(one, times: 1) ? one : one.joined(other)
  }

  private mutating func step(_ measurement: Measurement, _ mean: LatencyMean, at now: Duration) -> Change? {
    var measurement = measurement
    measurement.start = measurement.start ?? now
    measurement.latency = measurement.latency ?? mean
    measurement.last = Step(limit: limit, latency: mean)
    self.measurement = measurement
    return turn(to: exact / 2, mean, .measuring)
  }

  /// What to multiply a limit by for a latency that calls have at it.
  ///
  /// By Little's law that leaves as many calls as are under way without those that queue at the server. What chance explains is
  /// no queue.
  private func gradient(_ mean: LatencyMean) -> Double {
    guard let least, mean.isAbove(least, times: configuration.tolerance) else { return 1 }
    return configuration.tolerance * least.value / mean.value
  }

  private mutating func turn(to limit: Double, _ mean: LatencyMean, _ cause: Cause) -> Change? {
    let before = self.limit
    let limits = configuration.limits
    exact = min(max(limit, Double(limits.lowerBound)), Double(limits.upperBound))
    if measurement == nil { peak = max(peak, exact) }
    guard self.limit != before else { return nil }
    changes += 1
    return Change(limit: self.limit, before: before, number: changes, latency: mean.value, cause: cause)
  }
}
