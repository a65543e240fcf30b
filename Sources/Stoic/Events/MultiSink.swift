/// Hands each event to several sinks, in their order.
///
/// It wants what any of its sinks wants; a sink only receives what it wants itself. Without sinks it wants nothing.
public struct MultiSink: EventSink {
  private let sinks: [any EventSink]

  /// Makes a sink of several.
  public init(_ sinks: any EventSink...) {
    self.sinks = sinks
  }

  /// Makes a sink of a list of others.
  public init(_ sinks: [any EventSink]) {
    self.sinks = sinks
  }

  /// Whether any of the sinks wants it.
  public func wants(_ name: String, _ level: Event.Level) -> Bool {
    sinks.contains { $0.wants(name, level) }
  }

  /// Hands the event to those sinks that want it.
  public func record(_ event: Event) {
    for sink in sinks where sink.wants(event.name, event.level) { sink.record(event) }
  }
}
