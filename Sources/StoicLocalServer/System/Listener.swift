#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A socket that listens on 127.0.0.1.
struct Listener: Sendable {
  enum Arrival {
    case connection(Descriptor)
    case none
    case shortage
  }

  /// Small, so that little more leaves the server than a slow client has asked for.
  static let sendBufferBytes: Int32 = 128 * 1024

  let descriptor: Descriptor
  let port: Int

  /// Opens the socket on `port`, or on one the system picks for 0.
  init(port: Int) throws(LocalServer.StartError) {
    guard let wanted = UInt16(exactly: port) else { throw LocalServer.StartError(call: "bind", code: EINVAL) }
    let number = socket(AF_INET, Descriptor.streamKind, 0)
    guard number >= 0 else { throw LocalServer.StartError(call: "socket", code: errno) }
    descriptor = Descriptor(number: number)
    descriptor.makePrivate()
    descriptor.set(SO_REUSEADDR, of: SOL_SOCKET, to: 1)
    descriptor.set(SO_SNDBUF, of: SOL_SOCKET, to: Self.sendBufferBytes)
    do throws(LocalServer.StartError) {
      self.port = try Self.bind(descriptor, to: wanted)
      guard listen(number, 512) == 0 else { throw LocalServer.StartError(call: "listen", code: errno) }
    } catch {
      descriptor.close()
      throw error
    }
  }

  /// Takes the next waiting connection, if there is one.
  func accept() -> Arrival {
    while true {
      #if canImport(Darwin)
      let number = Darwin.accept(descriptor.number, nil, nil)
      #elseif canImport(Glibc)
      let number = Glibc.accept(descriptor.number, nil, nil)
      #elseif canImport(Musl)
      let number = Musl.accept(descriptor.number, nil, nil)
      #endif
      if number >= 0 {
        let connection = Descriptor(number: number)
        connection.makePrivate()
        connection.set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1)
        return .connection(connection)
      }
      switch errno {
      case EINTR, ECONNABORTED: continue
      case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .shortage
      default: return .none
      }
    }
  }

  private static func bind(
    _ descriptor: Descriptor, to port: UInt16
  ) throws(LocalServer.StartError) -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        #if canImport(Darwin)
        guard Darwin.bind(descriptor.number, address, size) == 0 else { return errno }
        #elseif canImport(Glibc)
        guard Glibc.bind(descriptor.number, address, size) == 0 else { return errno }
        #elseif canImport(Musl)
        guard Musl.bind(descriptor.number, address, size) == 0 else { return errno }
        #endif
        return getsockname(descriptor.number, address, &size) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw LocalServer.StartError(call: "bind", code: code) }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
