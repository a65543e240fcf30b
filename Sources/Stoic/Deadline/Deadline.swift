/// Runs a body that has to end within a time.
///
/// - When the time is over the body is cancelled and waited for; one that pays no heed to that returns late.
/// - If it then ends with `CancellationError`, or with a value, this throws ``Rejection`` with the reason
///   `.deadlineExceeded`: a value produced after expiry is discarded. What else the body throws stays its own.
/// - When the caller is cancelled, a refusal for want of time is `CancellationError`, whoever refused and whichever came
///   first.
/// - A time of zero or less does not run the body. A time beyond what a clock can count means no deadline.
/// - Inside a nearer deadline the nearer one holds.
///
/// The body sees its deadline as ``Ambient/deadline``. It runs where its caller is, and need not
/// escape or be `Sendable`. Unstructured tasks started inside inherit the deadline as a value; see ``withoutDeadline(_:)``.
///
/// - Parameters:
///   - duration: the time, on the clock in force.
///   - body: the work.
@inlinable
public func withDeadline<Value>(
  _ duration: Duration, _ body: () async throws -> Value
) async throws -> Value {
  // What is generic is inlined where it is called, and so looks up no type as it runs.
  var value: Value?
  try await runAll(within: duration) { value = try await body() }
  guard let value else { throw Rejection(.deadlineExceeded) }
  return value
}

/// Runs a body that has to end within a time; returns when it has.
///
/// - Throws: as ``withDeadline(_:_:)`` does.
@usableFromInline
func runAll(within duration: Duration, _ body: () async throws -> Void) async throws {
  let outer = Ambient.values
  let own = outer.clock.now.advanced(by: duration)
  guard own < .distantFuture || outer.deadline != nil else { return try await body() }
  let deadline = outer.deadline.map { min($0, own) } ?? own
  do {
    try await racing(until: deadline, in: outer.with(deadline: deadline), body)
  } catch {
    // The body sees no more than that it is cancelled, and when. Out here it was the caller, or a deadline further out,
    // which does the same as this one.
    let isRefusal = (error as? any RejectionCarrying)?.rejection?.reason == .deadlineExceeded
    let isOuter = outer.deadline.map { outer.clock.now >= $0 } ?? false
    if isRefusal, !isOuter { try Task.checkCancellation() }
    throw error
  }
}

/// Runs a body that no outer deadline bounds any more, for background work that is started inside a call and is to
/// outlive it.
///
/// The body is no part of an outer retry's attempt either: a retry inside it retries. Cancellation still reaches the body
/// when it runs in the same task.
public func withoutDeadline<Value>(_ body: () async throws -> Value) async throws -> Value {
  let values = Ambient.values.with(attempt: nil, deadline: nil)
  return try await values.inForce(body)
}

/// Runs a body with values in force, and cancels it at an instant of their clock.
///
/// - Throws: the body's error; ``Rejection`` with `.deadlineExceeded` where the instant came and the body ended with a
///   value or with `CancellationError`, and without running it where the instant has come already.
package func racing<Value>(
  until deadline: AmbientClock.Instant, in values: AmbientValues = Ambient.values,
  _ body: () async throws -> Value
) async throws -> Value {
  guard values.clock.now < deadline else {
    try Task.checkCancellation()
    throw Rejection(.deadlineExceeded)
  }
  var value: Value?
  let isInTime = try await ending(at: deadline, in: values) { value = try await body() }
  guard isInTime, let value else { throw Rejection(.deadlineExceeded) }
  return value
}

/// Runs a body with values in force, and cancels it at an instant of their clock that has not come yet.
///
/// Not generic, here and below: what a body returns is its own affair, and costs nothing to carry. Inlined, since each
/// asynchronous function costs a frame and a look at the executor.
///
/// - Returns: whether the body ended with a value before the instant.
@inline(__always)
func ending(
  at instant: AmbientClock.Instant, in values: AmbientValues, _ body: () async throws -> Void
) async throws -> Bool {
  let (failure, isLate) = await interruptible(at: instant, in: values, isolation: #isolation, body)
  guard isLate else {
    if let failure { throw failure }
    return true
  }
  if let failure, !(failure is CancellationError) { throw failure }
  // The instant cancels the body's task, not this one: this one's cancellation is the caller's.
  try Task.checkCancellation()
  return false
}
