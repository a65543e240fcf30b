import StoicLocalServer
import Testing

@Suite("Responses on the wire", .timeLimit(.minutes(30)))
struct ResponseTests {
  typealias Response = LocalServer.Response

  /// Asks for one response and reads until the server ends the connection.
  private func all(_ response: Response) async throws -> String {
    let server = try await LocalServer.start { _ in response }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    return try await client.readToEnd()
  }

  @Test("A dropped request is answered with an orderly end and no byte")
  func drop() async throws {
    #expect(try await all(.drop) == "")
  }

  @Test("A reset request is answered with a reset")
  func reset() async throws {
    await #expect(throws: RawClient.Failure.reset) { try await all(.reset) }
  }

  @Test("A body can end early, in order")
  func close() async throws {
    let pieces: [LocalServer.Piece] = [.text("ab"), .close, .text("c")]
    let text = try await all(Response(status: 200, body: pieces))
    #expect(text == "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\nab")
  }

  @Test("A body can end early, with a reset")
  func resetInBody() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      Response(status: 200, body: [.text("ab"), .gate(gate), .reset, .text("c")])
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readHead() == "HTTP/1.1 200 \r\nContent-Length: 3\r\n\r\n")
    #expect(try await client.readText(2) == "ab")
    gate.open()
    await #expect(throws: RawClient.Failure.reset) { try await client.read(1) }
    #expect(server.counts.disconnects == 0)
  }

  @Test("Raw bytes arrive as they are, then the connection ends")
  func raw() async throws {
    #expect(try await all(.raw("HTTP/1.1 200 OK\nbroken")) == "HTTP/1.1 200 OK\nbroken")
  }

  @Test("Raw bytes can leave the connection open")
  func rawKeepAlive() async throws {
    let server = try await LocalServer.start { request in .raw(request.path, keepAlive: true) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/one")
    #expect(try await client.readText(4) == "/one")
    try await client.get("/two")
    #expect(try await client.readText(4) == "/two")
    #expect(server.requests.map(\.connection) == [1, 1])
    #expect(server.bytesSent == 8)
  }

  @Test("A close-delimited body ends with the connection")
  func closeDelimited() async throws {
    var response = Response(status: 200, body: [.text("abc")])
    response.closeDelimited = true
    #expect(try await all(response) == "HTTP/1.1 200 \r\nConnection: close\r\n\r\nabc")
  }

  @Test("Body bytes are counted without heads and chunk framing, before the client has read them")
  func bytesSent() async throws {
    let server = try await LocalServer.start { _ in
      Response(status: 200, body: [.text("ab"), .repeated(0x63, count: 300)], chunked: true)
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    _ = try await client.readHead()
    let body = "2\r\nab\r\n12c\r\n\(String(repeating: "c", count: 300))\r\n0\r\n\r\n"
    #expect(try await client.readText(body.utf8.count) == body)
    #expect(server.bytesSent == 302)
    #expect(await server.waitForResponses(1))
  }

  @Test("A body waits at a gate, what came before it is already sent")
  func gate() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      Response(status: 200, body: [.text("ab"), .gate(gate), .text("c")])
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    _ = try await client.readHead()
    #expect(try await client.readText(2) == "ab")
    #expect(server.bytesSent == 2)
    gate.open()
    #expect(try await client.readText(1) == "c")
    try await client.get("/")
    #expect(try await client.readResponse().body == "abc")
  }

  @Test("A delay and a pause take at least their time")
  func pauses() async throws {
    let server = try await LocalServer.start { _ in
      Response(
        status: 200, body: [.text("a"), .pause(.milliseconds(15)), .text("b"), .pause(.seconds(-1))],
        delay: .milliseconds(15))
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    let start = ContinuousClock.now
    try await client.get("/")
    _ = try await client.readHead()
    #expect(ContinuousClock.now - start >= .milliseconds(15))
    #expect(try await client.readText(2) == "ab")
    #expect(ContinuousClock.now - start >= .milliseconds(30))
  }

  @Test(
    "A pause holds up no other connection, however long it is",
    arguments: [Duration.seconds(3600), Duration(attoseconds: .max)])
  func longPause(_ pause: Duration) async throws {
    let server = try await LocalServer.start { request in
      request.path == "/slow"
        ? Response(status: 200, body: [.text("a"), .pause(pause), .text("b")]) : .text("fast")
    }
    defer { server.stop() }
    let slow = try RawClient(port: server.port)
    try await slow.get("/slow")
    _ = try await slow.readHead()
    #expect(try await slow.readText(1) == "a")
    let fast = try RawClient(port: server.port)
    try await fast.get("/fast")
    #expect(try await fast.readResponse().body == "fast")
    try await slow.leave()
    #expect(await server.waitForUndelivered(1))
  }

  @Test("A hanging response ends when the client leaves", arguments: [false, true])
  func hang(afterHead: Bool) async throws {
    let server = try await LocalServer.start { _ in
      afterHead ? Response(status: 200, body: [.text("a"), .hang]) : .hang
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    if afterHead { #expect(try await client.readResponse().body == "a") }
    #expect(server.openConnections == 1)
    try await client.leave()
    #expect(await server.waitForDisconnects(1))
    #expect(server.counts.undelivered == 1)
    #expect(server.openConnections == 0)
  }
}
