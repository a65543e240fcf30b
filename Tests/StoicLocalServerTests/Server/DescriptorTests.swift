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

/// One after the other, since they count what the process holds.
@Suite("Descriptors and threads", .serialized, .timeLimit(.minutes(30)))
struct DescriptorTests {
  #if os(Linux)
  /// Other tests run in this process meanwhile, so a leak of one a cycle must stand out from what they hold, and what they
  /// hold is waited out.
  @Test("Starting and stopping leaks no descriptor and no thread")
  func leaks() async throws {
    let cycles = 300
    let before = try (count(of: "fd"), count(of: "task"))
    for cycle in 0..<cycles {
      let server = try await LocalServer.start { _ in .hang }
      let client = try RawClient(port: server.port)
      try await client.get("/")
      #expect(await server.waitForRequests(1))
      // Every other one is only forgotten.
      if cycle.isMultiple(of: 2) { server.stop() }
    }
    #expect(try await falls("fd", below: before.0 + cycles / 2))
    #expect(try await falls("task", below: before.1 + cycles / 2))
  }

  @Test("Servers that are stopped at any moment of what their clients do leave nothing", arguments: 0..<4)
  func stoppedAnywhere(seed: UInt64) async throws {
    var random = Random(state: seed)
    let cycles = 60
    let before = try (count(of: "fd"), count(of: "task"))
    for _ in 0..<cycles {
      let server = try await LocalServer.start(admitting: { _ in .read }) { request in
        request.path == "/big"
          ? LocalServer.Response(status: 200, body: [.repeated(0x78, count: 10_000_000)])
          : .text("a").interrupted(after: 5, by: .pause(.milliseconds(1)))
      }
      let steps = Int.random(in: 0...8, using: &random)
      let port = server.port
      let clients = Task {
        await withTaskGroup(of: Void.self) { group in
          for number in 0..<6 { group.addTask { await Self.visit(port, number) } }
        }
      }
      let waiting = Task {
        steps == 8
          ? await server.waitForResponses(1) : await server.waitForConnections(min(steps, 6))
      }
      // All may have left before any response was whole.
      let leaving = Task {
        await clients.value
        waiting.cancel()
      }
      _ = await waiting.value
      server.stop()
      await leaving.value
      #expect(server.openConnections == 0)
    }
    #expect(try await falls("fd", below: before.0 + cycles))
    #expect(try await falls("task", below: before.1 + cycles / 2))
  }

  /// Whatever comes of it: the server may be gone at every step.
  private static func visit(_ port: Int, _ number: Int) async {
    guard let client = try? RawClient(port: port) else { return }
    try? await client.send(
      "PUT /\(number % 2 == 0 ? "big" : "a") HTTP/1.1\r\nContent-Length: 3\r\n\r\nab")
    try? await client.send(number == 5 ? "\r\nnonsense\r\n" : "c")
    _ = try? await client.read(number * 20_000)
    if number == 3 { try? await client.reset() }
  }

  @Test("A thousand connections at once are served, and leave nothing")
  func thousand() async throws {
    // Each takes two descriptors here, the client's and the server's; the rest is for the other tests.
    let count = min(1000, sysconf(Int32(_SC_OPEN_MAX)) / 4)
    let before = try self.count(of: "fd")
    let server = try await LocalServer.start { request in .text(request.path) }
    let clients = try (0..<count).map { _ in try RawClient(port: server.port) }
    for (number, client) in clients.enumerated() { try await client.get("/\(number)") }
    for (number, client) in clients.enumerated() {
      #expect(try await client.readResponse().body == "/\(number)")
    }
    #expect(server.openConnections == count)
    server.stop()
    #expect(try self.count(of: "fd") - before < withExtendedLifetime(clients) { count + count / 2 })
  }

  /// Whether the count comes to less than that while servers come and go.
  private func falls(_ kind: String, below bound: Int) async throws -> Bool {
    for _ in 0..<5000 {
      if try count(of: kind) < bound { return true }
      let server = try await LocalServer.start { _ in .text("a") }
      let client = try RawClient(port: server.port)
      try await client.get("/")
      _ = try await client.readResponse()
      server.stop()
    }
    return false
  }

  private func count(of kind: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count
  }
  #endif

  @Test("The server's descriptors are closed on exec and never block")
  func closeOnExec() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    let numbers = (0..<Int32(65_536)).filter { port(of: $0) == server.port }
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
