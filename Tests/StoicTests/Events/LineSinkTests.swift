import Dispatch
import Stoic
import StoicTesting
import Testing

/// The two sinks that write lines.
enum LineSink: CaseIterable {
  case print, json

  func make(
    minimum: Event.Level = .debug, to write: @escaping @Sendable (String) -> Void
  ) -> any EventSink {
    switch self {
    case .print: PrintSink(minimum: minimum, to: write)
    case .json: JSONLinesSink(minimum: minimum, to: write)
    }
  }
}

@Suite("Sinks that write lines")
struct LineSinkTests {
  @Test("A printed line is the event's description")
  func printed() {
    let lines = Lines()
    let sink = PrintSink(to: lines.add)
    sink.record(
      Event(
        name: "http.retry", level: .info, label: "api example.com",
        fields: [Event.Field("status", "503"), Event.Field("query", "token=SECRET", isPrivate: true)]))
    #expect(lines.all == ["[info] http.retry api example.com status=503 query=<private>"])
  }

  @Test("Nothing private is in a line", arguments: LineSink.allCases)
  func privacy(kind: LineSink) {
    let lines = Lines()
    kind.make(to: lines.add).record(
      Event(
        name: "one", level: .info, label: "test",
        fields: [Event.Field("key", "SECRET", isPrivate: true), Event.Field("key", "open")]))
    #expect(lines.all.count == 1)
    #expect(lines.all.allSatisfy { !$0.contains("SECRET") && $0.contains("open") })
  }

  @Test(
    "Only events from the minimum level on are written, and of others no field is built",
    arguments: LineSink.allCases, Event.Level.allCases)
  func minimum(kind: LineSink, minimum: Event.Level) async throws {
    let (lines, built) = (Lines(), Calls())
    func fields() -> [Event.Field] {
      built.add()
      return []
    }
    try await withEvents(kind.make(minimum: minimum, to: lines.add)) {
      for level in Event.Level.allCases { Ambient.record("\(level)", level, label: "test", fields()) }
    }
    let wanted = Event.Level.allCases.filter { $0 >= minimum }
    #expect(built.count == wanted.count)
    #expect(lines.all.count == wanted.count)
    #expect(zip(lines.all, wanted).allSatisfy { $0.contains("\($1)") })
  }

  @Test("A sink writes from info on unless told otherwise")
  func standard() {
    let sinks: [any EventSink] = [PrintSink { _ in }, JSONLinesSink { _ in }]
    for sink in sinks {
      #expect(Event.Level.allCases.filter { sink.wants("any", $0) } == [.info, .notice, .warning])
    }
  }

  @Test("Whatever a text holds, an event is one line and steers no terminal", arguments: LineSink.allCases)
  func oneLine(kind: LineSink) {
    for scalar in HostileTexts.acting {
      let lines = Lines()
      let text = "a\(scalar)b"
      kind.make(to: lines.add).record(
        Event(name: text, level: .info, label: text, fields: [Event.Field(text, text)]))
      let written = lines.all.joined()
      #expect(
        !written.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16)) is written as it is")
      #expect(written.split(whereSeparator: \.isNewline).count == 1)
    }
  }

  @Test("An escape in a printed line names the character")
  func escape() {
    let lines = Lines()
    let sink = PrintSink(to: lines.add)
    sink.record(Event(name: "one", level: .info, label: "a\nb\u{1B}[31m\u{2028}\u{202E} é 👩‍👩‍👧 \\"))
    #expect(lines.all == ["[info] one a\\u{A}b\\u{1B}[31m\\u{2028}\\u{202E} é 👩‍👩‍👧 \\"])
  }

  @Test("A line that comes while another is being written waits for it", arguments: LineSink.allCases)
  func waits(kind: LineSink) {
    let (output, sink) = (Lines(), Once())
    sink.set(
      kind.make { line in
        output.add("(")
        if line.contains("outer") { sink.record("inner") }
        output.add(line.contains("outer") ? "outer" : "inner")
        output.add(")")
      })
    sink.record("outer")
    #expect(output.all == ["(", "outer", ")", "(", "inner", ")"])
  }

  @Test("Lines of several tasks never mix and none is lost", arguments: LineSink.allCases)
  func parallel(kind: LineSink) {
    let pieces = Lines()
    let sink = kind.make { line in
      for character in line { pieces.add(String(character)) }
      pieces.add("\n")
    }
    // Threads, since tasks share as many of them as the other tests leave.
    DispatchQueue.concurrentPerform(iterations: 8) { task in
      for number in 0..<100 {
        sink.record(Event(name: "task \(task) event \(number) end", level: .info, label: "test"))
      }
    }
    let lines = pieces.all.joined().split(separator: "\n")
    let names = lines.compactMap { $0.firstMatch(of: /task \d+ event \d+ end/).map { String($0.output) } }
    for task in 0..<8 {
      let own = (0..<100).map { "task \(task) event \($0) end" }
      #expect(names.filter { $0.hasPrefix("task \(task) ") } == own)
    }
    #expect(lines.count == 800)
  }

  @Test("What comes faster than it can be written is counted and told", arguments: LineSink.allCases)
  func lost(kind: LineSink) {
    let (output, sink) = (Lines(), Once())
    sink.set(
      kind.make { line in
        output.add(line)
        if line.contains("first") { for _ in 0..<2_000 { sink.record("more") } }
      })
    sink.record("first")
    sink.record("last")
    #expect(output.all.count { $0.contains("more") } == 1_024)
    #expect(output.all.count == 1 + 1_024 + 1 + 1)
    let told = output.all[1_025]
    #expect(told.contains("events.lost") && told.contains("976"))
    #expect(output.all[1_026].contains("last"))
  }
}

/// Collects lines.
final class Lines: Sendable {
  private let state = Lock<[String]>([])

  var all: [String] { state.withLock { $0 } }

  @Sendable func add(_ line: String) { state.withLock { $0.append(line) } }
}

/// A sink that its own output refers to.
private final class Once: Sendable {
  private let sink = Lock<(any EventSink)?>(nil)

  func set(_ sink: any EventSink) { self.sink.withLock { $0 = sink } }

  func record(_ name: String) {
    sink.withLock { $0 }?.record(Event(name: name, level: .info, label: "test"))
  }
}

/// Texts that a line may not hold as they are.
enum HostileTexts {
  /// Scalars that a reader of lines or a terminal acts on.
  static let acting: [Unicode.Scalar] =
    (Array(0...0x1F) + Array(0x7F...0x9F) + [
      0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068,
      0x2069,
    ]).compactMap { Unicode.Scalar(UInt32($0)) }
}
