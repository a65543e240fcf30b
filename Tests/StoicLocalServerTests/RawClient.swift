import Dispatch

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// A client that writes and reads bytes, on a thread that is not one of the cooperative pool.
///
/// Every call is bounded by a socket timeout, so that a server that is silent fails a test instead of hanging it.
final class RawClient: Sendable {
  enum Failure: Error, Equatable {
    case cannotConnect
    case silence
    case reset
    case broken(Int32)
    case endedEarly
  }

  #if canImport(Glibc)
  private static let streamKind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
  #else
  private static let streamKind = SOCK_STREAM
  #endif

  private let descriptor: Int32
  private let queue = DispatchQueue(label: "RawClient")

  /// Connects; `receiveBuffer` in bytes narrows what the system buffers for it.
  init(port: Int, receiveBuffer: Int32? = nil, silenceAfter seconds: Int = 20) throws {
    descriptor = socket(AF_INET, Self.streamKind, 0)
    guard descriptor >= 0 else { throw Failure.broken(errno) }
    var timeout = timeval(tv_sec: seconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(descriptor, SOL_SOCKET, option, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    #if canImport(Darwin)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let socket = descriptor
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else {
      Self.close(socket)
      throw Failure.cannotConnect
    }
  }

  deinit { Self.close(descriptor) }

  /// Sends all of the text; throws when the server has closed or does not read.
  func send(_ text: String) async throws { try await send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) async throws {
    try await run { descriptor in
      #if canImport(Darwin)
      let flags: Int32 = 0
      #else
      let flags = Int32(MSG_NOSIGNAL)
      #endif
      var sent = 0
      while sent < bytes.count {
        let count = bytes[sent...].withUnsafeBytes {
          #if canImport(Darwin)
          Darwin.send(descriptor, $0.baseAddress, $0.count, flags)
          #elseif canImport(Glibc)
          Glibc.send(descriptor, $0.baseAddress, $0.count, flags)
          #elseif canImport(Musl)
          Musl.send(descriptor, $0.baseAddress, $0.count, flags)
          #endif
        }
        guard count >= 0 else { throw Self.failure(errno) }
        sent += count
      }
    }
  }

  /// Sends as much as the system takes at once, and returns how much that was.
  func sendWhatFits(_ bytes: [UInt8]) async throws -> Int {
    try await run { descriptor in
      let count = bytes.withUnsafeBytes {
        #if canImport(Darwin)
        Darwin.send(descriptor, $0.baseAddress, $0.count, MSG_DONTWAIT)
        #elseif canImport(Glibc)
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        #elseif canImport(Musl)
        Musl.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        #endif
      }
      if count >= 0 { return count }
      let failure = Self.failure(errno)
      guard failure == .silence else { throw failure }
      return 0
    }
  }

  /// Reads exactly that many bytes.
  func read(_ count: Int) async throws -> [UInt8] {
    try await run { descriptor in
      var bytes: [UInt8] = []
      while bytes.count < count {
        let more = try Self.receive(descriptor, upTo: count - bytes.count)
        guard !more.isEmpty else { throw Failure.endedEarly }
        bytes += more
      }
      return bytes
    }
  }

  func readText(_ count: Int) async throws -> String {
    String(decoding: try await read(count), as: UTF8.self)
  }

  /// Reads a head: everything up to and with the next empty line.
  func readHead() async throws -> String {
    try await run { descriptor in
      var bytes: [UInt8] = []
      while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) {
        let more = try Self.receive(descriptor, upTo: 1)
        guard !more.isEmpty else { throw Failure.endedEarly }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  /// Reads a head and a body of the length that the head gives.
  func readResponse() async throws -> (head: String, body: String) {
    let head = try await readHead()
    let line = head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
    let length = line.flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
    return (head, try await readText(length))
  }

  /// Reads until the server ends the connection in order; a reset throws.
  func readToEnd() async throws -> String {
    try await run { descriptor in
      var bytes: [UInt8] = []
      while true {
        let more = try Self.receive(descriptor, upTo: 64 * 1024)
        guard !more.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        bytes += more
      }
    }
  }

  /// Ends the connection, with a reset if bytes are left unread.
  func leave() async throws {
    // `shutdown` and not `close`: the number must not be used again while this object holds it.
    try await run { _ = shutdown($0, Int32(SHUT_RDWR)) }
  }

  /// Ends the connection with a reset.
  func reset() async throws {
    try await run { descriptor in
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      // Puts something else in the socket's place, which closes it and keeps the number.
      let other = socket(AF_INET, Self.streamKind, 0)
      guard dup2(other, descriptor) == descriptor else { throw Failure.broken(errno) }
      Self.close(other)
    }
  }

  /// Ends the client's side only.
  func endWriting() async throws {
    try await run { _ = shutdown($0, Int32(SHUT_WR)) }
  }

  private func run<Result: Sendable>(_ body: @escaping @Sendable (Int32) throws -> Result) async throws
    -> Result
  {
    try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in continuation.resume(with: Swift.Result { try body(descriptor) }) }
    }
  }

  private static func receive(_ descriptor: Int32, upTo count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    while true {
      let received = recv(descriptor, &bytes, count, 0)
      if received >= 0 { return Array(bytes.prefix(received)) }
      if errno != EINTR { throw failure(errno) }
    }
  }

  private static func failure(_ code: Int32) -> Failure {
    switch code {
    case EAGAIN, EWOULDBLOCK: .silence
    case ECONNRESET, EPIPE: .reset
    default: .broken(code)
    }
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Darwin)
    _ = Darwin.close(descriptor)
    #elseif canImport(Glibc)
    _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
    _ = Musl.close(descriptor)
    #endif
  }
}

extension RawClient {
  /// Sends a GET of that path.
  func get(_ path: String) async throws {
    try await send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
  }
}
