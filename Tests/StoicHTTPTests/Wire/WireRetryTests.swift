import Foundation
import Stoic
import StoicHTTP
import StoicLocalServer
import StoicTesting
import Testing

@Suite("Retries over real sockets", .timeLimit(.minutes(30)))
struct WireRetryTests {
  @Test(
    "A GET that meets 503 twice is sent three times, after 0.2 and 0.4 virtual seconds",
    arguments: WireTransport.all)
  func recovers(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [
      .status(503), .status(503), .json(#"{"id":42}"#),
    ])
    defer { server.stop() }
    let client = WireClient(server, on: wire)

    let call = client.start(.get("/users/42"))
    await client.pass(retry: 1, .milliseconds(200))
    await client.pass(retry: 2, .milliseconds(400))
    let response = try await call.value

    #expect(response.text == #"{"id":42}"#)
    #expect(server.requests.map(\.target) == Array(repeating: "/users/42", count: 3))
    #expect(client.waits == ["0.2s", "0.4s"])
    #expect(client.clock.now.offset == .milliseconds(600))
  }

  @Test("A POST without a key reaches the server once when it answers 503", arguments: WireTransport.all)
  func unkeyed503(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [.status(503)])
    defer { server.stop() }
    let error = await WireClient(server, on: wire).start(.order).httpError

    guard case .status(503, _, _, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(server.requests.count == 1)
  }

  @Test(
    "A POST without a key reaches the server once when the connection is lost",
    arguments: WireTransport.each([false, true], Loss.allCases))
  func unkeyedLost(_ wire: WireTransport, onWarmTransport isWarm: Bool, by loss: Loss) async throws {
    let server = try await LocalServer.start { request in
      request.method == "GET" ? .text("warm") : loss.response
    }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    if isWarm { _ = try await client.send(.get("/warm")) }
    let error = await client.start(.order).httpError

    guard case .transport(.networkConnectionLost, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(call.mayHaveActed)
    #expect(server.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test(
    "A POST, a PATCH, a PUT, a DELETE: none is sent twice in one attempt on a warm transport",
    arguments: WireTransport.all,
    [
      HTTPMethod.post, .patch, .put, .delete,
    ])
  func onceAnAttempt(_ wire: WireTransport, _ method: HTTPMethod) async throws {
    let server = try await LocalServer.start { request in request.method == "GET" ? .text("warm") : .drop }
    defer { server.stop() }
    let transport = wire()
    for _ in 0..<3 { _ = try await transport.send(.to(server)) }
    await #expect(throws: TransportError(code: .networkConnectionLost, mayHaveActed: true)) {
      _ = try await transport.send(.to(server, "/", method, mayRepeat: true))
    }
    #expect(server.requests.filter { $0.method == method.name }.count == 1)
  }

  @Test(
    "A POST with a key that meets 503 is sent again with the same key and the same bytes",
    arguments: WireTransport.all)
  func keyed(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [.status(503), .status(201)])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.order, key: "k-1")
    await client.pass(retry: 1, .milliseconds(200))

    #expect(try await call.value.status == 201)
    #expect(server.requests.map { $0.headers("Idempotency-Key") } == [["k-1"], ["k-1"]])
    #expect(server.requests.map(\.text) == ["one order", "one order"])
  }

  @Test(
    "A server that accepts and never answers costs three attempts of ten virtual seconds",
    arguments: WireTransport.all)
  func silence(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start { _ in .hang }
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/"))
    for (number, wait) in [(1, Duration.milliseconds(200)), (2, .milliseconds(400))] {
      await server.waitForRequests(number)
      client.clock.advance(by: .seconds(10))
      await server.waitForDisconnects(number)
      await client.pass(retry: number, wait)
    }
    await server.waitForRequests(3)
    client.clock.advance(by: .milliseconds(9_999))
    #expect(client.clock.sleepers.count == 1)
    client.clock.advance(by: .milliseconds(1))

    let error = await call.httpError
    guard case .timedOut(attempt: 3, let record)? = error else { throw Unexpected(error) }
    #expect(record.elapsed == .milliseconds(30_600))
    #expect(await server.waitForDisconnects(3))
    #expect(server.requests.count == 3)
  }

  @Test(
    "A refused connection is tried three times, and the server has not acted", arguments: WireTransport.all)
  func refused(_ wire: WireTransport) async throws {
    // Nobody listens on port 1, unlike on a port that was free a moment ago.
    let client = WireClient(try #require(URL(string: "http://127.0.0.1:1")), on: wire)
    let call = client.start(.get("/"))
    await client.pass(retry: 1, .milliseconds(200))
    await client.pass(retry: 2, .milliseconds(400))

    let error = await call.httpError
    guard case .transport(.cannotConnectToHost, let record)? = error else { throw Unexpected(error) }
    #expect(record.attempts == 3)
    #expect(!record.mayHaveActed)
  }

  @Test("A lost connection is retried when that does no harm", arguments: WireTransport.all, Loss.allCases)
  func lost(_ wire: WireTransport, by loss: Loss) async throws {
    let server = try await LocalServer.start(script: [loss.response, loss.response, .text("at last")])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/"))
    await client.pass(retry: 1, .milliseconds(200))
    await client.pass(retry: 2, .milliseconds(400))
    #expect(try await call.value.text == "at last")
    #expect(server.requests.count == 3)
  }

  @Test(
    "A POST without a key is tried once where nobody listens, and the server has not acted",
    arguments: WireTransport.all)
  func refusedPost(_ wire: WireTransport) async throws {
    let client = WireClient(try #require(URL(string: "http://127.0.0.1:1")), on: wire)
    let error = await client.start(.order).httpError
    guard case .transport(.cannotConnectToHost, let record)? = error else { throw Unexpected(error) }
    #expect(record.attempts == 1)
    #expect(!record.mayHaveActed)
  }

  @Test(
    "A GET that loses its connection every time is tried three times", arguments: WireTransport.all,
    Loss.allCases)
  func lostForEver(_ wire: WireTransport, by loss: Loss) async throws {
    let server = try await LocalServer.start(script: [loss.response])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/"))
    await client.pass(retry: 1, .milliseconds(200))
    await client.pass(retry: 2, .milliseconds(400))

    let error = await call.httpError
    guard case .transport(.networkConnectionLost, let record)? = error else { throw Unexpected(error) }
    #expect(record.attempts == 3)
    #expect(record.mayHaveActed)
    #expect(server.requests.count == 3)
  }

  @Test(
    "A body that is cut short costs an attempt, and the whole one is the answer", arguments: WireTransport.all
  )
  func cutShort(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [
      .raw(lines: "HTTP/1.1 200 OK|Content-Length: 100||hello"), .text("whole"),
    ])
    defer { server.stop() }
    let client = WireClient(server, on: wire)
    let call = client.start(.get("/"))
    await client.pass(retry: 1, .milliseconds(200))
    #expect(try await call.value.text == "whole")
    #expect(server.requests.count == 2)
  }

  @Test(
    "A body that is cut short is a failure of an unkeyed POST, which is not sent again",
    arguments: WireTransport.all)
  func cutShortPost(_ wire: WireTransport) async throws {
    let server = try await LocalServer.start(script: [
      .raw(lines: "HTTP/1.1 200 OK|Content-Length: 100||hello")
    ])
    defer { server.stop() }
    let error = await WireClient(server, on: wire).start(.post("/")).httpError
    guard case .transport(.networkConnectionLost, let call)? = error else { throw Unexpected(error) }
    #expect(call.attempts == 1)
    #expect(server.requests.count == 1)
  }
}

/// How a server loses a connection.
enum Loss: CaseIterable {
  case end, reset

  var response: LocalServer.Response {
    switch self {
    case .end: .drop
    case .reset: .reset
    }
  }
}

extension HTTPRequest {
  fileprivate static var order: HTTPRequest {
    .post("/orders", body: Array("one order".utf8), contentType: "text/plain")
  }
}
