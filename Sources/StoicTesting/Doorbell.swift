import Stoic

/// A parked task that waits for something to be counted; rung exactly once, whoever comes first.
final class Doorbell: Sendable {
  private let state = Lock<(rung: Bool, parked: CheckedContinuation<Void, Never>?)>((false, nil))

  func park(_ continuation: CheckedContinuation<Void, Never>) {
    let late = state.withLock { state in
      if state.rung { return true }
      state.parked = continuation
      return false
    }
    if late { continuation.resume() }
  }

  func ring() {
    let parked = state.withLock { state in
      state.rung = true
      defer { state.parked = nil }
      return state.parked
    }
    parked?.resume()
  }
}
