import StoicLocalServer
import Testing

@Suite("Requests that are looked at before their bodies", .timeLimit(.minutes(30)))
struct AdmissionTests {
  static let expecting = "PUT /p HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n"
  static let plain = "PUT /p HTTP/1.1\r\nContent-Length: 3\r\n\r\n"

  private func start(
    _ admit: @escaping LocalServer.Admitter
  ) async throws -> (server: LocalServer, client: RawClient) {
    let server = try await LocalServer.start(admitting: admit) { request in
      .text("\(request.path) \(request.text)")
    }
    return (server, try RawClient(port: server.port))
  }

  @Test(
    "A body that is let in is read, after 100 Continue where it was asked for", arguments: [expecting, plain])
  func read(head: String) async throws {
    let gate = LocalServer.Gate()
    let (server, client) = try await start { request in
      #expect(request.path == "/p" && request.body.isEmpty && !request.isWhole)
      #expect(request.head == head && request.numberOnConnection == 1)
      await gate.wait()
      return .read
    }
    defer { server.stop() }
    try await client.send(head)
    gate.open()
    if head == Self.expecting { #expect(try await client.readHead() == "HTTP/1.1 100 \r\n\r\n") }
    try await client.send("abc")
    #expect(try await client.readResponse().body == "/p abc")
    #expect(server.requests.map(\.isWhole) == [true])
    #expect(server.requests.map(\.text) == ["abc"])
  }

  @Test("A client that asks for 100 Continue can be left without it")
  func silent() async throws {
    let (server, client) = try await start { _ in .readWithoutContinue }
    defer { server.stop() }
    try await client.send(Self.expecting)
    try await client.send("abc")
    #expect(try await client.readHead().hasPrefix("HTTP/1.1 200 "))
  }

  @Test(
    "A request can be answered before its body is read, and the client reads the answer",
    arguments: [expecting, plain])
  func answered(head: String) async throws {
    let (server, client) = try await start { _ in .answer(.text("no", status: 417)) }
    defer { server.stop() }
    try await client.send(head)
    if head == Self.plain { try await client.send("abcGET /next HTTP/1.1\r\n\r\n") }
    let answer = try await client.readToEnd()
    #expect(answer.hasPrefix("HTTP/1.1 417 ") && answer.hasSuffix("Connection: close\r\n\r\nno"))
    #expect(server.requests.map(\.isWhole) == [false])
    #expect(server.requests.map(\.path) == ["/p"])
    #expect(server.requests.map(\.body) == [[]])
    #expect(server.counts.responses == 1)
    try await client.leave()
    #expect(await server.waitForOpenConnections(atMost: 0))
    #expect(server.counts.disconnects == 0 && server.counts.cutShort == 0 && server.counts.refused == 0)
  }

  @Test("A client that goes on sending still reads the early answer")
  func answeredWhileSending() async throws {
    var limits = LocalServer.Limits()
    limits.drainTime = .seconds(3600)
    let server = try await LocalServer.start(limits: limits, admitting: { _ in .answer(.status(413)) }) { _ in
      .text("a")
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 8000000\r\n\r\n")
    try await client.send([UInt8](repeating: 0x61, count: 8_000_000))
    #expect(try await client.readToEnd() == "HTTP/1.1 413 \r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
  }

  @Test("An early answer can be a reset")
  func reset() async throws {
    let (server, client) = try await start { _ in .answer(.reset) }
    defer { server.stop() }
    try await client.send(Self.plain)
    await #expect(throws: RawClient.Failure.reset) { try await client.readToEnd() }
    #expect(server.requests.count == 1)
  }

  @Test("An upload is held up while it is being decided about, and its client's leaving cancels that")
  func held() async throws {
    let (called, cancelled) = (LocalServer.Gate(), LocalServer.Gate())
    let (server, client) = try await start { _ in
      called.open()
      await LocalServer.Gate().wait()
      if Task.isCancelled { cancelled.open() }
      return .read
    }
    defer { server.stop() }
    try await client.send("PUT / HTTP/1.1\r\nContent-Length: 60000000\r\n\r\n")
    await called.wait()
    let other = try RawClient(port: server.port)
    let bytes = [UInt8](repeating: 0x61, count: 1_000_000)
    var (sent, refusals) = (0, 0)
    while sent < 60_000_000, refusals < 20 {
      let count = try await client.sendWhatFits(bytes)
      sent += count
      refusals = count == 0 ? refusals + 1 : 0
      // By the time another client is answered, the server has had its turn to read from this one.
      try await other.get("/")
      _ = try await other.readResponse()
    }
    #expect(sent < 60_000_000)
    try await client.reset()
    await cancelled.wait()
    #expect(await server.waitForCutShort(1))
    #expect(server.counts.undelivered == 0)
    #expect(server.requests.count { $0.method == "PUT" } == 0)
  }

  @Test(
    "A request without a body is not asked about, one in chunks is",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", 0), ("PUT / HTTP/1.1\r\nContent-Length: 0\r\n\r\n", 0),
      ("PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1),
    ])
  func asked(_ request: String, _ count: Int) async throws {
    let asked = LocalServer.Gate()
    let (server, client) = try await start { _ in
      asked.open()
      return .read
    }
    defer { server.stop() }
    try await client.send(request)
    _ = try await client.readResponse()
    #expect(asked.isOpen == (count == 1))
  }

  @Test("Requests behind each other are asked about one by one")
  func pipelined() async throws {
    let (server, client) = try await start { request in
      request.numberOnConnection == 3 ? .answer(.text("enough")) : .read
    }
    defer { server.stop() }
    try await client.send((1...4).map { "PUT /\($0) HTTP/1.1\r\nContent-Length: 1\r\n\r\n\($0)" }.joined())
    #expect(try await client.readResponse().body == "/1 1")
    #expect(try await client.readResponse().body == "/2 2")
    #expect(try await client.readToEnd().hasSuffix("enough"))
    #expect(server.requests.map(\.path) == ["/1", "/2", "/3"])
  }
}
