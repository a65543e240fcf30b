import Stoic

/// Who waits for a server's quotas, first come first served.
///
/// Pure: it knows no clock; instants are offsets on one clock, and one before the latest seen is taken for that one. A
/// request is let through to who is first; whoever comes while others wait is behind them. Who leaves lets those behind move
/// up, and what is given back goes to the first.
package struct QuotaQueue<Waiter> {
  package typealias Ticket = WaitQueue<Waiter>.Ticket

  package enum Entry {
    /// A request is reserved.
    case granted
    /// The time until its turn, if nobody ahead leaves and the server tells nothing new.
    case queued(Ticket, Waiter, wait: Duration)
    /// The time until its turn could come at the earliest.
    case refused(retryAfter: Duration)
  }

  fileprivate struct Member {
    let waiter: Waiter
    /// The last instant at which a turn is of use.
    let last: Duration
  }

  private let maxWait: Duration
  private var quotas: QuotaState
  private var queue = WaitQueue<Member>()
  /// Let through, and not told yet to those who waited.
  private var granted: Set<Ticket> = []
  private var latest = Duration.zero - .longest
  /// The next turn for which all who wait were looked at.
  private var reviewed: Duration?

  package init(maxWait: Duration) {
    self.maxWait = max(.zero, maxWait.clamped)
    quotas = QuotaState(maxWait: maxWait)
  }

  package var waiting: Int { queue.count }

  /// Whether a quota is known whose end is still to come.
  package func isKnown(at now: Duration) -> Bool { quotas.isKnown(at: now) }

  /// When the first in the queue may have its turn; nil when nobody waits.
  package var nextTurn: Duration? { queue.isEmpty ? nil : quotas.usedUpUntil ?? latest }

  /// Takes a request that is left; nil when it is taken, else the time until there may be one.
  package mutating func takeAtOnce(at now: Duration) -> Duration? {
    latest = max(latest, now)
    // What has come for those who wait is given to them by who wakes them.
    if queue.isEmpty, quotas.admit(at: latest) == .granted { return nil }
    return wait
  }

  /// Asks for a request.
  ///
  /// - Parameters:
  ///   - remaining: the time that the caller has; nil for any.
  ///   - waiter: who is to be woken, made only where it has to wait.
  ///   - woken: whoever is let through or has to leave, to be woken outside the lock.
  package mutating func enter(
    at now: Duration, within remaining: Duration?, _ waiter: @autoclosure () -> Waiter,
    _ woken: inout [Waiter]
  ) -> Entry {
    settle(at: now, &woken)
    if queue.isEmpty, quotas.admit(at: latest) == .granted { return .granted }
    let wait = wait
    guard wait <= maxWait, remaining.map({ wait < $0 }) ?? true else { return .refused(retryAfter: wait) }
    let waiter = waiter()
    // A deadline is too late, the longest wait is not.
    let time = min(maxWait, (remaining ?? .longest) - Duration(attoseconds: 1))
    return .queued(
      queue.append(Member(waiter: waiter, last: latest.saturatingAdd(time))), waiter, wait: wait)
  }

  /// Lets through who is first as far as the quotas have something left, and sends away whose turn would come too late.
  package mutating func settle(at now: Duration, _ woken: inout [Waiter]) {
    latest = max(latest, now)
    while !queue.isEmpty, quotas.admit(at: latest) == .granted, let (ticket, member) = queue.popFirst() {
      granted.insert(ticket)
      woken.append(member.waiter)
    }
    guard let next = nextTurn else { return reviewed = nil }
    guard reviewed.map({ next > $0 }) ?? true else { return }
    reviewed = next
    var forecast = forecast
    woken += queue.removeAll { member in
      guard forecast.turn <= member.last else { return true }
      forecast.take(1)
      return false
    }.map(\.waiter)
  }

  /// Stops waiting; without effect when the request was let through before.
  package mutating func withdraw(_ ticket: Ticket) { queue.remove(ticket) }

  /// Whether a request was let through to who waited; then it is reserved for it.
  package mutating func claim(_ ticket: Ticket) -> Bool { granted.remove(ticket) != nil }

  /// Sends a reserved request.
  package mutating func start() -> QuotaState.Ticket { quotas.start() }

  /// Takes the end of a request that was sent.
  package mutating func end(at now: Duration, _ woken: inout [Waiter]) {
    quotas.end()
    settle(at: now, &woken)
  }

  /// Gives back a reserved request.
  package mutating func giveBack(at now: Duration, _ woken: inout [Waiter]) {
    quotas.giveBack()
    settle(at: now, &woken)
  }

  /// Takes what the response to a request says.
  package mutating func report(
    _ entries: [QuotaReport.Entry], of ticket: QuotaState.Ticket, at now: Duration, _ woken: inout [Waiter]
  ) {
    latest = max(latest, now)
    quotas.report(entries, of: ticket, at: latest)
    settle(at: latest, &woken)
  }

  /// The time until somebody who comes now would have its turn.
  package var wait: Duration {
    var forecast = forecast
    forecast.take(queue.count)
    return forecast.turn - latest
  }

  private var forecast: QuotaState.Forecast {
    QuotaState.Forecast(quotas, from: latest, until: latest.saturatingAdd(maxWait))
  }
}

extension QuotaQueue: Sendable where Waiter: Sendable {}
extension QuotaQueue.Member: Sendable where Waiter: Sendable {}
extension QuotaQueue.Entry: Sendable where Waiter: Sendable {}

extension QuotaQueue: TurnState where Waiter == WakeUp {}

extension QuotaQueue: Equatable where Waiter: Equatable {}
extension QuotaQueue.Member: Equatable where Waiter: Equatable {}

extension QuotaQueue: Hashable where Waiter: Hashable {}
extension QuotaQueue.Member: Hashable where Waiter: Hashable {}
