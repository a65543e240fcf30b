import Foundation
import StoicLocalServer
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

@Suite("Descriptors and threads", .timeLimit(.minutes(1)))
struct DescriptorTests {
  #if os(Linux)
  /// Other tests run in this process meanwhile, so a leak of one a cycle must stand out from what they hold.
  @Test("Starting and stopping leaks no descriptor and no thread", arguments: ["fd", "task"])
  func leaks(kind: String) async throws {
    let cycles = 400
    let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
    for cycle in 0..<cycles {
      let server = try await LocalServer.start { _ in .hang }
      let client = try RawClient(port: server.port)
      try await client.get("/")
      #expect(await server.waitForRequests(1))
      // Every other one is only forgotten.
      if cycle.isMultiple(of: 2) { server.stop() }
    }
    let after = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
    #expect(after - before < cycles / 2)
  }
  #endif

  @Test("The server's descriptors are closed on exec and never block")
  func closeOnExec() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    let numbers = (0..<Int32(4096)).filter { port(of: $0) == server.port }
    #expect(numbers.count == 2)
    for number in numbers {
      #expect(fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
      #expect(fcntl(number, F_GETFL) & O_NONBLOCK != 0)
    }
  }

  /// The local port of a socket on 127.0.0.1; nil for other descriptors.
  private func port(of number: Int32) -> Int? {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
    }
    guard code == 0, address.sin_family == sa_family_t(AF_INET) else { return nil }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
