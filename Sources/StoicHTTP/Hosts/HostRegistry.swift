import Stoic

/// The hosts that a client knows, a bounded number of them.
///
/// Beyond ``limit`` the host that was used longest ago is forgotten, but never one with a call in it: its permits would be
/// handed out twice. One whose breaker is open is only forgotten beyond ``hardLimit``.
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

  /// Runs a body with the state of an origin's host, which is kept at least as long.
  func withHost<Value>(of origin: Origin, _ body: (Host) async throws -> Value) async throws -> Value {
    let key = HostKey(origin)
    let host = take(key, Host(policy, label: "\(label) \(origin.authority)"))
    defer { state.withLock { $0.entries[key]?.calls -= 1 } }
    return try await body(host)
  }

  private func take(_ key: HostKey, _ new: @autoclosure () -> Host) -> Host {
    if let known = use(key, orAdd: nil) { return known }
    // Made outside the lock, since it draws a random number.
    let host = new()
    let taken = use(key, orAdd: host) ?? host
    forget()
    return taken
  }

  private func use(_ key: HostKey, orAdd new: Host?) -> Host? {
    state.withLock { state in
      if state.entries[key] == nil, let new { state.entries[key] = Entry(host: new) }
      state.uses += 1
      state.entries[key]?.calls += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.host
    }
  }

  private func forget() {
    let idle = state.withLock { state in
      guard state.entries.count > Self.limit else { return [(key: HostKey, entry: Entry)]() }
      return state.entries.filter { $0.value.calls == 0 }.sorted { $0.value.lastUse < $1.value.lastUse }
        .map { (key: $0.key, entry: $0.value) }
    }
    guard !idle.isEmpty else { return }
    // Whether a breaker is open depends on its clock, which is not to be read under the lock.
    let closed = idle.first { $0.entry.host.refusedFor == .zero }
    state.withLock { state in
      let isFar = state.entries.count > Self.hardLimit
      guard let victim = closed ?? (isFar ? idle.first : nil), state.entries.count > Self.limit,
        state.entries[victim.key]?.calls == 0
      else { return }
      state.entries[victim.key] = nil
    }
  }
}
