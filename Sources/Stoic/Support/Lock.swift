#if STOIC_PTHREAD_LOCK
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A value that is only reached with its lock held.
///
/// This is the form for builds with the thread sanitizer, which does not see `Synchronization.Mutex` and reports
/// races that are none; a POSIX mutex it understands.
package final class Lock<Value>: @unchecked Sendable {
  // Unchecked because the compiler cannot see that `value` is only touched between lock and unlock below.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
#else
public import Synchronization

/// A value that is only reached with its lock held.
///
/// Never call a caller's code and never resume a continuation inside ``withLock(_:)``: take out what has to be done,
/// and do it after the lock is released.
///
/// Other modules get its code as well, since it is usable from inlined code: a lock that is not inlined looks types up as it
/// runs.
@usableFromInline package struct Lock<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>

  @inlinable package init(_ value: sending Value) {
    mutex = Mutex(value)
  }

  @inlinable package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock(body)
  }
}
#endif
