import Foundation
import StoicLocalServer
import Testing

@Suite("Stopping", .timeLimit(.minutes(30)))
struct StoppingTests {
  /// Whether the server's side of the connection has ended, in order or not.
  private func hasEnded(_ client: RawClient) async -> Bool {
    do {
      _ = try await client.readToEnd()
      return true
    } catch { return (error as? RawClient.Failure) == .reset }
  }

  @Test("Stopping closes every connection, whatever it is doing, and the port")
  func stop() async throws {
    let admit: LocalServer.Admitter = { request in
      if request.path == "/early" { return .answer(.text("early")) }
      if request.path == "/undecided" { await LocalServer.Gate().wait() }
      return .read
    }
    let server = try await LocalServer.start(admitting: admit) { request in
      switch request.path {
      case "/hang": return .hang
      case "/interim":
        return LocalServer.Response(status: 200, preface: [.interim(103), .gate(LocalServer.Gate())])
      case "/part": return .text("a").interrupted(after: 3, by: .gate(LocalServer.Gate()))
      case "/bomb":
        let bomb = LocalServer.Piece.packed(repeating: 0, count: Int.max, as: .gzip)
        return LocalServer.Response(status: 200, body: [bomb], chunked: true)
      case "/pause": return LocalServer.Response(status: 200, body: [.pause(.seconds(3600))])
      case "/endless": return LocalServer.Response(status: 200, body: [.repeated(0, count: Int.max)])
      case "/handler":
        await LocalServer.Gate().wait()
        return .text("late")
      default: return .text("a")
      }
    }
    let paths = ["/idle", "/hang", "/pause", "/endless", "/handler", "/interim", "/part", "/bomb"]
    var clients: [RawClient] = []
    for path in paths {
      let client = try RawClient(port: server.port)
      try await client.get(path)
      clients.append(client)
    }
    let half = try RawClient(port: server.port)
    try await half.send("PUT / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")
    clients.append(half)
    for path in ["/early", "/undecided"] {
      let client = try RawClient(port: server.port)
      try await client.send("PUT \(path) HTTP/1.1\r\nContent-Length: 5\r\n\r\n")
      clients.append(client)
    }
    let refused = try RawClient(port: server.port)
    try await refused.send("nonsense\r\n")
    clients.append(refused)
    #expect(await server.waitForRefusals(1))
    for _ in 0..<100 { clients.append(try RawClient(port: server.port)) }
    #expect(await server.waitForRequests(paths.count + 1))
    #expect(await server.waitForConnections(clients.count))
    server.stop()
    #expect(server.openConnections == 0)
    #expect(throws: RawClient.Failure.cannotConnect) { try RawClient(port: server.port) }
    for client in clients { #expect(await hasEnded(client)) }
    #expect(Set(server.requests.map(\.path)) == Set(paths + ["/early"]))
  }

  @Test("Stopping twice, from several tasks and from a handler is stopping once")
  func stopAgain() async throws {
    let holder = Holder()
    let server = try await LocalServer.start { _ in
      await holder.gate.wait()
      holder.stop()
      return .text("late")
    }
    holder.hold(server)
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    holder.gate.open()
    #expect(await hasEnded(client))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { server.stop() } }
    }
    #expect(server.openConnections == 0)
    holder.release()
  }

  @Test("A handler that is cancelled may stop the server")
  func stopWhenCancelled() async throws {
    let holder = Holder()
    let server = try await LocalServer.start { _ in
      await withTaskCancellationHandler {
        await holder.gate.wait()
      } onCancel: {
        holder.stop()
      }
      return .text("late")
    }
    holder.hold(server)
    let (leaving, staying) = (try RawClient(port: server.port), try RawClient(port: server.port))
    for client in [leaving, staying] { try await client.get("/") }
    #expect(await server.waitForRequests(2))
    try await leaving.leave()
    #expect(await hasEnded(staying))
    server.stop()
    #expect(server.openConnections == 0)
    holder.release()
  }

  @Test("A server that nobody holds any more is stopped")
  func forgotten() async throws {
    var server: LocalServer? = try await LocalServer.start { _ in .hang }
    let client = try RawClient(port: try #require(server?.port))
    try await client.get("/")
    await server?.waitForRequests(1)
    server = nil
    #expect(await hasEnded(client))
  }

  @Test("A stopped server lets go of its handler")
  func releasesHandler() async throws {
    let released = LocalServer.Gate()
    let server = try await LocalServer.start { [token = Token(released)] _ in
      .text("\(token.released.isOpen)")
    }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(try await client.readResponse().body == "false")
    server.stop()
    await released.wait()
    #expect(released.isOpen)
  }

  /// On the main actor, where tasks run in the order they were made, up to where they wait.
  @Test("Every wait ends when the server stops")
  @MainActor
  func waits() async throws {
    let server = try await LocalServer.start { _ in .hang }
    let client = try RawClient(port: server.port)
    try await client.get("/")
    #expect(await server.waitForRequests(1))
    let waits: [Task<Bool, Never>] = [
      Task { await server.waitForRequests(2) }, Task { await server.waitForResponses(1) },
      Task { await server.waitForConnections(2) }, Task { await server.waitForDisconnects(1) },
      Task { await server.waitForUndelivered(1) }, Task { await server.waitForBytesSent(1) },
      Task { await server.waitForCutShort(1) }, Task { await server.waitForRefusals(1) },
    ]
    await Task {}.value
    server.stop()
    for wait in waits { #expect(await wait.value == false) }
    #expect(await server.waitForRequests(2) == false)
    #expect(await server.waitForRequests(1))
    #expect(await server.waitForOpenConnections(atMost: 0))
  }

  @Test("A wait ends when its task is cancelled")
  func cancelledWait() async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let wait = Task { await server.waitForRequests(1) }
    wait.cancel()
    #expect(await wait.value == false)
  }

  @Test("A port can be asked for, one that is taken is an error, and one that was left is free")
  func port() async throws {
    let server = try await LocalServer.start { _ in .text("a") }
    let port = server.port
    #expect(server.baseURL.absoluteString == "http://127.0.0.1:\(port)")
    let taken = await #expect(throws: LocalServer.StartError.self) {
      try await LocalServer.start(port: port) { _ in .drop }
    }
    #expect(taken?.call == "bind")
    await #expect(throws: LocalServer.StartError.self) {
      try await LocalServer.start(port: 65_536) { _ in .drop }
    }
    await #expect(throws: LocalServer.StartError.self) {
      try await LocalServer.start(port: -1) { _ in .drop }
    }
    let client = try RawClient(port: port)
    try await client.get("/")
    _ = try await client.readResponse()
    server.stop()
    let next = try await LocalServer.start(port: port) { _ in .text("b") }
    defer { next.stop() }
    #expect(next.port == port)
    let again = try RawClient(port: port)
    try await again.get("/")
    #expect(try await again.readResponse().body == "b")
  }
}

/// Opens a gate when it is released.
private final class Token: Sendable {
  let released: LocalServer.Gate

  init(_ released: LocalServer.Gate) { self.released = released }

  deinit { released.open() }
}
