#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Runs a function to its end on a new thread whose stack has 512 KiB, as Apple's secondary threads have.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  onStack(of: 512 << 10, body)
}

/// Runs a function to its end on a new thread whose stack has so many bytes.
func onStack<Result: Sendable>(of size: Int, _ body: @escaping @Sendable () -> Result) -> Result? {
  let job = Job { Slot.result(body()) }
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  defer { attributes.deallocate() }
  guard pthread_attr_init(attributes) == 0 else { return nil }
  defer { pthread_attr_destroy(attributes) }
  guard pthread_attr_setstacksize(attributes, size) == 0 else { return nil }
  let argument = Unmanaged.passRetained(job).toOpaque()
  #if canImport(Darwin)
  var thread: pthread_t?
  let status = pthread_create(&thread, attributes, { runJob($0) }, argument)
  #else
  var started = pthread_t()
  let status = pthread_create(&started, attributes, { $0.flatMap(runJob) }, argument)
  let thread: pthread_t? = started
  #endif
  guard status == 0, let thread else {
    Unmanaged<Job>.fromOpaque(argument).release()
    return nil
  }
  pthread_join(thread, nil)
  return (job.slot as? Slot<Result>)?.value
}

private struct Slot<Value: Sendable>: Sendable {
  let value: Value

  static func result(_ value: Value) -> any Sendable { Slot(value: value) }
}

// One thread writes `slot` before it ends, the other reads it after joining the first.
private final class Job: @unchecked Sendable {
  private let body: @Sendable () -> any Sendable
  private(set) var slot: (any Sendable)?

  init(_ body: @escaping @Sendable () -> any Sendable) {
    self.body = body
  }

  func run() {
    slot = body()
  }
}

private func runJob(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
  Unmanaged<Job>.fromOpaque(argument).takeRetainedValue().run()
  return nil
}
