/// Writes events as lines, one line at a time, whichever tasks they come from.
///
/// A lock around the output would hold up every task behind a slow one, and deadlock where the output records an event
/// itself. So the first who comes writes, and writes what others bring meanwhile.
final class LineWriter: Sendable {
  private let queue = Lock(LineQueue())
  private let output: @Sendable (String) -> Void
  private let text: @Sendable (Event) -> String

  init(to output: @escaping @Sendable (String) -> Void, text: @escaping @Sendable (Event) -> String) {
    self.output = output
    self.text = text
  }

  func write(_ event: Event) {
    let line = text(event)
    guard queue.withLock({ $0.add(line) }) else { return }
    while case .write(let lines, let lost) = queue.withLock({ $0.next() }) {
      for line in lines { output(line) }
      if lost > 0 { output(text(.lost(lost))) }
    }
  }
}

extension Event {
  /// Tells of lines that were not written.
  fileprivate static func lost(_ count: Int) -> Event {
    Event(name: "events.lost", level: .warning, label: "events", fields: [Field("count", "\(count)")])
  }
}
