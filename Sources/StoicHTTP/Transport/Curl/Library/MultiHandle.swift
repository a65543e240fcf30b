#if os(Linux) || os(macOS)
import CCurl

/// The transfers of one thread, and the connections that they share.
///
/// For one thread at a time, except for what ``waker`` does; its maker hands it to the engine's thread. Closing it closes
/// every connection; all transfers have to be removed and all wakers out of use by then.
///
/// Unchecked because the compiler does not see that the maker lets go of it.
final class MultiHandle: @unchecked Sendable {
  /// Ends a wait, from any thread.
  ///
  /// Unchecked because libcurl allows this one call from any thread; whoever holds a waker sees to it that the handle is
  /// not freed meanwhile.
  struct Waker: @unchecked Sendable {
    fileprivate let pointer: OpaquePointer

    func wake() { stoic_curl_multi_wake(pointer) }
  }

  /// Nil when closed; libcurl takes that for an error and does nothing.
  private var pointer: OpaquePointer?

  /// Nil when descriptors or memory have run out.
  ///
  /// - Parameters:
  ///   - connectionsPerHost: how many connections there may be to one host.
  ///   - idleConnections: how many unused connections are kept.
  init?(connectionsPerHost: Int, idleConnections: Int) {
    guard let pointer = stoic_curl_multi_make() else { return nil }
    self.pointer = pointer
    stoic_curl_multi_set_number(pointer, STOIC_CURLMOPT_MAX_HOST_CONNECTIONS, connectionsPerHost)
    stoic_curl_multi_set_number(pointer, STOIC_CURLMOPT_MAXCONNECTS, idleConnections)
  }

  deinit { close() }

  /// Closes all connections; nothing is possible after it.
  func close() {
    guard let pointer else { return }
    stoic_curl_multi_free(pointer)
    self.pointer = nil
  }

  var waker: Waker? { pointer.map { Waker(pointer: $0) } }

  /// Starts a transfer; false when memory has run out.
  func add(_ easy: EasyHandle) -> Bool { stoic_curl_multi_add(pointer, easy.pointer) == 0 }

  /// Ends a transfer, whatever it is doing.
  func remove(_ easy: EasyHandle) { stoic_curl_multi_remove(pointer, easy.pointer) }

  /// Does what can be done without waiting.
  func perform() { stoic_curl_multi_perform(pointer) }

  /// Waits for something to do, at most so long.
  func wait(milliseconds: Int32) { stoic_curl_multi_wait(pointer, milliseconds) }

  /// The next transfer that has ended, and with what code.
  func nextEnded() -> (transfer: CurlTransfer, code: Int32)? {
    var code: Int32 = 0
    while let easy = stoic_curl_multi_next_ended(pointer, &code) {
      if let transfer = CurlCallbacks.transfer(stoic_curl_context(easy)) { return (transfer, code) }
    }
    return nil
  }
}
#endif
