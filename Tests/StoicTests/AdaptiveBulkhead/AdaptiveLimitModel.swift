import Stoic

/// An adaptive limit by lists and ifs: two calls to a window of ten nanoseconds, or up to so many where they differ, limits from
/// 1 to 6, no tolerance.
///
/// What chance explains is asked of ``LatencyMean``, which has tests of its own.
struct AdaptiveLimitModel: Hashable {
  static let window = 10
  static let lifetime = 200

  enum Phase: Hashable {
    case steady
    /// The limit before it, its first window and its last one so far, and when the first lowered limit began.
    case measuring(limit: Double, first: Window?, last: Window?, since: Int?)
  }

  struct Window: Hashable {
    var calls: Int
    var latency: LatencyMean

    /// So many calls end as one would think of that many places and that latency.
    var ended: Double { Double(calls) / latency.value }
  }

  /// How many calls are waited for at most.
  let most: Int
  /// The latencies of the window, and when the calls began.
  var latencies: [Double] = []
  var starts: [Int] = []
  /// The longest of all successes in it, those that began before among them.
  var longest = 0.0
  /// When the window before it ended.
  var end: Int?
  var wasFull = false
  var limit: Double
  var peak: Double
  var least: LatencyMean?
  var phase: Phase
  var measureAt = 0
  var random = SplitMix(seed: 1)
  /// How often the whole number changed, and why the last time.
  var changes: [AdaptiveLimitState.Cause] = []
  var count = 0

  var baseline: Double? { least?.value }

  init(limit: Int, most: Int) {
    self.most = most
    self.limit = Double(limit)
    peak = self.limit
    phase = .measuring(limit: self.limit, first: nil, last: nil, since: nil)
  }

  var calls: Int { Int(limit.rounded(.down)) }

  mutating func record(_ outcome: AdaptiveBulkhead.Outcome?, from start: Int, to now: Int, inUse: Int) {
    changes = []
    wasFull = wasFull || inUse >= calls
    let latency = Double(now - start) / 1e9
    if outcome == .success, latency > longest { longest = latency }
    if let end, start < end { return }
    switch (outcome, phase) {
    case (nil, _): return
    case (.success, _): latencies.append(latency)
    case (.overload, .measuring): return
    case (.overload, .steady): latencies.append(max(latency, 2 * (baseline ?? 0)))
    }
    starts.append(start)
    var mean = LatencyMean()
    for latency in latencies { mean.add(latency) }
    let length = now - (starts.min() ?? now)
    if latencies.count < 2 || length < Self.window || Double(length) / 1e9 < 3 * mean.value { return }
    let isSlow = phase == .steady && least.map { mean.isAbove($0, times: 1.5) } ?? false
    var guarded = mean
    guarded.add(longest)
    let isShort = Double(length) / 1e9 < 2 * longest
    if !isSlow, isShort || (latencies.count < most && guarded.error > guarded.value * 0.05) { return }
    let full = wasFull
    (latencies, starts, end, wasFull, longest) = ([], [], now, false, 0)
    let window = Window(calls: calls, latency: mean)
    switch phase {
    case .measuring(let before, let first, let last, let since):
      measure(before, first ?? window, last, window, since: since, at: now)
    case .steady:
      if !full { return }
      let isFaster = least.map { $0.isAbove(mean, times: 1.25) } ?? true
      if measureAt <= now || limit <= peak / 2 || isFaster {
        phase = .measuring(limit: limit, first: window, last: window, since: now)
        go(to: limit / 2, .measuring)
      } else if let least, mean.isAbove(least, times: 1) {
        go(to: limit * max(0.5, least.value / mean.value) + max(1, limit.squareRoot() / 2), .latency)
      } else {
        go(to: limit + max(1, limit.squareRoot()), .latency)
      }
    }
  }

  private mutating func measure(
    _ before: Double, _ first: Window, _ last: Window?, _ window: Window, since: Int?, at now: Int
  ) {
    let isFaster =
      last.map {
        window.latency.value < 0.9 * $0.latency.value && $0.latency.isAbove(window.latency, times: 1)
      }
      ?? true
    let isIdle = last.map { 3 * window.ended < 2 * $0.ended } ?? false
    if isFaster, !isIdle, calls > 1 {
      phase = .measuring(limit: before, first: first, last: window, since: since ?? now)
      return go(to: limit / 2, .measuring)
    }
    var baseline = window.latency
    if let last, !last.latency.isAbove(baseline, times: 1) {
      baseline = baseline.isAbove(last.latency, times: 1) ? last.latency : last.latency.joined(baseline)
    }
    least = baseline
    phase = .steady
    peak = 0
    // Twelve times as long as it took, where that is longer.
    let lifetime = Duration.nanoseconds(max(Self.lifetime, 12 * (now - (since ?? now))))
    let taken = lifetime.scaled(by: 0.25 * random.fraction())
    measureAt = Int((.nanoseconds(now) + lifetime - taken) / .nanoseconds(1)) + 1
    let share = first.latency.isAbove(baseline, times: 1) ? baseline.value / first.latency.value : 1
    go(to: before * share, .measured)
  }

  private mutating func go(to next: Double, _ cause: AdaptiveLimitState.Cause) {
    let before = calls
    limit = max(1, min(6, next))
    if phase == .steady { peak = max(peak, limit) }
    if calls != before {
      changes = [cause]
      count += 1
    }
  }
}
