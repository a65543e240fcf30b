import Synchronization

/// How many calls a host has now, and when it was used last.
///
/// A use begins under the registry's lock, so that a host that is idle there stays so; it may end at any time.
final class HostUse: Sendable {
  private let calls = Atomic(0)
  private let number = Atomic(0)

  /// Whether no call is in it.
  var isIdle: Bool { calls.load(ordering: .acquiring) == 0 }

  /// The number of the last use.
  var last: Int { number.load(ordering: .relaxed) }

  func begin(_ use: Int) {
    calls.add(1, ordering: .relaxed)
    number.store(use, ordering: .relaxed)
  }

  func end() {
    calls.subtract(1, ordering: .releasing)
  }
}
