import Stoic

/// What is left of the quotas of one server, as far as it is known.
///
/// Pure: it knows no clock. Instants are offsets on one clock.
package struct QuotaState: Hashable, Sendable {
  /// A request that was let through, by its number.
  package struct Ticket: Hashable, Sendable {
    fileprivate let number: Int
  }

  package enum Admission: Hashable, Sendable {
    case granted(Ticket)
    /// Nothing is left until an instant.
    case wait(until: Duration)
  }

  private struct Quota: Hashable {
    var left: Int
    var reset: Duration
    var limit: Int?
    var window: Duration?
    /// Whether the server told a later instant than it is believed.
    var isCut: Bool
    /// The request whose response was the last to tell.
    var told: Int
  }

  /// How many quotas of a server are kept.
  static let limit = 8

  private let maxWait: Duration
  private var quotas: [String: Quota] = [:]
  private var sent = 0

  package init(maxWait: Duration) {
    self.maxWait = max(.zero, maxWait.clamped)
  }

  /// Asks for a request of every quota.
  package mutating func admit(at now: Duration) -> Admission {
    renew(at: now)
    if let until = quotas.values.filter({ $0.left <= 0 }).map(\.reset).max() { return .wait(until: until) }
    for name in quotas.keys { quotas[name]?.left -= 1 }
    sent = sent.saturatingAdd(1)
    return .granted(Ticket(number: sent))
  }

  /// Gives back a request that was not sent.
  package mutating func giveBack(_ ticket: Ticket) {
    for (name, quota) in quotas where quota.told < ticket.number && quota.left < quota.limit ?? .max {
      quotas[name]?.left += 1
    }
  }

  /// Takes what the response to a request says.
  ///
  /// What an older request's response says is out of date. Requests that were sent after this one are taken for not counted
  /// yet.
  package mutating func report(_ entries: [QuotaReport.Entry], of ticket: Ticket, at now: Duration) {
    renew(at: now)
    for entry in entries where entry.remaining >= 0 {
      let known = quotas[entry.name]
      guard known != nil || quotas.count < Self.limit, ticket.number > known?.told ?? 0 else { continue }
      let window = entry.window ?? known?.window
      guard let told = entry.reset ?? known.map({ $0.reset - now }) ?? window, told > .zero else {
        quotas[entry.name] = nil
        continue
      }
      quotas[entry.name] = Quota(
        left: max(0, entry.remaining - (sent - ticket.number)), reset: now.saturatingAdd(min(told, maxWait)),
        limit: entry.limit ?? known?.limit, window: window, isCut: told > maxWait, told: ticket.number)
    }
  }

  /// Begins the next window of the quotas whose instant has come; forgets those of which nothing is known from then on.
  private mutating func renew(at now: Duration) {
    for (name, quota) in quotas where quota.reset <= now {
      if quota.isCut {
        // The server said later: one request asks again.
        quotas[name]?.left = 1
        quotas[name]?.reset = now.saturatingAdd(maxWait)
      } else if let limit = quota.limit, let window = quota.window, limit > 0, window > .zero {
        quotas[name]?.left = limit
        quotas[name]?.reset = now.saturatingAdd(min(window, maxWait))
        quotas[name]?.isCut = window > maxWait
      } else {
        quotas[name] = nil
      }
    }
  }
}
