import Foundation
import Stoic
import StoicTesting
import Testing

@Suite("JSON lines")
struct JSONLinesSinkTests {
  @Test("A line has the time, the level, the name, the label and the public fields in their order")
  func form() async throws {
    let (lines, clock) = (Lines(), TestClock())
    clock.advance(by: .milliseconds(1_050))
    try await withClock(clock) {
      try await withEvents(JSONLinesSink(to: lines.add)) {
        Ambient.record(
          "http.retry", .notice, label: "api",
          [Event.Field("b", "1"), Event.Field("q", "SECRET", isPrivate: true), Event.Field("a", "2")])
      }
    }
    let expected =
      #"{"time":1.050000,"level":"notice","name":"http.retry","label":"api","fields":{"b":"1","a":"2"}}"#
    #expect(lines.all == [expected])
  }

  @Test(
    "The time is a JSON number to the microsecond, however far from the clock's origin",
    arguments: [
      (Duration.zero, "0.000000"), (.nanoseconds(1_999), "0.000001"), (.milliseconds(500), "0.500000"),
      (.seconds(86_400 * 365), "31536000.000000"), (.seconds(Int64.max), "1152921504606846976.000000"),
      (.milliseconds(-500), "-0.500000"), (.milliseconds(-1_500), "-1.500000"),
      (.seconds(Int64.min), "-1152921504606846976.000000"),
    ])
  func time(offset: Duration, text: String) async throws {
    let lines = Lines()
    try await withClock(ShiftedClock(offset)) {
      JSONLinesSink(to: lines.add).record(Event(name: "one", level: .info, label: ""))
    }
    #expect(lines.all == [#"{"time":\#(text),"level":"info","name":"one","label":"","fields":{}}"#])
    #expect(try Line(#require(lines.all.first)).time != nil)
  }

  @Test("Of several public fields with one key the first is written")
  func repeatedKey() throws {
    let line = try line(of: [
      Event.Field("key", "secret", isPrivate: true), Event.Field("key", "first"),
      Event.Field("key", "second"),
    ])
    #expect(line.hasSuffix(#""fields":{"key":"first"}}"#))
  }

  @Test("Every scalar up to U+FFFF, and some beyond, comes back as it was, as a value and as a key")
  func scalars() throws {
    let numbers = Array(0...0xFFFF) + [0x10000, 0x1F600, 0xE0001, 0x10FFFF]
    let scalars = numbers.compactMap { Unicode.Scalar(UInt32($0)) }
    for start in stride(from: 0, to: scalars.count, by: 256) {
      var text = ""
      text.unicodeScalars.append(contentsOf: scalars[start..<min(start + 256, scalars.count)])
      try expectReturn(of: text)
    }
  }

  @Test(
    "A hostile text comes back as it was",
    arguments: [
      "", "\"", "\\", "\\\"", "\",\"level\":\"x", "}\n{\"name\":\"forged\"}", "\\u0000", "\u{0}", "/",
      "</script>",
      "\u{2028}\u{2029}\u{85}", "e\u{301}", "\u{301}", "\r\n", "👩‍👩‍👧", "\u{FFFD}", "\u{1B}]0;title\u{7}",
    ])
  func hostile(text: String) throws {
    try expectReturn(of: text)
  }

  @Test("Random texts come back as they were")
  func random() throws {
    let source = RandomSource.seeded(7)
    let favourites: [Unicode.Scalar] = ["\"", "\\", "u", "{", "}", "\n", "\u{0}", "\u{2028}", "é", "😀"]
    for _ in 0..<1_000 {
      var text = ""
      for _ in 0..<(source.next() % 24) {
        let bits = source.next()
        let any = Unicode.Scalar(UInt32(truncatingIfNeeded: bits >> 8) % 0x11_0000)
        let favourite = favourites[Int(bits >> 40) % favourites.count]
        text.unicodeScalars.append(bits % 2 == 0 ? favourite : any ?? favourite)
      }
      try expectReturn(of: text)
    }
  }

  private func expectReturn(of text: String, at location: SourceLocation = #_sourceLocation) throws {
    let lines = Lines()
    JSONLinesSink(to: lines.add).record(
      Event(name: text, level: .info, label: text, fields: [Event.Field(text, text)]))
    let line = try Line(#require(lines.all.first))
    let texts = [line.name, line.label, line.fields.first?.key, line.fields.first?.value]
    let same = texts.allSatisfy { $0.map { Array($0.utf8) } == Array(text.utf8) }
    #expect(
      same && lines.all.count == 1, "\(text.debugDescription) came back as \(texts)", sourceLocation: location
    )
  }

  private func line(of fields: [Event.Field]) throws -> String {
    let lines = Lines()
    JSONLinesSink(to: lines.add).record(Event(name: "one", level: .info, label: "test", fields: fields))
    return try #require(lines.all.first)
  }
}

/// A line, read by Foundation.
private struct Line {
  let time: Double?
  let name: String?
  let label: String?
  let fields: [String: String]

  init(_ text: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] ?? [:]
    time = (object["time"] as? NSNumber)?.doubleValue
    name = object["name"] as? String
    label = object["label"] as? String
    fields = object["fields"] as? [String: String] ?? [:]
  }
}

/// A clock that stands at some time from its origin.
private struct ShiftedClock: TimerClock {
  let elapsed: Duration

  init(_ elapsed: Duration) {
    self.elapsed = elapsed
  }

  var now: AmbientClock.Instant { AmbientClock.Instant(offset: elapsed) }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: AmbientClock.Instant, tolerance: Duration?) async throws {}
  func addTimer(at offset: Duration, _ fire: @escaping @Sendable () -> Void) -> Int { 0 }
  func removeTimer(_ id: Int) {}
}
