/// Runs a body on another clock: every wait, deadline and timeout inside it is measured there.
///
/// A deadline in force keeps the time that it has left. The body is not escaping and runs on the caller's actor.
public func withClock<Value>(
  _ clock: some Clock<Duration>, _ body: () async throws -> Value
) async throws -> Value {
  let values = Ambient.values.with(clock: AmbientClock(clock))
  return try await values.inForce(body)
}

/// Runs a body whose jitter is drawn from another source, such as ``RandomSource/seeded(_:)``.
public func withRandom<Value>(
  _ random: RandomSource, _ body: () async throws -> Value
) async throws -> Value {
  let values = Ambient.values.with(random: random)
  return try await values.inForce(body)
}

/// Runs a body whose events go to a sink; the innermost sink is the one that receives them.
public func withEvents<Value>(
  _ sink: any EventSink, _ body: () async throws -> Value
) async throws -> Value {
  let values = Ambient.values.with(events: sink)
  return try await values.inForce(body)
}
