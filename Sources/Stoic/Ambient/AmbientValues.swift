/// Everything that is in force for a task, as one immutable object: one task-local read per call finds all of it.
package final class AmbientValues: Sendable {
  package let clock: AmbientClock
  package let deadline: AmbientClock.Instant?
  package let random: RandomSource
  package let executor: (any TaskExecutor)?
  package let events: any EventSink
  package let attempt: AttemptContext?
  package let ledger: (any Ledger)?
  /// The flights that the current work is done for.
  package let flight: (any FlightChain)?

  package static let initial = AmbientValues(
    clock: .continuous, deadline: nil, random: .system, executor: nil, events: NoEvents(), attempt: nil,
    ledger: nil, flight: nil)

  init(
    clock: AmbientClock, deadline: AmbientClock.Instant?, random: RandomSource, executor: (any TaskExecutor)?,
    events: any EventSink, attempt: AttemptContext?, ledger: (any Ledger)?, flight: (any FlightChain)?
  ) {
    self.clock = clock
    self.deadline = deadline
    self.random = random
    self.executor = executor
    self.events = events
    self.attempt = attempt
    self.ledger = ledger
    self.flight = flight
  }

  /// The time left until the deadline; nil when there is none.
  package var remaining: Duration? {
    deadline.map { clock.now.duration(to: $0) }
  }
}

extension AmbientValues {
  /// These values on another clock; a deadline keeps the time it has left, since instants never cross clocks.
  package func with(clock: AmbientClock) -> AmbientValues {
    let deadline = remaining.map { clock.now.advanced(by: $0) }
    return AmbientValues(
      clock: clock, deadline: deadline, random: random, executor: executor, events: events, attempt: attempt,
      ledger: ledger, flight: flight)
  }

  /// These values with another deadline, or none.
  package func with(deadline: AmbientClock.Instant?) -> AmbientValues {
    with(attempt: attempt, deadline: deadline)
  }

  /// These values with another source of random bits.
  package func with(random: RandomSource) -> AmbientValues {
    AmbientValues(
      clock: clock, deadline: deadline, random: random, executor: executor, events: events, attempt: attempt,
      ledger: ledger, flight: flight)
  }

  /// These values inside a simulation: its clock, its choices, its executor, its sink, its ledger; no deadline of the outside.
  package func simulated(
    clock: AmbientClock, random: RandomSource, executor: any TaskExecutor, events: any EventSink,
    ledger: any Ledger
  ) -> AmbientValues {
    AmbientValues(
      clock: clock, deadline: nil, random: random, executor: executor, events: events, attempt: nil,
      ledger: ledger, flight: nil)
  }

  /// These values with another sink, which a ledger that is in force sees through.
  package func with(events: any EventSink) -> AmbientValues {
    AmbientValues(
      clock: clock, deadline: deadline, random: random, executor: executor,
      events: ledger?.watching(events) ?? events, attempt: attempt, ledger: ledger, flight: flight)
  }

  /// These values inside an attempt, which may end earlier than the call around it.
  package func with(attempt: AttemptContext?, deadline: AmbientClock.Instant?) -> AmbientValues {
    with(attempt: attempt, deadline: deadline, flight: flight)
  }

  /// These values inside an attempt, or outside of any, of what is done for a flight.
  package func with(
    attempt: AttemptContext?, deadline: AmbientClock.Instant?, flight: (any FlightChain)?
  ) -> AmbientValues {
    AmbientValues(
      clock: clock, deadline: deadline, random: random, executor: executor, events: events, attempt: attempt,
      ledger: ledger, flight: flight)
  }
}
