/// Everything that is in force for a task: one task-local read per call finds all of it.
///
/// What changes with each step of a call is held by value, so that a step makes no object; the rest is one object that all
/// steps share.
package struct AmbientValues: Sendable {
  private let surroundings: Surroundings
  package let deadline: AmbientClock.Instant?
  package let attempt: AttemptContext?
  /// The flights that the current work is done for.
  package let flight: FlightChain?

  package static let initial = AmbientValues(
    Surroundings(clock: .continuous, random: .system, executor: nil, events: NoEvents(), ledger: nil),
    deadline: nil, attempt: nil, flight: nil)

  private init(
    _ surroundings: Surroundings, deadline: AmbientClock.Instant?, attempt: AttemptContext?,
    flight: FlightChain?
  ) {
    self.surroundings = surroundings
    self.deadline = deadline
    self.attempt = attempt
    self.flight = flight
  }

  package var clock: AmbientClock { surroundings.clock }
  package var random: RandomSource { surroundings.random }
  package var executor: (any TaskExecutor)? { surroundings.executor }
  package var events: any EventSink { surroundings.events }
  package var ledger: (any Ledger)? { surroundings.ledger }

  /// The time left until the deadline; nil when there is none.
  package var remaining: Duration? {
    deadline.map { clock.now.duration(to: $0) }
  }
}

extension AmbientValues {
  /// What seldom changes.
  private final class Surroundings: Sendable {
    let clock: AmbientClock
    let random: RandomSource
    let executor: (any TaskExecutor)?
    let events: any EventSink
    let ledger: (any Ledger)?

    init(
      clock: AmbientClock, random: RandomSource, executor: (any TaskExecutor)?, events: any EventSink,
      ledger: (any Ledger)?
    ) {
      self.clock = clock
      self.random = random
      self.executor = executor
      self.events = events
      self.ledger = ledger
    }
  }

  /// These values on another clock; a deadline keeps the time it has left, since instants never cross clocks.
  package func with(clock: AmbientClock) -> AmbientValues {
    let deadline = remaining.map { clock.now.advanced(by: $0) }
    return AmbientValues(
      Surroundings(clock: clock, random: random, executor: executor, events: events, ledger: ledger),
      deadline: deadline, attempt: attempt, flight: flight)
  }

  /// These values with another deadline, or none.
  package func with(deadline: AmbientClock.Instant?) -> AmbientValues {
    with(attempt: attempt, deadline: deadline)
  }

  /// These values with another source of random bits.
  package func with(random: RandomSource) -> AmbientValues {
    AmbientValues(
      Surroundings(clock: clock, random: random, executor: executor, events: events, ledger: ledger),
      deadline: deadline, attempt: attempt, flight: flight)
  }

  /// These values inside a simulation: its clock, its choices, its executor, its sink, its ledger; no deadline of the outside.
  package func simulated(
    clock: AmbientClock, random: RandomSource, executor: any TaskExecutor, events: any EventSink,
    ledger: any Ledger
  ) -> AmbientValues {
    AmbientValues(
      Surroundings(clock: clock, random: random, executor: executor, events: events, ledger: ledger),
      deadline: nil, attempt: nil, flight: nil)
  }

  /// These values with another sink, which a ledger that is in force sees through.
  package func with(events: any EventSink) -> AmbientValues {
    let events = ledger?.watching(events) ?? events
    return AmbientValues(
      Surroundings(clock: clock, random: random, executor: executor, events: events, ledger: ledger),
      deadline: deadline, attempt: attempt, flight: flight)
  }

  /// These values inside an attempt, which may end earlier than the call around it.
  package func with(attempt: AttemptContext?, deadline: AmbientClock.Instant?) -> AmbientValues {
    with(attempt: attempt, deadline: deadline, flight: flight)
  }

  /// These values inside an attempt, or outside of any, of what is done for a flight.
  package func with(
    attempt: AttemptContext?, deadline: AmbientClock.Instant?, flight: FlightChain?
  ) -> AmbientValues {
    AmbientValues(surroundings, deadline: deadline, attempt: attempt, flight: flight)
  }
}
