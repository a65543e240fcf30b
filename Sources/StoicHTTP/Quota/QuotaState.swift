import Stoic

/// What is left of the quotas of one server, as far as it is known.
///
/// Pure: it knows no clock. Instants are offsets on one clock. A request is reserved first, and then either sent or given back;
/// what is reserved is taken off everything that the server says is left.
package struct QuotaState: Hashable, Sendable {
  /// A request that was sent, by its number.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  package enum Admission: Hashable, Sendable {
    /// A request is reserved: ``start()`` or ``giveBack()`` has to follow.
    case granted
    /// Nothing is left until an instant.
    case wait(until: Duration)
  }

  private struct Quota: Hashable {
    /// Below zero where more is under way than the server says is left.
    var left: Int
    /// When there is more, as the server says.
    var end: Duration
    /// When the server is asked again, at ``end`` or before.
    var reset: Duration
    var limit: Int?
    var window: Duration?
    /// The request whose response was the last to tell.
    var told: Int
    /// Requests that were sent after that one and before it told: the server may have counted them already.
    var doubtful: Int
    /// The last request that was sent before one was let through to ask again; nil while none is.
    var asksAfter: Int?
  }

  /// How many quotas of a server are kept.
  static let limit = 8

  private let maxWait: Duration
  private var quotas: [String: Quota] = [:]
  private var sent = 0
  private var ended = 0
  private var reserved = 0

  package init(maxWait: Duration) {
    self.maxWait = max(.zero, maxWait.clamped)
  }

  /// Asks for a request of every quota.
  package mutating func admit(at now: Duration) -> Admission {
    renew(at: now)
    // Where a server is believed for no time, and where a clock stands at its end, there is nothing to wait for.
    if let until = usedUpUntil, until > now { return .wait(until: until) }
    take(1)
    reserved = reserved.saturatingAdd(1)
    return .granted
  }

  /// When all quotas that have nothing left have been renewed, or their server is asked again; nil where each has some.
  package var usedUpUntil: Duration? {
    var latest: Duration?
    for quota in quotas.values where quota.left <= 0 { latest = max(latest ?? quota.reset, quota.reset) }
    return latest
  }

  /// Whether there is a quota whose end is still to come.
  package func isKnown(at now: Duration) -> Bool { quotas.values.contains { $0.end > now } }

  private mutating func take(_ count: Int) {
    for name in quotas.keys { quotas[name]?.left -= count }
  }

  /// Sends a reserved request.
  package mutating func start() -> Ticket {
    reserved = max(0, reserved - 1)
    sent = sent.saturatingAdd(1)
    return Ticket(number: sent)
  }

  /// Takes the end of a request that was sent, whatever came of it.
  ///
  /// Once nothing is under way no answer can tell any more what became of those that were taken off though the server may have
  /// counted them: where they alone make a quota used up, a single request asks again.
  package mutating func end() {
    ended = min(sent, ended + 1)
    askAgain()
  }

  private mutating func askAgain() {
    guard ended == sent, reserved == 0 else { return }
    for (name, var quota) in quotas where quota.left <= 0 && quota.left + quota.doubtful > 0 {
      (quota.left, quota.doubtful, quota.asksAfter) = (1, 0, sent)
      quotas[name] = quota
    }
  }

  /// Gives back a reserved request.
  package mutating func giveBack() {
    reserved = max(0, reserved - 1)
    for name in quotas.keys { quotas[name]?.left += 1 }
    askAgain()
  }

  /// Takes what the response to a request says.
  ///
  /// What an older request's response says is out of date. Requests that were sent after this one are taken for not counted
  /// yet. A quota that was asked for again and is not told any more is forgotten.
  package mutating func report(_ entries: [QuotaReport.Entry], of ticket: Ticket, at now: Duration) {
    renew(at: now)
    let underWay = sent - ticket.number + reserved
    for entry in entries where entry.remaining >= 0 {
      let known = quotas[entry.name]
      guard known != nil || quotas.count < Self.limit, ticket.number >= known?.told ?? 0 else { continue }
      let window = entry.window ?? known?.window
      guard let told = entry.reset ?? known.map({ $0.end - now }) ?? window, told > .zero else {
        quotas[entry.name] = nil
        continue
      }
      quotas[entry.name] = Quota(
        left: entry.remaining - underWay, end: now.saturatingAdd(told),
        reset: now.saturatingAdd(min(told, maxWait)), limit: entry.limit ?? known?.limit, window: window,
        told: ticket.number, doubtful: sent - ticket.number)
    }
    for (name, quota) in quotas where ticket.number > quota.asksAfter ?? .max { quotas[name] = nil }
  }

  /// Begins the next window of the quotas whose instant has come; forgets those of which nothing is known from then on.
  private mutating func renew(at now: Duration) {
    for (name, quota) in quotas where quota.reset <= now {
      var quota = quota
      if quota.end > now {
        // The server said later than it is believed: where nothing is left, one request asks again, be it a reserved one.
        if quota.left <= 0 {
          (quota.left, quota.doubtful, quota.asksAfter) = (1 - reserved, 0, sent)
        }
      } else if let limit = quota.limit, let window = quota.window, limit > 0, window > .zero {
        (quota.left, quota.doubtful) = (limit - reserved, 0)
        quota.end = now.saturatingAdd(window)
        quota.asksAfter = nil
      } else {
        quotas[name] = nil
        continue
      }
      quota.reset = min(quota.end, now.saturatingAdd(maxWait))
      quotas[name] = quota
    }
  }
}

extension QuotaState {
  /// When the requests of those who come one after the other are let through, if what is reserved is sent and the server tells
  /// nothing new.
  package struct Forecast {
    private var state: QuotaState
    private let end: Duration
    /// The turn of the next one.
    package private(set) var turn: Duration

    /// Looks ahead until an instant, and no further: the first turn after it is the earliest that may be, no more.
    package init(_ state: QuotaState, from now: Duration, until end: Duration) {
      self.state = state
      self.state.reserved = 0
      self.end = end
      turn = now
      look()
    }

    /// Takes the turns of so many.
    package mutating func take(_ count: Int) {
      var count = count
      while count > 0, turn <= end {
        let share = min(count, state.quotas.values.map(\.left).min() ?? count)
        state.take(share)
        count -= share
        look()
      }
    }

    private mutating func look() {
      state.renew(at: turn)
      while turn <= end, let next = state.usedUpUntil {
        turn = next
        state.renew(at: turn)
      }
    }
  }
}
