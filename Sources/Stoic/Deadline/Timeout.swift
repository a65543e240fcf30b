/// One attempt took longer than it may; another one may be quicker.
///
/// A timeout bounds a step, and a retry around it tries again. A deadline bounds all of a caller's work, and is final:
/// see ``withDeadline(_:_:)``.
public struct TimeoutError: Error, Sendable, Hashable, Retryable, CustomStringConvertible {
  /// The time that was given.
  public let limit: Duration

  /// Makes the error of a time that is over.
  public init(after limit: Duration) {
    self.limit = limit
  }

  /// Another attempt may succeed.
  public var retryAdvice: RetryAdvice { .retry }

  /// What happened and what to do.
  public var description: String { "timed out after \(limit.text); try again, or allow more time" }
}

/// Runs a body that is one step, and gives up on it after a time.
///
/// - When the time is over the body is cancelled and waited for, as ``withDeadline(_:_:)`` does. If it then ends with a value
///   or with `CancellationError`, this throws ``TimeoutError``, which ``retry(_:budget:label:_:)`` tries again.
/// - Where the deadline in force is nearer, it is what passes: ``Rejection`` with `.deadlineExceeded`, which is final.
/// - A time of zero or less does not run the body. A time beyond what a clock can count means no timeout.
///
/// The body sees the nearer of the two as ``Ambient/deadline``. It may be told late where bodies that compute and never suspend
/// occupy every thread of the concurrency pool: the timers of the system's clock need one of them too.
///
/// - Parameters:
///   - duration: the time, on the clock in force.
///   - body: the work; not escaping, on the caller's actor.
@inlinable
public func withTimeout<Value>(
  _ duration: Duration, _ body: () async throws -> Value
) async throws -> Value {
  // What is generic is inlined where it is called, and so looks up no type as it runs.
  var value: Value?
  try await runStep(within: duration) { value = try await body() }
  guard let value else { throw TimeoutError(after: duration) }
  return value
}

/// Runs a body that is one step; returns when it has ended in time.
///
/// - Throws: as ``withTimeout(_:_:)`` does.
@usableFromInline
func runStep(within duration: Duration, _ body: () async throws -> Void) async throws {
  let outer = Ambient.values
  let start = outer.clock.now
  let own = start.advanced(by: duration)
  let isOwn = own < outer.deadline ?? .distantFuture
  guard isOwn else {
    guard let deadline = outer.deadline else { return try await body() }
    return try await racing(until: deadline, in: outer, body)
  }
  let isPast = outer.deadline.map { $0 <= start } ?? false
  guard start < own, !isPast else {
    try Task.checkCancellation()
    if isPast { throw Rejection(.deadlineExceeded) }
    throw TimeoutError(after: duration)
  }
  do {
    if try await ending(at: own, in: outer.with(deadline: own), body) { return }
  } catch {
    // What is inside takes this step's end for a deadline, and may be the first to notice that it has come.
    let isOwnEnd = (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded
    guard isOwnEnd, outer.clock.now >= own else { throw error }
    try Task.checkCancellation()
  }
  throw TimeoutError(after: duration)
}
