import StoicLocalServer
import Testing

@Suite("Request bodies", .timeLimit(.minutes(30)))
struct RequestBodyTests {
  @Test("A body is read to its end before the handler runs")
  func whole() async throws {
    let server = try await LocalServer.start { request in .text(request.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc")
    let other = try RawClient(port: server.port)
    try await other.get("/other")
    _ = try await other.readResponse()
    #expect(server.requests.map(\.path) == ["/other"])
    try await client.send("def")
    #expect(try await client.readResponse().body == "abcdef")
  }

  @Test("A chunked body is joined")
  func chunked() async throws {
    let server = try await LocalServer.start { request in .text(request.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
    try await client.send("3;x\r\ndef\r\n0\r\nTrailer: t\r\n\r\n")
    #expect(try await client.readResponse().body == "abcdef")
    #expect(server.requests.first?.headers.map(\.name) == ["Transfer-Encoding"])
  }

  @Test("A client that waits for 100 Continue gets it, then its response")
  func awaitsContinue() async throws {
    let server = try await LocalServer.start { request in .text(request.text) }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n")
    #expect(try await client.readHead() == "HTTP/1.1 100 \r\n\r\n")
    #expect(server.requests.isEmpty)
    try await client.send("abc")
    #expect(try await client.readResponse().body == "abc")
  }

  @Test("Megabytes of body arrive whole")
  func large() async throws {
    let server = try await LocalServer.start { request in
      .text("\(request.body.count) \(request.body.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) })")
    }
    defer { server.stop() }
    let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n")
    try await client.send(body)
    let sum = body.reduce(UInt64(0)) { $0 &* 31 &+ UInt64($1) }
    #expect(try await client.readResponse().body == "3000000 \(sum)")
  }

  @Test(
    "A request that cannot be taken is refused, and the connection ends",
    arguments: [
      ("nonsense", 0, 400), ("GET / HTTP/1.1\r\nA: ", 70_000, 431),
      ("PUT / HTTP/1.1\r\nContent-Length: 67108865", 0, 413),
      ("PUT / HTTP/1.1\r\nTransfer-Encoding: gzip", 0, 501), ("GET / HTTP/2.0", 0, 505),
    ])
  func refused(_ text: String, _ padding: Int, _ status: Int) async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send(text + String(repeating: "a", count: padding) + "\r\n\r\n")
    let answer = try await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 \(status) \r\nContent-Type: text/plain"))
    #expect(answer.contains("\r\nConnection: close\r\n"))
    #expect(server.requests.isEmpty)
    #expect(server.counts.responses == 0)
    #expect(server.counts.refused == 1)
    #expect(await server.waitForRefusals(1))
    try await client.leave()
    #expect(await server.waitForOpenConnections(atMost: 0))
    #expect(server.counts.disconnects == 0)
  }

  @Test("A client that goes on sending still reads why it is refused")
  func refusedWhileSending() async throws {
    var limits = LocalServer.Limits()
    limits.drainTime = .seconds(3600)
    let server = try await LocalServer.start(limits: limits) { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 1000000000\r\n\r\n")
    try await client.send([UInt8](repeating: 0x61, count: 8_000_000))
    #expect(try await client.readToEnd().hasPrefix("HTTP/1.1 413 \r\n"))
  }

  @Test("A refused client that does not leave is left")
  func refusedAndStays() async throws {
    var limits = LocalServer.Limits()
    limits.drainTime = .zero
    let server = try await LocalServer.start(limits: limits) { _ in .text("a") }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("nonsense\r\n")
    #expect(await server.waitForConnections(1))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }
}
