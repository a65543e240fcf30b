import Stoic

/// How many calls a host has now, and when it was used last.
///
/// A use begins under the registry's lock, so that a host that is idle there stays so; it may end at any time.
final class HostUse: Sendable {
  private let state = Lock((calls: 0, last: 0))

  /// Whether no call is in it.
  var isIdle: Bool { state.withLock { $0.calls == 0 } }

  /// The number of the last use.
  var last: Int { state.withLock { $0.last } }

  func begin(_ use: Int) {
    state.withLock { $0 = ($0.calls + 1, use) }
  }

  func end() {
    state.withLock { $0.calls -= 1 }
  }
}
