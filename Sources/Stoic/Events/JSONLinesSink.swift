/// Writes each event as one line that is a JSON object (RFC 8259), private fields left out.
///
/// ```text
/// {"time":0.200000,"level":"info","name":"http.retry","label":"api example.com","fields":{"attempt":"2"}}
/// ```
///
/// - `time` is a number: seconds since the origin of the clock in force, to the microsecond. The continuous clock's origin
///   lies within the process, a test clock's is zero; it orders and spaces events, and is no time of day.
/// - `fields` has the public fields in their order, all of them texts. Of several with one key the first is written.
/// - Characters that a reader of lines or a terminal might act on are escaped, so a line is one line to everybody.
///
/// The lines of several tasks never mix, and at most 1,024 wait, as with ``PrintSink``.
public struct JSONLinesSink: EventSink {
  private let minimum: Event.Level
  private let lines: LineWriter

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - minimum: the lowest level that is written.
  ///   - write: takes a line, without a line's end; called from any task, once at a time. By default it prints to
  ///     standard output.
  public init(
    minimum: Event.Level = .info, to write: @escaping @Sendable (_ line: String) -> Void = { print($0) }
  ) {
    self.minimum = minimum
    lines = LineWriter(to: write) { $0.jsonText(at: Ambient.clock.now) }
  }

  /// Whether the level is high enough.
  public func wants(_ name: String, _ level: Event.Level) -> Bool { level >= minimum }

  /// Writes the event, or leaves it to the task that is writing.
  public func record(_ event: Event) { lines.write(event) }
}
