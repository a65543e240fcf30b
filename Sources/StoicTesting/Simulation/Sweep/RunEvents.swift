import Stoic

/// The sink of a run: hands events on to the one around the simulation, takes their names for marks, and shows them in the
/// timeline.
struct RunEvents: EventSink {
  let run: SimulationRun
  let outer: any EventSink

  func wants(_ name: String, _ level: Event.Level) -> Bool {
    run.wantsAllEvents || run.watches(name) || outer.wants(name, level)
  }

  func record(_ event: Event) {
    // A name that is no mark is for the timeline alone.
    if run.watches(event.name) { run.reach(event.name) }
    run.executor.tell(Self.text(event))
    if let state = Self.breakerState(event) { run.executor.tell(event.label, is: state) }
    if outer.wants(event.name, event.level) { outer.record(event) }
  }

  /// The state that the event tells of a breaker.
  private static func breakerState(_ event: Event) -> CircuitBreaker.State? {
    switch event.name {
    case "breaker.opened": .open
    case "breaker.half_open": .halfOpen
    case "breaker.closed": .closed
    case "breaker.forced": event["state"] == "open" ? .open : .closed
    default: nil
    }
  }

  /// The event in a few words, without anything private.
  private static func text(_ event: Event) -> String {
    let fields = event.fields.filter { !$0.isPrivate }.map { " \($0.key)=\($0.value)" }
    return "[\(event.name) \(event.label)\(fields.joined())]"
  }
}
