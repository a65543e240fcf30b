/// Writes each event as one line for people to read, private values left out.
///
/// ```text
/// [info] http.retry api example.com method=GET host=example.com path=/users attempt=2 delay=0.2s reason=status_503
/// ```
///
/// A line is the event's description; whatever would break it or steer a terminal is written as an escape such as
/// `\u{1B}`. The lines of several tasks never mix: `write` is never called before an earlier call has returned. A line
/// that comes meanwhile waits for whoever is writing, so `record` never waits for a slow output. At most 1,024 lines
/// wait; what comes on top is counted, and told in an event called `events.lost`.
public struct PrintSink: EventSink {
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
    lines = LineWriter(to: write) { $0.description.onOneLine }
  }

  /// Whether the level is high enough.
  public func wants(_ name: String, _ level: Event.Level) -> Bool { level >= minimum }

  /// Writes the event, or leaves it to the task that is writing.
  public func record(_ event: Event) { lines.write(event) }
}
