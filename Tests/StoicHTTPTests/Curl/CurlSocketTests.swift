#if os(Linux) || os(macOS)
import CCurl
import Foundation
import StoicHTTP
import StoicLocalServer
import Testing

@Suite("What comes on a kept connection", .timeLimit(.minutes(30)))
struct CurlSocketTests {
  @Test(
    "A used connection is looked at for what nobody asked for, unless it speaks HTTP/2 or may",
    arguments: [nil, false, true] as [Bool?], [false, true])
  func stray(_ speaksHTTP2: Bool?, mayBeHTTP2: Bool) async throws {
    let server = try await LocalServer.start { _ in .text("") }
    defer { server.stop() }
    let descriptor = try #require(Self.connected(to: server.port))
    defer { close(descriptor) }
    let ports = stoic_socket_ports(descriptor)
    let place = OpenSockets.Ports(local: Int32(ports >> 16), remote: Int32(ports & 0xFFFF))
    let sockets = OpenSockets()
    sockets.add(descriptor)
    func isStray(unread: Bool = false) -> Bool {
      sockets.hasStrayInput(between: place, mayBeHTTP2: mayBeHTTP2, hasUnread: unread)
    }
    // What comes before the first request is not looked at.
    #expect(!isStray(unread: true))
    if let speaksHTTP2 { sockets.note(place, speaksHTTP2: speaksHTTP2) }
    let isLookedAt = !(speaksHTTP2 ?? mayBeHTTP2)
    #expect(!isStray())
    #expect(isStray(unread: true) == isLookedAt)
    let request = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    #expect(write(descriptor, request, request.count) == request.count)
    var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&wanted, 1, 0) == 0 { await Task.yield() }
    #expect(isStray() == isLookedAt)
  }

  private static func connected(to port: Int) -> Int32? {
    #if os(Linux)
    let stream = Int32(SOCK_STREAM.rawValue)
    #else
    let stream = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, stream, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port).bigEndian)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    return code == 0 ? descriptor : nil
  }
}
#endif
