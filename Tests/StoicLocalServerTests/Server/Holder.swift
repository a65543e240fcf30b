import StoicLocalServer
import Synchronization

/// A place for a server that its own handler can reach.
final class Holder: Sendable {
  let gate = LocalServer.Gate()
  private let server = Mutex<LocalServer?>(nil)

  func hold(_ server: LocalServer) { self.server.withLock { $0 = server } }

  func stop() { server.withLock { $0 }?.stop() }

  func release() { server.withLock { $0 = nil } }
}
