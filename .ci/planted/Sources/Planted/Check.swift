import Stoic
import StoicTesting

/// What a scenario found wrong.
struct Wrong: Error, CustomStringConvertible {
  let description: String
}

/// Fails the run unless something holds.
func check(_ holds: Bool, _ rule: @autoclosure () -> String) throws {
  if !holds { throw Wrong(description: rule()) }
}

/// A value that the tasks of a scenario share.
final class Shared<Value: Sendable>: Sendable {
  private let lock: Lock<Value>

  init(_ value: Value) { lock = Lock(value) }

  var value: Value { lock.withLock { $0 } }

  func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { lock.withLock { body(&$0) } }
}

struct Fault: Error {}

/// How a call ended, in a word.
func ending(_ call: () async throws -> Void) async -> String {
  do {
    try await call()
    return "value"
  } catch let rejection as Rejection {
    return rejection.reason.rawValue
  } catch is CancellationError {
    return "cancelled"
  } catch {
    return error is Wrong ? "\(error)" : "fault"
  }
}

/// Runs callers at once, the last of whom is cancelled after up to 400 ms; how each ended.
func crowd(_ size: Int, _ call: @escaping @Sendable (Int) async throws -> Void) async throws -> [String] {
  let ends = Shared([String](repeating: "", count: size))
  await withTaskGroup(of: Void.self) { group in
    for number in 0..<size {
      group.addTask(name: "caller \(number)") {
        let task = Ambient.task(name: "call \(number)") { try await call(number) }
        if number == size - 1 {
          try? await Ambient.sleep(for: .milliseconds(pick(below: 5) * 100))
          task.cancel()
        }
        let end = await ending { try await task.value }
        ends.change { $0[number] = end }
      }
    }
  }
  let all = ends.value
  let known: Set = [
    "value", "fault", "cancelled", "deadline_exceeded", "bulkhead_full", "breaker_open", "budget_exhausted",
    "rate_limited", "throttled",
  ]
  for (number, end) in all.enumerated() {
    try check(known.contains(end), "caller \(number): \(end)")
    try check(
      end != "cancelled" || number == size - 1, "caller \(number) is told that it was cancelled, and was not")
  }
  return all
}
