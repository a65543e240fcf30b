#if os(Linux) || os(macOS)
import CCurl

/// A detached thread that takes no signals.
enum EngineThread {
  private final class Start: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread; false when there is none to be had.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    // The thread takes the reference over, unless there is no thread.
    let start = Unmanaged.passRetained(Start(body))
    let code = stoic_curl_start_thread(
      { context in
        guard let context else { return }
        Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
      }, start.toOpaque())
    if code != 0 { start.release() }
    return code == 0
  }
}
#endif
