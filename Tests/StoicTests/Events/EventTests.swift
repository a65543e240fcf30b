import Stoic
import StoicTesting
import Testing

@Suite("Events")
struct EventTests {
  /// Wants warnings only.
  struct Picky: EventSink {
    let inner = EventRecorder()
    func wants(_ name: String, _ level: Event.Level) -> Bool { level >= .warning }
    func record(_ event: Event) { inner.record(event) }
  }

  @Test("The innermost sink receives the events")
  func innermost() async throws {
    let (outer, inner) = (EventRecorder(), EventRecorder())
    try await withEvents(outer) {
      Ambient.record("one", .info, label: "test", [])
      try await withEvents(inner) { Ambient.record("two", .info, label: "test", []) }
    }
    #expect(outer.events.map(\.name) == ["one"])
    #expect(inner.events.map(\.name) == ["two"])
  }

  @Test("A field is not even built for a sink that does not want the event")
  func disabled() async throws {
    let sink = Picky()
    let built = Calls()
    func fields() -> [Event.Field] {
      built.add()
      return [Event.Field("key", "value")]
    }
    try await withEvents(sink) {
      Ambient.record("quiet", .notice, label: "test", fields())
      Ambient.record("loud", .warning, label: "test", fields())
    }
    Ambient.record("nobody listens", .warning, label: "test", fields())
    #expect(built.count == 1)
    #expect(sink.inner.events.map(\.name) == ["loud"])
  }

  @Test("A private value is there for the program and not in the text")
  func privacy() {
    let event = Event(
      name: "http.request", level: .debug, label: "api",
      fields: [Event.Field("status", "503"), Event.Field("query", "token=SECRET", isPrivate: true)])
    #expect(event["query"] == "token=SECRET")
    #expect(event["nothing"] == nil)
    #expect(event.description == "[debug] http.request api status=503 query=<private>")
    var dumped = ""
    dump(event, to: &dumped)
    #expect(!"\(event.fields) \(String(reflecting: event.fields)) \(dumped)".contains("SECRET"))
  }

  @Test("A closure can be a sink")
  func closure() async throws {
    let calls = Calls()
    try await withEvents(ClosureSink { _ in calls.add() }) { Ambient.record("one", .info, label: "test", []) }
    #expect(calls.count == 1)
  }

  @Test(
    "Durations read as seconds",
    arguments: [
      (Duration.zero, "0s"), (.milliseconds(200), "0.2s"), (.seconds(30), "30s"),
      (.milliseconds(1_050), "1.05s"),
      (.milliseconds(-500), "-0.5s"), (.milliseconds(-1_500), "-1.5s"),
      (.nanoseconds(1_001_000_000), "1.001s"), (.nanoseconds(1_000_900_000), "1s"),
      (.microseconds(999), "0.000999s"), (.microseconds(-500), "-0.0005s"), (.nanoseconds(1), "0.000000001s"),
      (Duration(attoseconds: 999_999_999), "0s"), (Duration(attoseconds: -1), "0s"),
      (.seconds(Int64.max), "1152921504606846976s"),
    ])
  func durations(duration: Duration, text: String) {
    #expect(duration.text == text)
  }
}
