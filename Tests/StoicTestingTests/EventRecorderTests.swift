import Stoic
import StoicTesting
import Testing

@Suite("Event recorder")
struct EventRecorderTests {
  private func event(_ name: String) -> Event { Event(name: name, level: .info, label: "test") }

  @Test("Events are kept in order and found by name")
  func order() {
    let events = EventRecorder()
    for name in ["one", "two", "one"] { events.record(event(name)) }
    #expect(events.events.map(\.name) == ["one", "two", "one"])
    #expect(events.events(named: "one").count == 2)
  }

  @Test("Waiting for an event resumes when it has been recorded often enough")
  func waiting() async {
    let events = EventRecorder()
    let waiter = Task { await events.wait(for: "one", count: 2) }
    events.record(event("one"))
    events.record(event("two"))
    events.record(event("one"))
    await waiter.value
    await events.wait(for: "one")
  }

  @Test("Who waits in vain can be cancelled")
  func waitingInVain() async {
    let events = EventRecorder()
    let waiter = Task { await events.wait(for: "never") }
    waiter.cancel()
    await waiter.value
  }
}
