import Stoic

/// The hosts that a client knows, a bounded number of them.
///
/// Beyond ``limit`` those used longest ago are forgotten, but never one with a call in it: its permits would be handed out
/// twice. One whose breaker is open is only forgotten beyond ``hardLimit``.
final class HostRegistry: Sendable {
  static let limit = 256
  static let hardLimit = 4_096

  private struct Entry {
    let host: Host
    var calls = 0
    var lastUse = 0
  }

  private struct State {
    var entries: [HostKey: Entry] = [:]
    var uses = 0
  }

  private let state = Lock(State())
  private let policy: HTTPPolicy
  private let label: String

  init(_ policy: HTTPPolicy, label: String) {
    self.policy = policy
    self.label = label
  }

  /// How many hosts are known.
  var count: Int { state.withLock { $0.entries.count } }

  /// The state of an origin's host, which is kept at least until it is given back.
  func take(_ origin: Origin) -> Host {
    if let known = use(origin.hostKey, orAdd: nil) { return known }
    // Made outside the lock, since it draws a random number.
    let host = Host(policy, label: "\(label) \(origin.authority)")
    return use(origin.hostKey, orAdd: host) ?? host
  }

  private func use(_ key: HostKey, orAdd new: Host?) -> Host? {
    state.withLock { state in
      if let new, state.entries[key] == nil { state.entries[key] = Entry(host: new) }
      guard let place = state.entries.index(forKey: key) else { return nil }
      state.uses += 1
      state.entries.values[place].calls += 1
      state.entries.values[place].lastUse = state.uses
      return state.entries.values[place].host
    }
  }

  /// Ends the use of a host, and forgets what is beyond the limits.
  func giveBack(_ origin: Origin) {
    let key = origin.hostKey
    let (idle, surplus) = state.withLock { state in
      if let place = state.entries.index(forKey: key) { state.entries.values[place].calls -= 1 }
      let surplus = state.entries.count - Self.limit
      guard surplus > 0 else { return ([(key: HostKey, value: Entry)](), 0) }
      return (
        state.entries.filter { $0.value.calls == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }, surplus
      )
    }
    guard surplus > 0 else { return }
    // Whether a breaker is open depends on its clock, which is not to be read under the lock.
    let isOpen = idle.map { $0.value.host.refusedFor > .zero }
    let closed = zip(idle, isOpen).filter { !$0.1 }.map(\.0.key).prefix(surplus)
    let open = zip(idle, isOpen).filter(\.1).map(\.0.key)
      .prefix(max(0, surplus - closed.count - (Self.hardLimit - Self.limit)))
    state.withLock { state in
      // A call may have come to one of them meanwhile.
      for key in closed + open where state.entries[key]?.calls == 0 { state.entries[key] = nil }
    }
  }
}
