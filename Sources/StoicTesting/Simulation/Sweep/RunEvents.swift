import Stoic

/// The sink of a run: hands events on to the one around the simulation, and takes their names for marks.
struct RunEvents: EventSink {
  let run: SimulationRun
  let outer: any EventSink

  func wants(_ name: String, _ level: Event.Level) -> Bool { run.watches(name) || outer.wants(name, level) }

  func record(_ event: Event) {
    run.reach(event.name)
    if outer.wants(event.name, event.level) { outer.record(event) }
  }
}
