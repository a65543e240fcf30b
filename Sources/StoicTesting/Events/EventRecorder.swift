public import Stoic

/// A sink that keeps every event, and lets a test wait for one.
///
/// ```swift
/// let events = EventRecorder()
/// try await withEvents(events) { … }
/// #expect(events.events.map(\.name) == ["http.request", "retry.scheduled", "http.retry", "http.request"])
/// ```
public final class EventRecorder: EventSink {
  private struct State {
    var events: [Event] = []
    var waiting: [(name: String, count: Int, bell: WakeUp)] = []
  }

  private let state = Lock(State())

  /// Makes a recorder without events.
  public init() {}

  /// The events so far, in the order in which they were recorded.
  public var events: [Event] { state.withLock { $0.events } }

  /// The events of one name so far.
  public func events(named name: String) -> [Event] { events.filter { $0.name == name } }

  /// Keeps an event.
  public func record(_ event: Event) {
    let bells = state.withLock { state in
      state.events.append(event)
      let seen = state.events.count { $0.name == event.name }
      let satisfied = state.waiting.filter { $0.name == event.name && $0.count <= seen }
      state.waiting.removeAll { $0.name == event.name && $0.count <= seen }
      return satisfied.map(\.bell)
    }
    for bell in bells { bell.ring() }
  }

  /// Waits until at least so many events of a name have been recorded, counted from the start.
  ///
  /// Returns early, with fewer, only when the task that calls it is cancelled.
  public func wait(for name: String, count: Int = 1) async {
    let bell = WakeUp()
    let isEnough = state.withLock { state in
      if state.events.count(where: { $0.name == name }) >= count { return true }
      state.waiting.append((name, count, bell))
      return false
    }
    guard !isEnough else { return }
    await bell.wait()
    // Where it was the cancellation that rang.
    state.withLock { $0.waiting.removeAll { $0.bell === bell } }
  }
}
