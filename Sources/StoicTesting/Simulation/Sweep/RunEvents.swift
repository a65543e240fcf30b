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
    if outer.wants(event.name, event.level) { outer.record(event) }
  }

  /// The event in a few words, without anything private.
  private static func text(_ event: Event) -> String {
    let fields = event.fields.filter { !$0.isPrivate }.map { " \($0.key)=\($0.value)" }
    return "[\(event.name) \(event.label)\(fields.joined())]"
  }
}
