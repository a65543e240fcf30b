import StoicLocalServer
import Testing

@Suite("Handlers")
struct HandlerTests {
  @Test("A hanging response ends when the client leaves, and the server sees it go")
  func hang() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    #expect(server.openConnections == 1)
    try await client.leave()
    #expect(await server.waitForDisconnects(1))
    #expect(await server.waitForUndelivered(1))
    #expect(server.openConnections == 0)
  }
}
