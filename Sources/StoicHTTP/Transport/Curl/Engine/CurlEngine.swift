#if os(Linux) || os(macOS)
import Foundation
import Stoic

/// A thread that moves the bytes of exchanges, as everybody else sees it: a place to leave commands.
final class CurlEngine: Sendable {
  let settings: CurlSettings
  private let inbox: Lock<CurlInbox>
  private let tally = Lock(CurlTransport.Counts())

  init(_ settings: CurlSettings) throws(CurlTransport.Unavailable) {
    self.settings = settings
    guard let multi = MultiHandle(settings) else {
      throw CurlTransport.Unavailable(reason: "the system has no descriptor or memory left")
    }
    inbox = Lock(CurlInbox(waker: multi.waker))
    guard EngineThread.start({ [self] in CurlLoop(self, multi).run() }) else {
      throw CurlTransport.Unavailable(reason: "the system has no thread left")
    }
  }

  var counts: CurlTransport.Counts { tally.withLock { $0 } }

  func count(_ change: CurlTransport.Counts) {
    tally.withLock { $0.add(change) }
  }

  /// Starts an exchange; one that cannot be started any more ends here.
  func start(_ call: CurlCall) {
    if !inbox.withLock({ $0.add(.start(call)) }) { call.end(as: .failed(.cancelled)) }
  }

  /// Ends an exchange early.
  func end(_ call: CurlCall, as ending: CurlCall.Ending) {
    guard call.end(as: ending) else { return }
    _ = inbox.withLock { $0.add(.drop(call)) }
  }

  /// Lets an exchange go on that waits for room in its stream.
  func resume(_ call: CurlCall) {
    _ = inbox.withLock { $0.add(.resume(call)) }
  }

  /// Ends all exchanges and the thread.
  func stop() { inbox.withLock { $0.stop() } }

  /// Returns when the thread has ended.
  func ended() async {
    await withCheckedContinuation { continuation in
      if !inbox.withLock({ $0.wait(continuation) }) { continuation.resume() }
    }
  }
}

// For the thread itself.
extension CurlEngine {
  /// What there is to do, and whether it is the last.
  func take() -> (commands: [CurlInbox.Command], isLast: Bool) {
    inbox.withLock { ($0.take(), $0.isStopped) }
  }

  func mayWait() -> Bool { inbox.withLock { $0.fallAsleep() } }

  func replace(waker: MultiHandle.Waker?) { inbox.withLock { $0.replace(waker: waker) } }

  func close() {
    for waiting in inbox.withLock({ $0.close() }) { waiting.resume() }
  }
}

extension MultiHandle {
  convenience init?(_ settings: CurlSettings) {
    self.init(connectionsPerHost: settings.connectionsPerHost, idleConnections: settings.idleConnections)
  }
}
#endif
