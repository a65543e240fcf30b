import Foundation
import StoicHTTP
import StoicTesting
import Testing

@Suite("Scripted transport")
struct ScriptedTransportTests {
  @Test("A route's steps are used one per request, and then the last again, or what comes after them")
  func steps() async throws {
    let rig = Rig()
    rig.transport.on(.get("/a"), respond: [.json("1"), .json("2")])
    rig.transport.on(.get("/b"), respond: [.json("1")], then: .json("9"))
    let texts = try await rig.run { api in
      var texts: [String?] = []
      for path in ["/a", "/a", "/a", "/b", "/b", "/b"] { texts.append(try await api.send(.get(path)).text) }
      return texts
    }
    #expect(texts == ["1", "2", "2", "1", "9", "9"])
    #expect(rig.transport.requests.map(\.url.path) == ["/a", "/a", "/a", "/b", "/b", "/b"])
  }

  @Test("A request that fits no route is a 404 and is listed")
  func unscripted() async throws {
    let rig = Rig()
    rig.transport.on(.get("/a"), respond: [.status(200)])
    rig.transport.on(.get("/none"), respond: [])
    #expect(await rig.failure(.post("/a"))?.status == 404)
    #expect(await rig.failure(.get("/b?x=1"))?.status == 404)
    #expect(await rig.failure(.get("/none"))?.status == 404)
    #expect(
      rig.transport.unscripted.map(\.description) == [
        "POST https://api.example.com/a", "GET https://api.example.com/b", "GET https://api.example.com/none",
      ])
  }

  @Test("A path is that of the final URL, any host unless one is given, any query unless one is given")
  func matching() async throws {
    var rig = Rig()
    rig.base = "https://api.example.com/v1"
    rig.transport.on(.get("/v1/a"), respond: [.json("\"path\"")])
    rig.transport.on(.get("/v1/a?x=1"), respond: [.json("\"query\"")])
    rig.transport.on(.get(makeURL("https://other/v1/a")), respond: [.json("\"host\"")])
    let texts = try await rig.run { api in
      var texts: [String?] = []
      for request in [
        HTTPRequest.get("/a"), .get("/a", query: ["x": "1"]), .get("a?x=2"),
        .get(makeURL("https://other/v1/a?y")),
      ] { texts.append(try await api.send(request).text) }
      return texts
    }
    #expect(texts == ["\"path\"", "\"query\"", "\"path\"", "\"host\""])
  }

  @Test("A delay is waited for on the ambient clock")
  func delay() async throws {
    let rig = Rig()
    rig.transport.on(
      .get("/a"), respond: [.status(200).after(.seconds(2)), .failure(.badURL).after(.seconds(3))])
    try await rig.run { try await $0.send(.get("/a")) }
    #expect(rig.elapsed == .seconds(2))
    #expect(await rig.failure(.get("/a"))?.code == .badURL)
    #expect(rig.elapsed == .seconds(5))
  }

  @Test("Requests in flight are counted, and those that ended early")
  func inFlight() async throws {
    let rig = Rig()
    for path in ["/1", "/2", "/3"] { rig.transport.on(.get(path), respond: [.hang]) }
    let calls = ["/1", "/2", "/3"].map { path in
      Task { try await rig.inForce { try await rig.api.send(.get(path)) } }
    }
    await rig.clock.waitForSleepers(3)
    #expect(rig.transport.inFlight == 3 && rig.transport.aborted == 0)
    for call in calls { call.cancel() }
    for call in calls { _ = await call.result }
    #expect(rig.transport.inFlight == 0 && rig.transport.maxInFlight == 3 && rig.transport.aborted == 3)
  }

  @Test("A hang without a timeout waits on no clock, until it is cancelled")
  func hang() async throws {
    let transport = ScriptedTransport()
    let clock = TestClock()
    transport.on(.get("/x"), respond: [.hang])
    let call = Task {
      try await withClock(clock) {
        try await transport.send(
          TransportRequest(method: .get, url: makeURL("https://h/x")), maxResponseBytes: 1)
      }
    }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(clock.sleepers.isEmpty && transport.inFlight == 0)
  }

  @Test("A body over the limit is cut there")
  func cut() async throws {
    let transport = ScriptedTransport()
    transport.on(.get("/x"), respond: [.bytes([1, 2, 3])])
    let request = TransportRequest(method: .get, url: makeURL("https://h/x"))
    let response = try await transport.send(request, maxResponseBytes: 2)
    #expect(response.body == [1, 2] && response.isTruncated && transport.aborted == 1)
  }
}
