import StoicLocalServer
import Testing

@Suite("Slow and leaving clients", .timeLimit(.minutes(30)))
struct PressureTests {
  private static let twoGiB = 2 << 30

  private func start() async throws -> LocalServer {
    try await LocalServer.start { request in
      request.path == "/fast"
        ? .text("fast")
        : LocalServer.Response(
          status: 200, body: [.repeated(0x78, count: Self.twoGiB)], chunked: request.path == "/chunked")
    }
  }

  @Test(
    "2 GiB are offered, the client leaves after 1 MB, and little more was sent", arguments: ["/", "/chunked"])
  func leavesEarly(path: String) async throws {
    let server = try await start()
    defer { server.stop() }
    let client = try RawClient(port: server.port, receiveBuffer: 64 * 1024)
    try await client.get(path)
    let head = try await client.readHead()
    #expect(head.contains(path == "/" ? "Content-Length: 2147483648" : "Transfer-Encoding: chunked"))
    _ = try await client.read(1_000_000)
    try await client.leave()
    #expect(await server.waitForUndelivered(1))
    #expect(server.bytesSent > 900_000)
    #expect(server.bytesSent < 2_000_000)
    #expect(server.openConnections == 0)
  }

  @Test("A client that does not read holds up no other, and stops what is made for it")
  func slowReader() async throws {
    let server = try await start()
    defer { server.stop() }
    let slow = try RawClient(port: server.port, receiveBuffer: 64 * 1024)
    try await slow.get("/")
    _ = try await slow.readHead()
    let fast = try RawClient(port: server.port)
    for _ in 0..<50 {
      try await fast.get("/fast")
      #expect(try await fast.readResponse().body == "fast")
    }
    #expect(server.bytesSent > 0)
    #expect(server.bytesSent < 2_000_000)
  }

  @Test("A client that sends on while it is answered is read no further, and its reset is seen")
  func sendsOn() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { request in
      if request.path == "/held" { await gate.wait() }
      return .text("a")
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/held")
    #expect(await server.waitForRequests(1))
    let other = try RawClient(port: server.port)
    let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
    var sent = 0
    var refusals = 0
    while sent < 64_000_000, refusals < 20 {
      let count = try await client.sendWhatFits(bytes)
      sent += count
      refusals = count == 0 ? refusals + 1 : 0
      // By the time another client is answered, the server has had its turn to read from this one.
      try await other.get("/")
      _ = try await other.readResponse()
    }
    #expect(sent < 64_000_000)
    try await client.reset()
    #expect(await server.waitForUndelivered(1))
  }

  #if os(Linux)
  /// More than is read ahead, little enough that the system takes it and the client's end behind it.
  @Test("A client that leaves behind bytes that were not read is seen leaving")
  func leavesBehindBytes() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    try await client.send([UInt8](repeating: 0x61, count: 100_000))
    try await client.leave()
    #expect(await server.waitForUndelivered(1))
  }
  #endif

  @Test("A body of megabytes arrives whole")
  func megabytes() async throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13) }
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.bytes(bytes), .repeated(0x78, count: 5_000_000)])
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readHead().contains("Content-Length: 6000000"))
    #expect(try await client.read(1_000_000) == bytes)
    #expect(try await client.read(5_000_000) == [UInt8](repeating: 0x78, count: 5_000_000))
    #expect(server.bytesSent == 6_000_000)
  }

  @Test("Requests past what may be kept are answered and counted, not kept")
  func recordLimit() async throws {
    var limits = LocalServer.Limits()
    limits.recordedBytes = 3000
    let server = try await LocalServer.start(limits: limits) { request in .text(request.path) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    for number in 0..<20 {
      try await client.get("/\(number)")
      #expect(try await client.readResponse().body == "/\(number)")
    }
    #expect(server.counts.requests == 20)
    #expect(server.requests.map(\.path) == ["/0", "/1", "/2", "/3", "/4"])
  }
}
