import Stoic
import StoicTesting
import Testing

/// A test's own failure.
struct Fault: Error, Equatable {
  var number = 0
}

/// Counts who is inside, and the most that ever were.
final class Occupancy: Sendable {
  private let state = Lock((now: 0, most: 0, total: 0))

  var now: Int { state.withLock { $0.now } }
  var most: Int { state.withLock { $0.most } }
  var total: Int { state.withLock { $0.total } }

  func enter() {
    state.withLock { state in
      state.now += 1
      state.total += 1
      state.most = max(state.most, state.now)
    }
  }

  func leave() { state.withLock { $0.now -= 1 } }

  /// Stays inside for a time.
  func stay(for duration: Duration) async throws {
    enter()
    defer { leave() }
    try await Ambient.sleep(for: duration)
  }
}

/// The time on the clock in force, in milliseconds since its origin.
var milliseconds: Int64 {
  let (seconds, attoseconds) = Ambient.clock.now.offset.components
  return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
}

/// What a body ended with, as a word: `value`, a rejection's reason, `cancelled`, `timeout`, `fault`.
func word(_ body: () async throws -> Void) async -> String {
  do {
    try await body()
    return "value"
  } catch {
    return switch error {
    case let rejection as Rejection: rejection.reason.rawValue
    case is CancellationError: "cancelled"
    case is TimeoutError: "timeout"
    case is Fault: "fault"
    default: "\(error)"
    }
  }
}

/// Lets all tasks that can run do so.
func settle() async throws { try await Ambient.sleep(for: .nanoseconds(1)) }

/// Waits until it is cancelled, on no clock.
func hang() async throws {
  try await Ambient.suspend()
}
