import Stoic
import StoicTesting
import Testing

@Suite("Several sinks")
struct MultiSinkTests {
  @Test("Each sink receives what it wants, in their order")
  func each() async throws {
    let lines = Lines()
    let quiet = PrintSink(minimum: .warning) { lines.add("quiet \($0)") }
    let loud = PrintSink(minimum: .debug) { lines.add("loud \($0)") }
    try await withEvents(MultiSink(quiet, loud)) {
      Ambient.record("one", .debug, label: "test", [])
      Ambient.record("two", .warning, label: "test", [])
    }
    #expect(lines.all == ["loud [debug] one test", "quiet [warning] two test", "loud [warning] two test"])
  }

  @Test(
    "A field is built when any of several sinks wants the event, once for all, and not at all otherwise",
    arguments: [
      ([], 0), ([.warning], 0), ([.warning, .notice], 0), ([.info], 1), ([.warning, .info], 1),
      ([.debug, .info, .info], 1),
    ] as [([Event.Level], Int)])
  func disabled(minimums: [Event.Level], expected: Int) async throws {
    let built = Calls()
    func fields() -> [Event.Field] {
      built.add()
      return []
    }
    let sinks = minimums.map { PrintSink(minimum: $0) { _ in } as any EventSink }
    try await withEvents(MultiSink(MultiSink(sinks))) {
      Ambient.record("one", .info, label: "test", fields())
    }
    #expect(built.count == expected)
  }
}
