extension RetrySchedule {
  /// How many waits are looked at one by one; later ones are taken for the last, or for the longest one at all.
  private var horizon: Int {
    guard case .list(let waits) = backoff else { return 10_000 }
    return max(10_000, waits.count)
  }

  /// The longest wait after a number of retries, before what a failure asks for.
  package func longestWait(afterRetries retries: Int) -> Duration {
    guard jitter == .decorrelated, backoff == .exponential else { return nominalWait(afterRetries: retries) }
    var longest = min(base, cap)
    var draws = 0
    while draws <= retries, longest > .zero, longest < cap {
      longest = min(cap, longest.saturatingMultiply(by: 3))
      draws += 1
    }
    return longest
  }

  /// The shortest wait after a number of retries.
  package func shortestWait(afterRetries retries: Int) -> Duration {
    switch jitter {
    case .none: nominalWait(afterRetries: retries)
    case .full: .zero
    case .equal: nominalWait(afterRetries: retries) / 2
    case .decorrelated: backoff == .exponential ? min(base, cap) : .zero
    }
  }

  /// The longest that all waits between so many attempts take together.
  ///
  /// - Parameter asked: the longest wait that a failure may ask for; with jitter it comes on top of the schedule's.
  package func longestWaits(between attempts: Int, asked: Duration = .zero) -> Duration {
    let waits = max(0, attempts - 1)
    let single = min(waits, horizon)
    var (sum, last) = (Duration.zero, Duration.zero)
    for retry in 0..<single {
      let own = longestWait(afterRetries: retry)
      last = jitter == .none ? max(own, asked) : own.saturatingAdd(asked)
      sum = sum.saturatingAdd(last)
    }
    guard waits > single else { return sum }
    let rest = longestWait(afterRetries: waits)
    last = jitter == .none ? max(rest, asked) : rest.saturatingAdd(asked)
    return sum.saturatingAdd(last.saturatingMultiply(by: waits - single))
  }

  /// How many attempts can begin before a deadline: no wait is started that would end at it.
  ///
  /// - Parameter deadline: the time for all of the call; nil for as long as it likes.
  package func attempts(within deadline: Duration?) -> Int {
    guard let deadline else { return maxAttempts }
    guard deadline > .zero else { return 0 }
    var (sum, attempts) = (Duration.zero, 1)
    while attempts < min(maxAttempts, horizon) {
      sum = sum.saturatingAdd(shortestWait(afterRetries: attempts - 1))
      guard sum < deadline else { return attempts }
      attempts += 1
    }
    guard attempts < maxAttempts else { return attempts }
    let wait = shortestWait(afterRetries: attempts - 1)
    guard wait > .zero else { return maxAttempts }
    let more = ((deadline - sum).clamped.attoseconds - 1) / wait.attoseconds
    return attempts.saturatingAdd(min(maxAttempts - attempts, Int(clamping: more)))
  }
}

extension RetrySchedule {
  /// The number of attempts and the waits between them, for people to read.
  package var text: String {
    let waits =
      switch backoff {
      case .exponential: "\(base.text) to \(cap.text)"
      case .linear: "\(base.text) more each time"
      case .constant: base.text
      case .list(let waits): waits.map(\.text).joined(separator: ", ")
      }
    return "\(maxAttempts) attempts, \(waits)"
  }
}
