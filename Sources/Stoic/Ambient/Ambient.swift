/// The one door to time, randomness, tasks and events: what is in force for the current task.
///
/// Values are task-local. Child tasks inherit them, and so do unstructured ones; ``withClock(_:_:)`` and its siblings
/// replace them for the time of a call.
public enum Ambient {
  @TaskLocal package static var values = AmbientValues.initial

  /// The clock in force; the system's continuous clock unless replaced.
  public static var clock: AmbientClock { values.clock }

  /// The instant by which the current work has to end, on the clock in force; nil when there is none.
  public static var deadline: AmbientClock.Instant? { values.deadline }

  /// The source of random bits in force; the system's unless replaced.
  public static var random: RandomSource { values.random }

  /// The sink that receives events.
  public static var events: any EventSink { values.events }

  /// Suspends for a time on the clock in force; throws `CancellationError` when cancelled first.
  ///
  /// Zero and negative times only let other tasks run. The deadline in force does not shorten the sleep: whoever set it
  /// cancels the task.
  public static func sleep(for duration: Duration) async throws {
    let clock = values.clock
    try await clock.sleep(until: clock.now.advanced(by: duration))
  }

  /// Suspends until an instant of the clock in force; throws `CancellationError` when cancelled first.
  public static func sleep(until instant: AmbientClock.Instant) async throws {
    try await values.clock.sleep(until: instant)
  }

  /// Starts an unstructured task on the executor in force.
  ///
  /// Use it in place of `Task { }` for work that is to run in a simulation as well: there a plain unstructured task
  /// escapes to the system's threads and the run cannot be repeated, while this one is scheduled like all others.
  /// It inherits all ambient values, the deadline included; see ``withoutDeadline(_:)``.
  ///
  /// - Parameters:
  ///   - name: the task's name, for those who debug.
  ///   - work: what the task does.
  /// - Returns: the task.
  @discardableResult
  public static func task<Success: Sendable>(
    name: String? = nil, _ work: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let values = values
    if let name { values.ledger?.name(name) }
    return Task(name: name, executorPreference: values.executor) { try await work() }
  }

  /// Records an event when the sink in force wants it; the fields are only built then.
  package static func record(
    _ name: String, _ level: Event.Level, label: @autoclosure () -> String,
    _ fields: @autoclosure () -> [Event.Field]
  ) {
    let sink = values.events
    guard sink.wants(name, level) else { return }
    sink.record(Event(name: name, level: level, label: label(), fields: fields()))
  }
}

extension Ambient {
  /// Suspends until the task is cancelled, on no clock: unlike a very long sleep, this is no timer.
  package static func suspend() async throws -> Never {
    let hold = values.hold(LedgerEntry("wait", "for cancellation"))
    await WakeUp().wait()
    hold?.release()
    throw CancellationError()
  }
}
