import Stoic

/// An adaptive limit by lists and ifs: two calls to a window of ten nanoseconds, limits from 1 to 6, no tolerance.
struct AdaptiveLimitModel: Hashable {
  static let window = 10
  static let lifetime = 100

  enum Phase: Hashable {
    case steady
    /// The limit before it, the latencies of its windows so far, and the one with which it began.
    case measuring(limit: Double, latencies: [Double])
  }

  /// The latencies of the window, and when the calls began.
  var latencies: [Double] = []
  var starts: [Int] = []
  /// When the window before it ended.
  var end: Int?
  var wasFull = false
  var limit: Double
  var peak: Double
  var baseline: Double?
  var phase: Phase
  var measureAt = 0
  var random = SplitMix(seed: 1)
  /// How often the whole number changed, and why the last time.
  var changes: [AdaptiveLimitState.Cause] = []
  var count = 0

  init(limit: Int) {
    self.limit = Double(limit)
    peak = self.limit
    phase = .measuring(limit: self.limit, latencies: [])
  }

  var calls: Int { Int(limit.rounded(.down)) }

  mutating func record(_ outcome: AdaptiveBulkhead.Outcome?, from start: Int, to now: Int, inUse: Int) {
    changes = []
    wasFull = wasFull || inUse >= calls
    let latency = Double(now - start) / 1e9
    if let end, start < end { return }
    switch (outcome, phase) {
    case (nil, _): return
    case (.success, _): latencies.append(latency)
    case (.overload, .measuring): return
    case (.overload, .steady): latencies.append(max(latency, 2 * (baseline ?? 0)))
    }
    starts.append(start)
    let mean = latencies.reduce(0, +) / Double(latencies.count)
    let length = now - (starts.min() ?? now)
    if latencies.count < 2 || length < Self.window || Double(length) / 1e9 < 3 * mean { return }
    let full = wasFull
    (latencies, starts, end, wasFull) = ([], [], now, false)
    switch phase {
    case .measuring(let before, let earlier): measure(before, earlier + [mean], at: now)
    case .steady:
      if !full { return }
      let known = baseline ?? 0
      if measureAt <= now || limit <= peak / 2 || mean < 0.8 * known {
        phase = .measuring(limit: limit, latencies: [mean])
        go(to: limit / 2, .measuring)
      } else if mean > known {
        go(to: limit * max(0.5, known / mean) + max(1, limit.squareRoot() / 2), .latency)
      } else {
        go(to: limit + max(1, limit.squareRoot()), .latency)
      }
    }
  }

  private mutating func measure(_ before: Double, _ latencies: [Double], at now: Int) {
    let (first, last) = (latencies[0], latencies[latencies.count - 1])
    let earlier = latencies.dropLast().last
    let isFaster = earlier.map { last < 0.9 * $0 } ?? true
    if isFaster, calls > 1 {
      phase = .measuring(limit: before, latencies: latencies)
      return go(to: limit / 2, .measuring)
    }
    let baseline = min(last, earlier ?? last)
    self.baseline = baseline
    phase = .steady
    peak = 0
    let lifetime = Duration.nanoseconds(Self.lifetime)
    let taken = lifetime.scaled(by: 0.25 * random.fraction())
    measureAt = Int((.nanoseconds(now) + lifetime - taken) / .nanoseconds(1)) + 1
    go(to: first <= baseline ? before : before * (baseline / first), .measured)
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
