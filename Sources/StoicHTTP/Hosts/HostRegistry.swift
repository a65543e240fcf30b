import Stoic

/// The hosts that a client knows, a bounded number of them.
///
/// Beyond ``limit`` those used longest ago are forgotten, but never one with a call in it: its permits would be handed out
/// twice. One whose breaker is open is only forgotten beyond ``hardLimit``.
final class HostRegistry: Sendable {
  static let limit = 256
  static let hardLimit = 4_096

  private struct State {
    var hosts: [HostKey: Host] = [:]
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
  var count: Int { state.withLock { $0.hosts.count } }

  /// The state of an origin's host, which is kept at least until it is given back.
  func take(_ origin: Origin) -> Host {
    if let known = use(origin.hostKey, orAdd: nil) { return known }
    // Made outside the lock, since it draws a random number.
    let host = Host(policy, label: "\(label) \(origin.authority)")
    return use(origin.hostKey, orAdd: host) ?? host
  }

  private func use(_ key: HostKey, orAdd new: Host?) -> Host? {
    state.withLock { state in
      var host = state.hosts[key]
      if host == nil, let new {
        state.hosts[key] = new
        host = new
      }
      state.uses += 1
      host?.use.begin(state.uses)
      return host
    }
  }

  /// Ends the use of a host, and forgets what is beyond the limits.
  func giveBack(_ host: Host) {
    host.use.end()
    guard count > Self.limit else { return }
    let (idle, surplus) = state.withLock { state in
      let idle = state.hosts.filter { $0.value.use.isIdle }
      return (idle.sorted { $0.value.use.last < $1.value.use.last }, state.hosts.count - Self.limit)
    }
    // Whether a breaker is open depends on its clock, which is not to be read under the lock.
    let isOpen = idle.map { $0.value.refusedFor > .zero }
    let closed = zip(idle, isOpen).filter { !$0.1 }.map(\.0.key).prefix(max(0, surplus))
    let open = zip(idle, isOpen).filter(\.1).map(\.0.key)
      .prefix(max(0, surplus - closed.count - (Self.hardLimit - Self.limit)))
    state.withLock { state in
      // A call may have come to one of them meanwhile.
      for key in closed + open where state.hosts[key]?.use.isIdle == true { state.hosts[key] = nil }
    }
  }
}
