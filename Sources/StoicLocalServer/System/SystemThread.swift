#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A detached thread that takes no signals.
enum SystemThread {
  private final class Start: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func run() {
      var signals = sigset_t()
      sigfillset(&signals)
      // Left alone, so that a crash still shows its backtrace.
      for fault in [SIGILL, SIGTRAP, SIGBUS, SIGFPE, SIGSEGV] { sigdelset(&signals, fault) }
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      pthread_detach(pthread_self())
      body()
    }
  }

  /// A number that tells the calling thread from every other living one.
  static var current: UInt {
    #if canImport(Glibc)
    UInt(pthread_self())
    #else
    UInt(bitPattern: pthread_self())
    #endif
  }

  /// Starts the thread, or throws what the system said.
  static func start(_ body: @escaping @Sendable () -> Void) throws(LocalServer.StartError) {
    let start = Unmanaged.passRetained(Start(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(
      &thread, nil,
      { argument in
        Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, start.toOpaque())
    #else
    var thread = pthread_self()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, start.toOpaque())
    #endif
    if code != 0 {
      start.release()
      throw LocalServer.StartError(call: "pthread_create", code: code)
    }
  }
}
