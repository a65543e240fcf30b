#if canImport(FoundationNetworking)
import Foundation

/// A serial queue whose callers wait while too much of what they added is undone.
///
/// The loading system on Linux reads a response as fast as the peer sends it and piles the pieces up for its
/// delegate; it cannot be told to wait. But it adds every piece here, from the thread that reads, so holding up that
/// thread is the one way to hold up the peer.
///
/// Unchecked because `OperationQueue` is not known to be safe to subclass; all that is added here is constant or
/// behind the condition's lock.
final class BoundedQueue: OperationQueue, @unchecked Sendable {
  private let condition = NSCondition()
  private let limit: Int
  private var count = 0
  private var exemptions = 0

  /// - Parameter limit: how many pieces may wait or run, at least 1.
  init(limit: Int) {
    self.limit = limit
    super.init()
    maxConcurrentOperationCount = 1
  }

  override func addOperation(_ block: @escaping @Sendable () -> Void) {
    condition.withLock {
      while count >= limit && exemptions == 0 { condition.wait() }
      count += 1
    }
    super.addOperation { [self] in
      block()
      condition.withLock {
        count -= 1
        condition.signal()
      }
    }
  }

  /// Runs a body that may have to wait for the thread that adds; nobody waits to add meanwhile.
  func withoutBound(_ body: () -> Void) {
    condition.withLock {
      exemptions += 1
      condition.broadcast()
    }
    body()
    condition.withLock { exemptions -= 1 }
  }
}
#endif
