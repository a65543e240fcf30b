/// How many tokens a bucket holds, and who waits for one, first come first served.
///
/// Pure: it knows no clock; instants are offsets on one clock. An instant before the latest one seen is taken for that one:
/// it adds no token and moves no time back. Whole numbers throughout: a token is as many parts as its period has
/// attoseconds, and each attosecond adds a part for each call of the period, so that nothing is ever rounded away.
package struct RateLimiterState<Waiter> {
  package typealias Ticket = WaitQueue<Waiter>.Ticket

  package enum Entry {
    case granted
    /// The time until the token is there, if nobody ahead leaves.
    case queued(Ticket, Waiter, wait: Duration)
    /// The time after which the same call would not be refused, if nobody else comes.
    case refused(Refusal, retryAfter: Duration)
  }

  package enum Refusal: String, Hashable, Sendable {
    case full
    case maxWait = "max_wait"
    case deadline
  }

  private let calls: Int128
  private let token: Int128
  private let capacity: Int128
  private let queueLimit: Int
  private let maxWait: Duration?
  private var level: Int128
  private var latest = Duration.zero - .longest
  private var queue = WaitQueue<Waiter>()
  /// Handed over, and not yet taken by those who waited.
  private var granted: Set<Ticket> = []

  package init(_ configuration: RateLimiter.Configuration) {
    calls = Int128(configuration.calls)
    token = configuration.per.attoseconds
    capacity = token * Int128(configuration.burst)
    queueLimit = configuration.queueLimit
    maxWait = configuration.maxWait
    level = capacity
  }

  package var waiting: Int { queue.count }

  /// When the first in the queue gets its token; nil when nobody waits.
  package var nextTurn: Duration? { queue.isEmpty ? nil : due(1) }

  /// How many calls may begin at an instant without waiting.
  package mutating func available(at now: Duration) -> Int {
    refill(to: now)
    return max(0, Int(level / token) - queue.count)
  }

  /// Takes a token that is there; false when none is, or when somebody waits for it.
  package mutating func takeAtOnce(at now: Duration) -> Bool {
    // What has come for those who wait is given to them by who wakes them.
    guard queue.isEmpty else { return false }
    refill(to: now)
    return takeToken()
  }

  /// Asks for a token.
  ///
  /// - Parameters:
  ///   - remaining: the time that the caller has; nil for any.
  ///   - waiter: who is to be woken, made only where it has to wait.
  ///   - woken: whoever gets a token now, to be woken outside the lock.
  package mutating func enter(
    at now: Duration, within remaining: Duration?, _ waiter: @autoclosure () -> Waiter,
    _ woken: inout [Waiter]
  ) -> Entry {
    settle(at: now, &woken)
    if let remaining, remaining <= .zero { return .refused(.deadline, retryAfter: .zero) }
    if takeToken() { return .granted }
    let wait = due(queue.count + 1) - latest
    let excess = maxWait.map { wait - $0 } ?? .zero
    guard queue.count < queueLimit else { return .refused(.full, retryAfter: max(due(1) - latest, excess)) }
    guard excess <= .zero else { return .refused(.maxWait, retryAfter: excess) }
    if let remaining, wait >= remaining { return .refused(.deadline, retryAfter: wait) }
    let waiter = waiter()
    return .queued(queue.append(waiter), waiter, wait: wait)
  }

  /// Gives the tokens that have come since to those who wait for them.
  package mutating func settle(at now: Duration, _ woken: inout [Waiter]) {
    refill(to: now)
    while level >= token, let (ticket, waiter) = queue.popFirst() {
      level -= token
      granted.insert(ticket)
      woken.append(waiter)
    }
  }

  /// Stops waiting; without effect when the token was handed over before.
  package mutating func withdraw(_ ticket: Ticket) {
    queue.remove(ticket)
  }

  /// Takes the token that was handed over; false when there is none.
  package mutating func claim(_ ticket: Ticket) -> Bool {
    granted.remove(ticket) != nil
  }

  /// Gives back a token with which no call was made.
  package mutating func giveBack(at now: Duration, _ woken: inout [Waiter]) {
    refill(to: now)
    level = min(capacity, level + token)
    settle(at: now, &woken)
  }

  private mutating func takeToken() -> Bool {
    guard level >= token else { return false }
    level -= token
    return true
  }

  private mutating func refill(to now: Duration) {
    // At a clock's end no time passes any more, and nobody is to wait for it.
    if now >= .longest { level = capacity }
    guard now > latest else { return }
    let (gained, overflow) = (now - latest).attoseconds.multipliedReportingOverflow(by: calls)
    latest = now
    // Whoever was idle for so long has a full bucket.
    level = overflow || gained >= capacity - level ? capacity : level + gained
  }

  /// When the bucket has held so many tokens more than were taken until now.
  private func due(_ tokens: Int) -> Duration {
    let (needed, overflow) = token.multipliedReportingOverflow(by: Int128(tokens))
    guard !overflow else { return .longest }
    guard needed > level else { return latest }
    // Rounded up: never early.
    return latest.saturatingAdd(Duration(attoseconds: (needed - level - 1) / calls + 1))
  }
}

extension RateLimiterState: Sendable where Waiter: Sendable {}

extension RateLimiterState: TurnState where Waiter == WakeUp {}

extension RateLimiterState.Entry: Sendable where Waiter: Sendable {}

extension RateLimiterState: Equatable where Waiter: Equatable {}

extension RateLimiterState: Hashable where Waiter: Hashable {}
