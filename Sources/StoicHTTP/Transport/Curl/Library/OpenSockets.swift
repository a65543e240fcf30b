#if os(Linux) || os(macOS)
import CCurl

/// The sockets of one thread's connections, found by their ports: libcurl tells which it is about to use by nothing else.
///
/// For the engine's thread alone. A socket that libcurl has closed stays in here until its number is given out again;
/// whatever has that number by then is told from it by its ports.
package final class OpenSockets {
  /// What a connection is known by; two with the same ports, to different hosts, are rare.
  package struct Ports: Hashable {
    fileprivate let key: Int

    package init(local: Int32, remote: Int32) { key = Int(local) << 16 | Int(remote) }

    fileprivate init(key: Int) { self.key = key }
  }

  private struct Socket {
    let descriptor: Int32
    /// Whether a request went over it.
    var isUsed = false
    /// Whether it was heard to speak HTTP/2; nil before it was heard at all.
    var speaksHTTP2: Bool?
    /// Whether another one has the same ports.
    var isDoubtful = false
  }

  private var sockets: [Ports: Socket] = [:]
  private var ports: [Int32: Ports] = [:]
  /// Those that were not connected when they were last looked at.
  private var young: [Int32] = []

  package init() {}

  /// Takes a socket in, before it is connected.
  package func add(_ descriptor: Int32) {
    if let old = ports.removeValue(forKey: descriptor), sockets[old]?.descriptor == descriptor {
      sockets[old] = nil
    }
    young.removeAll { $0 == descriptor }
    young.append(descriptor)
  }

  /// Notes what was heard on a connection.
  package func note(_ place: Ports, speaksHTTP2: Bool) { sockets[place]?.speaksHTTP2 = speaksHTTP2 }

  /// Whether a connection was heard to speak HTTP/2; nil where it was not heard.
  func speaksHTTP2(_ place: Ports) -> Bool? { sockets[place]?.speaksHTTP2 }

  /// Whether there is something to be read on a connection that was used before; from now on it counts as used.
  ///
  /// Nobody has asked for what came, and it would be taken for the answer to the next request. Over HTTP/2 a server says
  /// things at any time, so there it is not looked.
  ///
  /// - Parameters:
  ///   - mayBeHTTP2: whether a connection that was not heard yet may speak HTTP/2.
  ///   - hasUnread: whether something was taken from the socket and not read.
  package func hasStrayInput(
    between wanted: Ports, mayBeHTTP2: Bool, hasUnread: @autoclosure () -> Bool = false
  ) -> Bool {
    if !isOpen(wanted) { sockets[wanted] = nil }
    placeYoung()
    guard var socket = sockets[wanted] else { return false }
    if socket.isDoubtful { return true }
    guard socket.isUsed else {
      socket.isUsed = true
      sockets[wanted] = socket
      return false
    }
    guard !(socket.speaksHTTP2 ?? mayBeHTTP2) else { return false }
    return hasUnread() || stoic_socket_has_input(socket.descriptor)
  }

  /// Whether what is known by these ports is still what it was.
  private func isOpen(_ wanted: Ports) -> Bool {
    guard let socket = sockets[wanted] else { return false }
    return stoic_socket_ports(socket.descriptor) == wanted.key
  }

  private func placeYoung() {
    young.removeAll { descriptor in
      let key = stoic_socket_ports(descriptor)
      guard key != 0 else { return false }
      guard key > 0 else { return true }
      let place = Ports(key: key)
      sockets[place] = Socket(descriptor: descriptor, isDoubtful: isOpen(place))
      ports[descriptor] = place
      return true
    }
  }
}
#endif
