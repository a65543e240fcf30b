import Stoic

/// A rate limiter by virtual scheduling (ITU-T I.371): all it knows is when the bucket will be full again.
///
/// Instants are whole nanoseconds, of which each has as many parts as a period has calls; a token comes every `per` parts.
struct RateLimiterModel: Hashable {
  struct Waiter: Hashable {
    var ticket: UInt64
    var name: Int
  }

  enum Answer: Hashable {
    case granted
    case queued(wait: Duration)
    case refused(RateLimiterState<Int>.Refusal, retryAfter: Duration)
  }

  let calls: Int
  let per: Int
  let burst: Int
  let queueLimit: Int
  let maxWait: Int?

  /// In parts.
  var fullAgain = 0
  /// The latest instant seen.
  var latest = 0
  var waiting: [Waiter] = []
  var handed: [UInt64] = []

  private var now: Int { latest * calls }
  private var hasToken: Bool { fullAgain - now <= (burst - 1) * per }
  var available: Int { max(0, (burst * per - max(0, fullAgain - now)) / per - waiting.count) }

  private mutating func take() { fullAgain = max(fullAgain, now) + per }

  /// The instant of the token after so many others.
  func due(after others: Int) -> Duration {
    let parts = max(fullAgain, now) + (others - burst + 1) * per
    let attoseconds = max(parts, now) * 1_000_000_000
    return Duration(attoseconds: Int128((attoseconds + calls - 1) / calls))
  }

  mutating func move(to instant: Int) -> [Int] {
    latest = max(latest, instant)
    var woken: [Int] = []
    while hasToken, !waiting.isEmpty {
      take()
      let first = waiting.removeFirst()
      handed.append(first.ticket)
      woken.append(first.name)
    }
    return woken
  }

  mutating func takeAtOnce(at instant: Int) -> Bool {
    guard waiting.isEmpty else { return false }
    latest = max(latest, instant)
    guard hasToken else { return false }
    take()
    return true
  }

  /// A token with which no call was made; who gets it.
  mutating func giveBack(at instant: Int) -> [Int] {
    latest = max(latest, instant)
    fullAgain -= per
    return move(to: instant)
  }

  /// What becomes of a call; whoever is queued is added by the caller, who knows the ticket.
  mutating func ask(at instant: Int, within remaining: Int?) -> Answer {
    if let remaining, remaining <= 0 { return .refused(.deadline, retryAfter: .zero) }
    if takeAtOnce(at: instant) { return .granted }
    let wait = due(after: waiting.count) - .nanoseconds(latest)
    let tooLong = maxWait.map { wait - .nanoseconds($0) } ?? .zero
    if waiting.count >= queueLimit {
      return .refused(.full, retryAfter: max(tooLong, due(after: 0) - .nanoseconds(latest)))
    }
    if tooLong > .zero { return .refused(.maxWait, retryAfter: tooLong) }
    if let remaining, wait >= .nanoseconds(remaining) { return .refused(.deadline, retryAfter: wait) }
    return .queued(wait: wait)
  }
}
