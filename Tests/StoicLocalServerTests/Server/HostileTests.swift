import StoicLocalServer
import Testing

@Suite("Hostile clients", .timeLimit(.minutes(30)))
struct HostileTests {
  /// What a client may still get from a server that others are treating badly.
  private func expectAnswer(from server: LocalServer) async throws {
    let client = try RawClient(port: server.port)
    try await client.get("/fine")
    #expect(try await client.readResponse().body == "/fine")
  }

  /// Reads until the end, whichever it is.
  private func end(of client: RawClient) async -> String? {
    do { return try await client.readToEnd() } catch { return nil }
  }

  @Test("Garbage is refused or taken for what it is, and the server goes on", arguments: 0..<8)
  func garbage(seed: UInt64) async throws {
    let server = try await LocalServer.start(admitting: { _ in .read }) { request in .text(request.path) }
    defer { server.stop() }
    var random = Random(state: seed)
    let words = [
      "GET ", "/", " HTTP/1.1", "\r\n", "\n", "Content-Length: ", "Transfer-Encoding: chunked", ":", "9", "0",
      "\0", " ", "ÿ",
    ]
    for round in 0..<25 {
      var bytes: [UInt8] = []
      while bytes.count < 200 {
        if round.isMultiple(of: 2) {
          bytes.append(UInt8.random(in: 0...255, using: &random))
        } else {
          bytes += words.randomElement(using: &random)?.utf8 ?? "".utf8
        }
      }
      let client = try RawClient(port: server.port)
      // The server may have refused it and reset the connection before all of it was sent.
      try? await client.send(bytes)
      try? await client.endWriting()
      _ = await end(of: client)
    }
    try await expectAnswer(from: server)
    #expect(await server.waitForConnections(26))
    #expect(await server.waitForOpenConnections(atMost: 1))
  }

  @Test("Clients that send byte by byte, never to the end, hold up no other and are held in little memory")
  func slowLoris() async throws {
    let server = try await LocalServer.start { request in .text(request.path) }
    defer { server.stop() }
    let clients = try (0..<100).map { _ in try RawClient(port: server.port) }
    for byte in "GET / HTTP/1.1\r\nX-A: b\r\n".utf8 {
      for client in clients { try await client.send([byte]) }
    }
    try await expectAnswer(from: server)
    #expect(server.openConnections >= clients.count)
    #expect(server.requests.map(\.path) == ["/fine"])
    for client in clients.prefix(50) { try await client.send("\r\n") }
    for client in clients.prefix(50) { #expect(try await client.readResponse().body == "/") }
    for client in clients.dropFirst(50) { try await client.leave() }
    #expect(await server.waitForCutShort(50))
    #expect(server.counts.requests == 51)
  }

  @Test("A head of the longest length in the shortest fields is taken, one byte more is refused")
  func manyFields() async throws {
    let server = try await LocalServer.start { request in .text("\(request.headers.count)") }
    defer { server.stop() }
    let start = "GET / HTTP/1.1\r\n"
    let room = LocalServer.Limits().headBytes - start.utf8.count - 2
    let fields = String(repeating: "a:\r\n", count: room / 4 - 1)
    let rest = String(repeating: "b", count: room - fields.utf8.count - 3)
    let client = try RawClient(port: server.port)
    try await client.send(start + fields + rest + ":\r\n\r\n")
    #expect(try await client.readResponse().body == "\(room / 4)")
    try await client.send(start + fields + rest + "b:\r\n\r\n")
    #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 431 "))
  }

  @Test("A body in chunks of one byte is joined in time that grows with it")
  func tinyChunks() async throws {
    let server = try await LocalServer.start { request in .text("\(request.body.count)") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
    for _ in 0..<20 { try await client.send(String(repeating: "1\r\nx\r\n", count: 1000)) }
    try await client.send("0\r\n\r\n")
    #expect(try await client.readResponse().body == "20000")
  }

  @Test("Requests hidden in a body, or behind a length that does not fit, are what they are by the framing")
  func smuggled() async throws {
    let server = try await LocalServer.start { request in .text(request.text) }
    defer { server.stop() }
    let hidden = "GET /hidden HTTP/1.1\r\n\r\n"
    let client = try RawClient(port: server.port)
    try await client.send("PUT /a HTTP/1.1\r\nContent-Length: \(hidden.utf8.count)\r\n\r\n\(hidden)")
    #expect(try await client.readResponse().body == hidden)
    // Three bytes of six: the others are the start of the next request's method.
    try await client.send("PUT /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabcdef")
    try await client.get("/c")
    #expect(try await client.readResponse().body == "abc")
    _ = try await client.readResponse()
    #expect(server.requests.map { "\($0.method) \($0.path)" } == ["PUT /a", "PUT /b", "defGET /c"])
  }

  @Test(
    "A client that leaves at any byte of its request, or of the answer, leaves nothing behind",
    arguments: [false, true])
  func leavesAnywhere(withReset: Bool) async throws {
    let server = try await LocalServer.start { _ in
      LocalServer.Response(status: 200, body: [.repeated(0x78, count: 100_000), .text("y")], chunked: true)
    }
    defer { server.stop() }
    let request = Array("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n".utf8)
    for count in 0...request.count {
      let client = try RawClient(port: server.port)
      try await client.send(Array(request[..<count]))
      if count == request.count { _ = try await client.read(50_000) }
      if withReset { try await client.reset() } else { try await client.leave() }
    }
    // One that resets before it was accepted may never have been a connection.
    try await expectClosed(server)
    #expect(server.counts.requests == 1)
  }

  private func expectClosed(_ server: LocalServer) async throws {
    #expect(await server.waitForRequests(1))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("A closed gate lets go of the connections that ended at it")
  func forgottenGate() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { request in
      request.path == "/fine" ? .text("/fine") : .text("ab").interrupted(after: 3, by: .gate(gate))
    }
    defer { server.stop() }
    for _ in 0..<20 {
      let client = try RawClient(port: server.port)
      try await client.get("/")
      #expect(try await client.readText(3) == "HTT")
      // By the time another client is answered, the first response has come to its gate.
      let other = try RawClient(port: server.port)
      try await other.get("/fine")
      #expect(try await other.readResponse().body == "/fine")
      #expect(gate.waiting == 1)
      try await client.leave()
      try await other.leave()
      #expect(await server.waitForOpenConnections(atMost: 0))
      #expect(gate.waiting == 0)
    }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readText(3) == "HTT")
    server.stop()
    #expect(gate.waiting == 0)
  }

  @Test("Limits may be any number", arguments: [Int.min, -1, 0, 1, Int.max])
  func limits(number: Int) async throws {
    var limits = LocalServer.Limits()
    limits.headBytes = number
    limits.bodyBytes = number
    limits.recordedBytes = number
    if number > 0 { limits.connections = number }
    let server = try await LocalServer.start(limits: limits) { request in .text(request.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 1\r\n\r\nx")
    #expect(try await client.readHead().hasPrefix(number == Int.max ? "HTTP/1.1 200 " : "HTTP/1.1 431 "))
    #expect(server.requests.count == (number == Int.max ? 1 : 0))
    limits.connections = min(number, 0)
    let closed = try await LocalServer.start(limits: limits) { _ in .drop }
    _ = try RawClient(port: closed.port)
    closed.stop()
    #expect(closed.connectionsAccepted == 0)
  }
}
