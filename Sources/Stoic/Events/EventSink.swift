/// Receives events.
///
/// Put one in force with ``withEvents(_:_:)``.
///
/// A sink is called from any task, also from several at once, never under a lock of this package; it should return
/// quickly and must not block.
public protocol EventSink: Sendable {
  /// Whether an event of this name and level would be used; when not, it is not even built.
  func wants(_ name: String, _ level: Event.Level) -> Bool

  /// Takes an event that ``wants(_:_:)`` agreed to.
  func record(_ event: Event)
}

extension EventSink {
  /// Every event is wanted unless a sink says otherwise.
  public func wants(_ name: String, _ level: Event.Level) -> Bool { true }
}

/// Hands each event to a closure.
public struct ClosureSink: EventSink {
  private let handle: @Sendable (Event) -> Void

  /// Makes a sink of a closure, which is called from any task.
  public init(_ handle: @escaping @Sendable (Event) -> Void) {
    self.handle = handle
  }

  /// Calls the closure.
  public func record(_ event: Event) { handle(event) }
}

/// Wants nothing: the sink in force until another one is put there.
struct NoEvents: EventSink {
  func wants(_ name: String, _ level: Event.Level) -> Bool { false }
  func record(_ event: Event) {}
}
