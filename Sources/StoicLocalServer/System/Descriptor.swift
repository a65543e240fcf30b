#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// What one non-blocking read or write did.
enum Transfer {
  case moved(Int)
  case wouldBlock
  case ended
  case failed
}

/// The system calls on a file descriptor that the server makes; every descriptor is non-blocking and closed on exec.
struct Descriptor: Hashable, Sendable {
  /// The kind to ask `socket` for: close-on-exec and non-blocking from the start where the system can.
  static var streamKind: Int32 {
    #if canImport(Darwin)
    SOCK_STREAM
    #elseif canImport(Glibc)
    Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif
  }

  let number: Int32

  /// Makes it non-blocking, closed on exec and, where that is an option of the socket, free of SIGPIPE.
  func makePrivate() {
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    #if canImport(Darwin)
    set(SO_NOSIGPIPE, of: SOL_SOCKET, to: 1)
    #endif
  }

  /// Sets an option that the server can do without.
  func set(_ option: Int32, of level: Int32, to value: Int32) {
    var value = value
    setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  func close() {
    #if canImport(Darwin)
    _ = Darwin.close(number)
    #elseif canImport(Glibc)
    _ = Glibc.close(number)
    #elseif canImport(Musl)
    _ = Musl.close(number)
    #endif
  }

  /// Closes the connection so that the peer sees a reset instead of an orderly end.
  func reset() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
    close()
  }

  func endWriting() {
    shutdown(number, Int32(SHUT_WR))
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
    while true {
      let count = recv(number, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .moved(count) }
      if count == 0 { return .ended }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Transfer {
    #if canImport(Darwin)
    let flags: Int32 = 0  // SO_NOSIGPIPE is set on the socket instead
    #else
    let flags = Int32(MSG_NOSIGNAL)
    #endif
    while true {
      let count = send(number, bytes.baseAddress, bytes.count, flags)
      if count >= 0 { return .moved(count) }
      if errno == EINTR { continue }
      return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
  }
}
