import StoicLocalServer
import Testing

@Suite("Connections", .timeLimit(.minutes(30)))
struct ConnectionTests {
  @Test("Requests on one connection are answered in order, pipelined or not")
  func keepAlive() async throws {
    let server = try await LocalServer.start { request in .text(request.path) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    for path in ["/1", "/2"] {
      try await client.get(path)
      #expect(try await client.readResponse().body == path)
    }
    let paths = (3...50).map { "/\($0)" }
    try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
    for path in paths { #expect(try await client.readResponse().body == path) }
    #expect(server.connectionsAccepted == 1)
    #expect(server.requests.map(\.path) == ["/1", "/2"] + paths)
    #expect(Set(server.requests.map(\.connection)) == [1])
  }

  @Test("Far more is pipelined than is kept ahead, and all of it is answered")
  func deepPipeline() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await gate.wait()
      return .raw("x", keepAlive: true)
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let count = 1000
    let request = "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 400))\r\n\r\n"
    let sending = Task { try await client.send(String(repeating: request, count: count)) }
    #expect(await server.waitForRequests(1))
    gate.open()
    try await sending.value
    #expect(try await client.readText(count) == String(repeating: "x", count: count))
    #expect(server.requests.count == count)
  }

  @Test(
    "A connection is closed after the response when either side says so",
    arguments: ["HTTP/1.1\r\nConnection: close\r\n", "HTTP/1.0\r\n"])
  func close(rest: String) async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("GET / \(rest)\r\n")
    let text = try await client.readToEnd()
    #expect(text.hasPrefix("HTTP/1.1 200 \r\n"))
    #expect(text.hasSuffix("Connection: close\r\n\r\na"))
    #expect(await server.waitForOpenConnections(atMost: 0))
    #expect(server.counts.disconnects == 0)
  }

  @Test("A client that leaves between requests is a disconnect, and nothing is undelivered")
  func leavesIdle() async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    _ = try await client.readResponse()
    try await client.leave()
    #expect(await server.waitForDisconnects(1))
    #expect(server.counts.undelivered == 0)
    #expect(server.counts.responses == 1)
  }

  @Test("A client that ends only its own side counts as gone")
  func endsWriting() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    try await client.endWriting()
    #expect(try await client.readToEnd() == "")
    #expect(await server.waitForUndelivered(1))
    #expect(server.counts.requests == 1)
  }

  @Test("A client that leaves in the middle of a request has sent none")
  func leavesInRequest() async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")
    try await client.leave()
    #expect(await server.waitForDisconnects(1))
    #expect(server.counts.requests == 0)
    #expect(server.counts.undelivered == 0)
  }

  @Test("Connections past the limit wait until one is free")
  func limit() async throws {
    var limits = LocalServer.Limits()
    limits.connections = 1
    let server = try await LocalServer.start(limits: limits) { _ in .text("a") }
    defer { server.stop() }
    let first = try RawClient(port: server.port)
    let second = try RawClient(port: server.port)
    try await second.get("/second")
    try await first.get("/first")
    #expect(try await first.readResponse().body == "a")
    #expect(server.connectionsAccepted == 1)
    try await first.leave()
    #expect(try await second.readResponse().body == "a")
    #expect(server.connectionsAccepted == 2)
    #expect(server.requests.map(\.path) == ["/first", "/second"])
  }

  @Test("Many servers at once keep to themselves")
  func parallel() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<16 {
        group.addTask {
          let server = try await LocalServer.start { request in .text("\(number) \(request.path)") }
          defer { server.stop() }
          let clients = try (0..<4).map { _ in try RawClient(port: server.port) }
          for round in 0..<5 {
            for client in clients { try await client.get("/\(round)") }
            for client in clients { #expect(try await client.readResponse().body == "\(number) /\(round)") }
          }
          #expect(server.counts.requests == 20)
          // Optimised code would let the clients go, and their connections, before the count.
          #expect(withExtendedLifetime(clients) { server.openConnections } == 4)
        }
      }
      try await group.waitForAll()
    }
  }
}
