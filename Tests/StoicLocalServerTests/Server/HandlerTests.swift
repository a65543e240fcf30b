import StoicLocalServer
import Testing

@Suite("Handlers", .timeLimit(.minutes(30)))
struct HandlerTests {
  @Test("A handler may wait at a gate, and holds up no other connection")
  func gate() async throws {
    let gate = LocalServer.Gate()
    let server = try await LocalServer.start { request in
      if request.path == "/held" { await gate.wait() }
      return .text(request.path)
    }
    defer { server.stop() }
    let held = try RawClient(port: server.port)
    try await held.get("/held")
    #expect(await server.waitForRequests(1))
    let other = try RawClient(port: server.port)
    try await other.get("/free")
    #expect(try await other.readResponse().body == "/free")
    #expect(await server.waitForResponses(1))
    gate.open()
    #expect(try await held.readResponse().body == "/held")
    #expect(server.requests.map(\.path) == ["/held", "/free"])
    #expect(server.requests.map(\.connection) == [1, 2])
  }

  @Test("A handler is cancelled when its client leaves", arguments: [false, true])
  func cancelled(cutShort: Bool) async throws {
    let cancelled = LocalServer.Gate()
    let server = try await LocalServer.start { _ in
      await LocalServer.Gate().wait()
      if Task.isCancelled { cancelled.open() }
      return .text("late")
    }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    if cutShort { try await client.send("GET /next HT") }
    try await client.leave()
    await cancelled.wait()
    #expect(cancelled.isOpen)
    #expect(await server.waitForUndelivered(1))
    #expect(server.counts.responses == 0)
  }

  @Test("A gate lets everything through once it is open, and a cancelled task too")
  func gates() async {
    let gate = LocalServer.Gate()
    #expect(!gate.isOpen)
    let waiting = (1...3).map { _ in Task { await gate.wait() } }
    let cancelled = Task { await gate.wait() }
    cancelled.cancel()
    await cancelled.value
    #expect(!gate.isOpen)
    gate.open()
    gate.open()
    for task in waiting { await task.value }
    await gate.wait()
    #expect(gate.isOpen)
  }
}
