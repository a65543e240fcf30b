import Stoic

/// A value that is set once and waited for.
final class Latch<Value: Sendable>: Sendable {
  private struct State {
    var value: Value?
    var bells: [WakeUp] = []
  }

  private let state = Lock(State())

  /// Sets the value, unless it is set, and wakes all who wait.
  func set(_ value: Value) {
    let bells = state.withLock { state in
      guard state.value == nil else { return [] as [WakeUp] }
      state.value = value
      defer { state.bells = [] }
      return state.bells
    }
    for bell in bells { bell.ring() }
  }

  /// The value, where it is set.
  var current: Value? { state.withLock { $0.value } }

  /// Waits for the value.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled first.
  func value() async throws -> Value {
    await wait(WakeUp())
    guard let value = current else { throw CancellationError() }
    return value
  }

  /// Waits for the value for a time on the ambient clock; nil where it did not come.
  ///
  /// - Throws: `CancellationError` when the waiting task is cancelled first.
  func value(within time: Duration) async throws -> Value? {
    let bell = WakeUp()
    let clock = Ambient.clock
    let timer = clock.schedule(at: clock.now.advanced(by: time)) { bell.ring() }
    await wait(bell)
    timer.cancel()
    let value = current
    if value == nil { try Task.checkCancellation() }
    return value
  }

  private func wait(_ bell: WakeUp) async {
    let isSet = state.withLock { state in
      if state.value == nil { state.bells.append(bell) }
      return state.value != nil
    }
    if !isSet { await bell.wait() }
  }
}
